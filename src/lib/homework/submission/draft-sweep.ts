import { and, eq, lt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { moveAreaFilesToTrash, purgeAreaFiles } from '#lib/storage/trash.ts'
import { submission } from '../table.ts'
import { isReferenced } from './files.ts'
import { DRAFT_DAYS } from './schema.ts'

/**
 * Removes the files of drafts without changes for DRAFT_DAYS in all tenants; the text is kept. Returns the number of
 * files.
 */
export async function sweepDrafts(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - DRAFT_DAYS * DAY_MS)
  return forEachTenant({ job: 'homework.sweepDrafts', dueSql: STALE_DRAFTS, now: before }, async (tenantId) => {
    const items = await inTenant({ tenantId }, (tx) =>
      tx.select({ id: submission.id }).from(submission).where(isStale(before)),
    )
    const task = { job: 'homework.sweepDrafts', tenantId, items, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, async ({ id }) => {
      const files = await inTenant({ tenantId }, (tx) => detachStaleFiles(tx, id, before))
      await purgeAreaFiles(tenantId, 'homework', files)
      return files.length
    })
  })
}

const STALE_DRAFTS = "select 1 from submission where state = 'draft' and updated_at < $1 and cardinality(file_ids) > 0"

const isStale = (before: Date) =>
  and(eq(submission.state, 'draft'), lt(submission.updatedAt, before), sql`cardinality(${submission.fileIds}) > 0`)

/** Detaches the files of a draft, and moves those to the trash that no attempt uses any more. Returns these. */
async function detachStaleFiles(tx: Tx, submissionId: string, before: Date): Promise<string[]> {
  const [row] = await tx
    .select({ fileIds: submission.fileIds, taskId: submission.taskId, studentId: submission.studentId })
    .from(submission)
    .where(and(eq(submission.id, submissionId), isStale(before)))
    .for('update', { skipLocked: true })
  if (!row) return []
  await tx.update(submission).set({ fileIds: [] }).where(eq(submission.id, submissionId))
  const unreferenced: string[] = []
  for (const fileId of row.fileIds) if (!(await isReferenced(tx, fileId, row))) unreferenced.push(fileId)
  await moveAreaFilesToTrash(tx, 'homework', unreferenced)
  return unreferenced
}
