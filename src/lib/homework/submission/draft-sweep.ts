import { and, eq, lt, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { dropFiles } from '#lib/storage/trash.ts'
import { submission } from '../table.ts'
import { isKept } from './files.ts'
import { DRAFT_DAYS } from './schema.ts'

const DAY = 86_400_000
const BATCH = 200

/** Removes the files of drafts that nobody has touched for DRAFT_DAYS, in all schools; the words stay. Answers how many. */
export async function sweepDrafts(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - DRAFT_DAYS * DAY)
  return forEachTenant({ job: 'homework.sweepDrafts', dueSql: OLD_DRAFTS, now: before }, async (id) => {
    let swept = 0
    for (let files = await letGo(id, before); files !== null; files = await letGo(id, before)) {
      await dropFiles(id, 'homework', files)
      swept += files.length
    }
    return swept
  })
}

const OLD_DRAFTS = "select 1 from submission where state = 'draft' and updated_at < $1 and cardinality(file_ids) > 0"

/** Files that drafts do not have any more; null when there are no such drafts left. */
function letGo(tenantId: string, before: Date): Promise<string[] | null> {
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
    const gone: string[] = []
    for (const row of rows) {
      for (const fileId of row.fileIds) if (!(await isKept(tx, fileId, row))) gone.push(fileId)
    }
    return gone
  })
}
