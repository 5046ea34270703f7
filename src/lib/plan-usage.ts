import type { UsageCounters } from '#lib/billing/usage.ts'
import { countCourses } from '#lib/course/insert-course.ts'
import { countViewersInFullestRoom } from '#lib/meeting/admission/queue.ts'
import { countPrograms } from '#lib/mentoring/program/program.ts'
import { usedBytes } from '#lib/storage/upload/quota.ts'
import { countTeam } from '#lib/team/seats.ts'
import { countStudents } from '#lib/user/member.ts'
import { countLiveEvents } from '#lib/workshop/conference-limit.ts'
import { countWorkshops } from '#lib/workshop/settings/create.ts'

const GIGABYTE = 1024 ** 3

/** What counts towards the limits of a plan, by the modules that own it. */
export const planUsage: UsageCounters = {
  student_count: (_tx, tenantId) => countStudents(tenantId),
  course_count: countCourses,
  mentor_program_count: countPrograms,
  workshop_count: countWorkshops,
  conference_count: countLiveEvents,
  viewer_count: (tx) => countViewersInFullestRoom(tx),
  manager_count: (tx, tenantId) => countTeam(tx, tenantId),
  disc: async (tx, tenantId) => (await usedBytes(tx, tenantId)) / GIGABYTE,
}
