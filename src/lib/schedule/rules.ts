import { hasRole, type Role } from '#lib/core/shared/role.ts'

/**
 * Which items a reader sees: all of the school, those of assigned events and courses, the reader's own ones as a
 * student, or notes alone.
 */
export type ScheduleScope = 'all' | 'assigned' | 'student' | 'notes'

/** The scope of an actor by the permission table. */
export function scheduleScope(actor: { roles: readonly Role[] }): ScheduleScope {
  if (hasRole(actor, ['OWNER', 'DIRECTOR', 'EXPERT'])) return 'all'
  if (hasRole(actor, ['STUDENT'])) return 'student'
  return hasRole(actor, ['CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR']) ? 'assigned' : 'notes'
}

/** Whether the actor may shift the schedule of a group: that changes its courses and events. */
export const canShiftGroups = (actor: { roles: readonly Role[] }): boolean => scheduleScope(actor) === 'all'

/** Whether the actor may set the working hours of the school. */
export const canChangeWorkingHours = (actor: { roles: readonly Role[] }): boolean =>
  hasRole(actor, ['OWNER', 'DIRECTOR'])
