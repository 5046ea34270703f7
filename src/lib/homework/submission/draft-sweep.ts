import { and, eq, lt, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { purgeAreaFiles } from '#lib/storage/trash.ts'
import { submission } from '../table.ts'
import { isReferenced } from './files.ts'
import { DRAFT_DAYS } from './schema.ts'

const BATCH = 200

/**
 * Removes the files of drafts without changes for DRAFT_DAYS in all tenants; the text is kept. Returns the number of
 * files.
 */
export async function sweepDrafts(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - DRAFT_DAYS * DAY_MS)
  return forEachTenant({ job: 'homework.sweepDrafts', dueSql: STALE_DRAFTS, now: before }, async (id) => {
    let removed = 0
    for (let files = await detachStaleFiles(id, before); files !== null; files = await detachStaleFiles(id, before)) {
      await purgeAreaFiles(id, 'homework', files)
      removed += files.length
    }
    return removed
  })
}

const STALE_DRAFTS = "select 1 from submission where state = 'draft' and updated_at < $1 and cardinality(file_ids) > 0"

/**
 * Detaches the files of a batch of stale drafts. Returns those that no attempt uses any more; null when there is no
 * such draft.
 */
function detachStaleFiles(tenantId: string, before: Date): Promise<string[] | null> {
  return inTenant({ tenantId }, async (tx) => {
    const rows = await tx
      .select({
        id: submission.id,
        fileIds: submission.fileIds,
        taskId: submission.taskId,
        studentId: submission.studentId,
      })
      .from(submission)
      .where(
        and(
          eq(submission.state, 'draft'),
          lt(submission.updatedAt, before),
          sql`cardinality(${submission.fileIds}) > 0`,
        ),
      )
      .limit(BATCH)
      .for('update', { skipLocked: true })
    if (rows.length === 0) return null
    for (const { id } of rows) await tx.update(submission).set({ fileIds: [] }).where(eq(submission.id, id))
    const unreferenced: string[] = []
    for (const row of rows) {
      for (const fileId of row.fileIds) if (!(await isReferenced(tx, fileId, row))) unreferenced.push(fileId)
    }
    return unreferenced
  })
}
