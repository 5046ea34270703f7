import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { isPathSafeId } from '#lib/core/files/key.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileFailure, UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/stored-file.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireAreaAccess, requireUploadWrite } from '../permission.ts'
import { file, fileState, upload } from '../table.ts'
import { releaseReservation } from './quota.ts'
import { abandonAt } from './upload.ts'

/**
 * Aborts an upload of the actor; a second call changes nothing. Refuses with forbidden, plan_inactive, not_found, and
 * with unprocessable (upload_finished) when the file is in the storage already.
 */
export async function abortUpload(actor: Actor, input: { uploadId: string }): Promise<void> {
  requireUploadWrite(actor)
  const { uploadId } = input
  await inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ state: upload.state, area: upload.area })
      .from(upload)
      .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
      .for('update')
    if (!row) throw new Refusal('not_found')
    requireAreaAccess(actor, row.area)
    if (row.state === 'uploadFinished') throw new Refusal('unprocessable', { fields: { file: ['upload_finished'] } })
    await failUpload(tx, actor.tenantId, uploadId, 'canceled')
  })
}

interface UploadJob {
  tenantId: string
  uploadId: string
}

/** Fails an upload without activity for a day; otherwise checks again later. */
export async function abandonUpload({ tenantId, uploadId }: UploadJob): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const [row] = await tx
      .select({ touchedAt: upload.touchedAt })
      .from(upload)
      .where(and(eq(upload.id, uploadId), eq(upload.state, 'uploadStarted')))
      .for('update')
    if (!row) return
    const startAfter = abandonAt(row.touchedAt)
    if (startAfter <= new Date()) return failUpload(tx, tenantId, uploadId, 'abandoned')
    await enqueueJob('storage.abandon', { tenantId, uploadId }, { startAfter, singletonKey: uploadId })
  })
}

/**
 * Records the failure of an upload, releases its reservation and queues the removal of its bytes, in one transaction.
 * Nothing happens for an upload that has ended. Has to be the last statement of a transaction.
 */
export async function failUpload(tx: Tx, tenantId: string, uploadId: string, failure: FileFailure): Promise<void> {
  const [failed] = await tx
    .update(upload)
    .set({ state: 'uploadFailed', failure, endedAt: new Date() })
    .where(and(eq(upload.id, uploadId), eq(upload.state, 'uploadStarted')))
    .returning({ size: upload.size, storeId: upload.storeId, parentId: upload.parentId })
  if (!failed) return
  await releaseReservation(tx, tenantId, failed.size)
  await tx.insert(fileState).values({ tenantId, fileId: uploadId, event: 'uploadFailed', detail: failure })
  await enqueueJob('storage.discardUpload', { tenantId, uploadId, storeId: failed.storeId })
  await publishStorageEvent({ fileId: uploadId, event: 'uploadFailed', folderId: failed.parentId })
}

/**
 * Removes parts without a running upload: their row was rolled back, or the job that removes them has failed. Returns
 * the number of uploads.
 */
export async function removeOrphanedParts(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - 2 * UPLOAD_TIMEOUT_HOURS * HOUR_MS)
  let removed = 0
  for await (const { tenantId, uploadId } of store.listStaleUploads(before)) {
    if (!isPathSafeId(tenantId) || !isPathSafeId(uploadId)) continue
    const isRunning = and(eq(upload.storeId, uploadId), eq(upload.state, 'uploadStarted'))
    const running = await inTenant({ tenantId }, (tx) => tx.select({ id: upload.id }).from(upload).where(isRunning))
    if (running.length > 0) continue
    // The disk store uses only the tenant of the key.
    await store.abortParts(objectKey(tenantId, uploadId), uploadId)
    removed += 1
  }
  return removed
}

/** Removes the objects of a failed upload. */
export async function discardUpload({ tenantId, uploadId, storeId }: UploadJob & { storeId: string }): Promise<void> {
  await store.abortParts(objectKey(tenantId, uploadId), storeId)
  const files = await inTenant({ tenantId }, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.id, uploadId)))
  if (files.length === 0) await store.removeFile(tenantId, uploadId)
}
