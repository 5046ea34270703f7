import { hasRole } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { type CourseActor, canManageStudents } from '../rules.ts'

export const GROUP_STATUS = ['planned', 'running', 'finished', 'archived'] as const
export type GroupStatus = (typeof GROUP_STATUS)[number]

interface GroupDates {
  startAt: Date
  endAt: Date | null
  finishedAt: Date | null
  archivedAt: Date | null
}

/** The status of a group at an instant, derived from its dates. */
export function groupStatusOf({ startAt, endAt, finishedAt, archivedAt }: GroupDates, now: Date): GroupStatus {
  if (archivedAt) return 'archived'
  if (finishedAt || (endAt && endAt <= now)) return 'finished'
  return startAt > now ? 'planned' : 'running'
}

/** May see the groups of every course; a curator sees those of the assigned courses. */
export function canSeeAllGroups(actor: CourseActor): Verdict {
  return canManageStudents(actor, false)
}

/** Whether a search for new members covers all students of the school, or only those of the course. */
export function canSearchAllStudents(actor: CourseActor): Verdict {
  return hasRole(actor, ['OWNER', 'DIRECTOR']) ? allow('manages_students') : deny('students_of_course')
}
