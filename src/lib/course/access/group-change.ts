import { Refusal } from '#lib/core/http/refusal.ts'
import type { AccessPlan } from './change-plan.ts'
import type { CourseRoster } from './course-roster.ts'
import type { AccessAction } from './schema.ts'

/** The group that a change adds students to. */
export const joinedGroupId = (change: AccessAction): string | null =>
  change.action === 'addToGroup' || change.action === 'moveToGroup' ? change.groupId : null

/** How many students a plan adds to a group; those who are its members already take no seat. */
export function countJoining({ grants, newGrants }: AccessPlan, { rows }: CourseRoster, groupId: string): number {
  const ofGroup = new Set(rows.flatMap(({ grant }) => (grant?.sourceId === groupId ? [grant.id] : [])))
  return newGrants.length + grants.filter(({ id, after }) => ofGroup.has(id) && !after.revokedAt).length
}

/** Refuses with not_found unless all students have, or had, a grant of the group: a second removal is no error. */
export function requireMembers({ rows, students }: CourseRoster, groupId: string): void {
  const members = new Set(rows.flatMap(({ grant, studentId }) => (grant?.sourceId === groupId ? [studentId] : [])))
  if (students.some(({ studentId }) => !members.has(studentId))) throw new Refusal('not_found')
}

/** PostgreSQL accepts 65,535 parameters in a statement. */
export function* inBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += 4000) yield items.slice(start, start + 4000)
}
