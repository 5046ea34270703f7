import { courseAssignments } from './course/staff-assignment.ts'
import { homeworkAssignments } from './homework/review/hand-over.ts'
import { mentoringAssignments } from './mentoring/booking/hand-over.ts'
import type { TeamAssignments } from './team/assignments.ts'
import { eventAssignments } from './workshop/settings/staff-assignment.ts'

/** The objects that the modules above the team assign to its members: courses, events, homework, mentoring programs. */
export const teamAssignments: TeamAssignments = {
  courses: courseAssignments,
  events: eventAssignments,
  homework: homeworkAssignments,
  mentoring: mentoringAssignments,
}
