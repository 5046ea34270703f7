import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { addGrant } from '#lib/course/access/grants.ts'
import { endMembership } from '#lib/course/group/end-membership.ts'
import { courseIdOfGroup } from '#lib/course/group/group.ts'
import type { Match } from './find-matches.ts'
import { type AutomationRow, automationRun } from './table.ts'

/**
 * Gives students a course, adds them to a group or removes them from one. Students for whom it is impossible (the group is
 * full or finished, the course archived) are refused in the log; the others are not affected.
 */
export async function changeAccessOfStudents(tx: Tx, row: AutomationRow, matches: readonly Match[]): Promise<void> {
  for (const match of matches) {
    const reason = await changeAccessOf(tx, row, match.studentId).then(() => null, refusalReason)
    if (reason) await refuseRun(tx, row, match, reason)
  }
}

async function changeAccessOf(tx: Tx, row: AutomationRow, studentId: string): Promise<unknown> {
  const system = { tenantId: row.tenantId, membershipId: null }
  if (row.action === 'giveCourse' && row.givenCourseId) {
    const source = { type: 'manual' as const, id: null }
    return addGrant(tx, system, { courseId: row.givenCourseId, studentId, source })
  }
  const { groupId } = row
  if (!groupId) throw new Refusal('not_found')
  const courseId = await courseIdOfGroup(tx, groupId)
  if (row.action === 'removeFromGroup') return endMembership(tx, system, { courseId, groupId, studentId })
  return addGrant(tx, system, { courseId, studentId, source: { type: 'group', id: groupId } })
}

/** The refusals of these functions precede their writes, so that the transaction can continue. */
function refusalReason(error: unknown): string {
  if (!(error instanceof Refusal)) throw error
  return Object.values(error.details.fields ?? {})[0]?.[0] ?? error.code
}

async function refuseRun(
  tx: Tx,
  { id, tenantId }: AutomationRow,
  { studentId, cause }: Match,
  reason: string,
): Promise<void> {
  await tx
    .update(automationRun)
    .set({ result: 'refused', reason })
    .where(
      and(
        eq(automationRun.tenantId, tenantId),
        eq(automationRun.automationId, id),
        eq(automationRun.studentId, studentId),
        eq(automationRun.cause, cause),
      ),
    )
}
