import { and, eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { listCurrentVacations } from '#lib/team/deputy.ts'
import { courseStaff } from './table.ts'

/**
 * The reviewer of a new submission or attempt: the deputy while its reviewer is on vacation, or while all curators of
 * its course are. Otherwise the reviewer is unchanged, and work without a reviewer is assigned to all curators of the
 * course.
 */
export async function chooseReviewer(
  tx: Tx,
  { assignedTo, courseId }: { assignedTo: string | null; courseId: string },
): Promise<string | null> {
  const deputies = await listCurrentVacations(tx)
  if (deputies.size === 0) return assignedTo
  if (assignedTo) return deputies.get(assignedTo) ?? assignedTo
  const curators = await tx
    .select({ memberId: courseStaff.memberId })
    .from(courseStaff)
    .where(and(eq(courseStaff.courseId, courseId), eq(courseStaff.role, 'curator')))
    .orderBy(courseStaff.memberId)
  const [first] = curators
  if (!first || curators.some(({ memberId }) => !deputies.has(memberId))) return null
  return deputies.get(first.memberId) ?? null
}
