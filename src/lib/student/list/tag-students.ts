import type { Tx } from '#lib/core/db/db.ts'
import { studentTag } from '../table.ts'

/** Gives a tag to students; those who have it keep it. In the transaction of the cause. */
export async function tagStudents(tx: Tx, tenantId: string, studentIds: readonly string[], tag: string): Promise<void> {
  const rows = [...new Set(studentIds)].map((studentId) => ({ tenantId, studentId, tag }))
  if (rows.length > 0) await tx.insert(studentTag).values(rows).onConflictDoNothing()
}
