import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { type Actor, type RequestingActor, toRequestingActor } from '#lib/core/shared/actor.ts'
import { isWordName, type TransferState } from '#lib/core/shared/learning.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { countCourses } from '../insert-course.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import { course } from '../table.ts'
import { previewUploadedPackage } from './package/worker-task.ts'
import type { DocumentPreview, PreviewImport, StartImport } from './schema.ts'
import { transfer } from './table.ts'

/** The import job; it runs in the homework module, which adds tasks. */
export const IMPORT_JOB = 'course.import'
export const IMPORT_HOURS = 6
/** Number of transfers in the list. */
const MAX_TRANSFERS = 10

export interface ImportJob {
  tenantId: string
  transferId: string
  requestingActor: RequestingActor
}

/**
 * Starts the import of a stored file into a new course, as a job. While the same file is being imported, a second call
 * returns the id of the first. Refuses with forbidden, plan_inactive, not_found, or unprocessable when the plan's
 * number of courses is used up.
 */
export async function startCourseImport(actor: Actor, input: StartImport): Promise<{ transferId: string }> {
  requireCourseEditor(actor)
  const { fileId, split = null } = input
  const { name } = await findFile(actor, fileId)
  return inTenant(actor, async (tx) => {
    await lockUntilCommit(tx, 'import', fileId)
    const running = await findRunning(tx, fileId)
    if (running) return running
    requireWithinLimit(actor, 'course_count', await countCourses(tx))
    const requestingActor = toRequestingActor(actor)
    const [created] = await tx
      .insert(transfer)
      .values({ tenantId: actor.tenantId, fileId, fileName: name, by: actor.membershipId, split, requestingActor })
      .returning({ transferId: transfer.id })
    if (!created) throw new Error('a transfer that was inserted is not there')
    await enqueueJob(
      IMPORT_JOB,
      { tenantId: actor.tenantId, transferId: created.transferId, requestingActor },
      { singletonKey: created.transferId, timeoutHours: IMPORT_HOURS },
    )
    return created
  })
}

/**
 * The lessons that each way to split a stored Word document would create; null for a file of another format. Refuses
 * with forbidden, plan_inactive, not_found, and as a package is refused.
 */
export async function previewImport(actor: Actor, input: PreviewImport): Promise<DocumentPreview | null> {
  requireCourseEditor(actor)
  const { fileId } = input
  const { name } = await findFile(actor, fileId)
  if (!isWordName(name)) return null
  return withTemporaryFolder(async (scratch) => {
    const localFile = await store.openLocalCopy(`${actor.tenantId}/${fileId}`, scratch)
    if (!localFile) throw new Refusal('not_found')
    try {
      return await previewUploadedPackage({ path: localFile.path, name, scratch })
    } finally {
      await localFile.done()
    }
  })
}

export type CourseTransferView = Awaited<ReturnType<typeof getTransfer>>

/** Progress and report of an import. Refuses with forbidden, not_found. */
export async function getTransfer(actor: Actor, input: { transferId: string }) {
  requireCourseViewer(actor)
  const { transferId } = input
  const [row] = await inTenant(actor, (tx) =>
    tx.select(viewFields).from(transfer).leftJoin(course, joinCourse).where(eq(transfer.id, transferId)),
  )
  if (!row) throw new Refusal('not_found')
  return row
}

/** The actor's own imports, newest first, at most ten. Refuses with forbidden. */
export async function listTransfers(actor: Actor): Promise<CourseTransferView[]> {
  requireCourseViewer(actor)
  return inTenant(actor, (tx) =>
    tx
      .select(viewFields)
      .from(transfer)
      .leftJoin(course, joinCourse)
      .where(and(eq(transfer.tenantId, actor.tenantId), eq(transfer.by, actor.membershipId)))
      .orderBy(desc(transfer.createdAt), desc(transfer.id))
      .limit(MAX_TRANSFERS),
  )
}

type TransferChange = Partial<
  Pick<typeof transfer.$inferInsert, 'state' | 'progress' | 'courseId' | 'failure' | 'report'>
>

/** Updates a transfer; a finished one stays unchanged. Returns whether it was in progress. */
export async function updateTransfer(tenantId: string, transferId: string, change: TransferChange): Promise<boolean> {
  const isEnded = change.state === 'done' || change.state === 'failed'
  const changed = await inTenant({ tenantId }, (tx) =>
    tx
      .update(transfer)
      .set({ ...change, ...(isEnded ? { endedAt: new Date() } : {}) })
      .where(and(eq(transfer.id, transferId), ne(transfer.state, 'done'), ne(transfer.state, 'failed')))
      .returning({ id: transfer.id }),
  )
  return changed.length > 0
}

/** Source and state of an import; null when its file, and with it the transfer, was deleted. */
export async function findImport(tenantId: string, transferId: string) {
  const { fileId, fileName, split, state } = transfer
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx.select({ fileId, fileName, split, state }).from(transfer).where(eq(transfer.id, transferId)),
  )
  return row ?? null
}

const joinCourse = and(eq(course.tenantId, transfer.tenantId), eq(course.id, transfer.courseId))

const viewFields = {
  id: transfer.id,
  fileName: transfer.fileName,
  state: sql<TransferState>`${transfer.state}`,
  progress: transfer.progress,
  courseId: transfer.courseId,
  courseTitle: course.title,
  failure: transfer.failure,
  report: transfer.report,
  createdAt: transfer.createdAt,
}

async function findRunning(tx: Tx, fileId: string) {
  const [row] = await tx
    .select({ transferId: transfer.id })
    .from(transfer)
    .where(and(eq(transfer.fileId, fileId), sql`${transfer.state} in ('queued', 'running')`))
    .limit(1)
  return row
}
