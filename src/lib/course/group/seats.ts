import { and, count, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { accessGrant, studyGroup } from '../learning/table.ts'
import { groupStatusOf } from './rules.ts'

/**
 * Refuses with unprocessable (group_full with the number of free seats, group_finished, group_archived) unless a group
 * has room for this many more students. The course is locked by the caller, so that concurrent additions count one
 * after another.
 */
export async function requireSeats(tx: Tx, groupId: string, newMembers: number): Promise<void> {
  if (newMembers === 0) return
  const { seats, startAt, endAt, finishedAt, archivedAt } = studyGroup
  const [group] = await tx
    .select({ seats, startAt, endAt, finishedAt, archivedAt })
    .from(studyGroup)
    .where(eq(studyGroup.id, groupId))
  if (!group) throw new Refusal('not_found')
  const status = groupStatusOf(group, new Date())
  if (status === 'archived') throw seatRefusal('group_archived')
  if (status === 'finished') throw seatRefusal('group_finished')
  if (group.seats === null) return
  const free = Math.max(0, group.seats - (await countMembers(tx, groupId)))
  if (newMembers > free) throw seatRefusal('group_full', free)
}

/** How many students a group has. */
export async function countMembers(tx: Tx, groupId: string): Promise<number> {
  const [row] = await tx
    .select({ members: count() })
    .from(accessGrant)
    .where(and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId), isEnrolled))
  return row?.members ?? 0
}

/** Refuses with unprocessable (group_full) when an undone change has left a group of the course with too many members. */
export async function requireSeatsKept(tx: Tx, courseId: string): Promise<void> {
  const { rows } = await tx.execute(sql`select 1 from study_group g
    where g.tenant_id = current_tenant() and g.course_id = ${courseId} and g.seats < (
      select count(*) from enrolled_grants() a where a.source_type = 'group' and a.source_id = g.id) limit 1`)
  if (rows.length > 0) throw seatRefusal('group_full', 0)
}

const seatRefusal = (reason: 'group_full' | 'group_finished' | 'group_archived', free?: number) =>
  new Refusal('unprocessable', {
    fields: { form: [reason] },
    ...(free === undefined ? {} : { data: { free }, variables: { free } }),
  })
