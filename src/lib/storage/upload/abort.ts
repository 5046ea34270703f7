import { and, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { isId } from '#lib/core/files/key.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileFailure, UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/stored-file.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireAreaAccess, requireUploadWrite } from '../permission.ts'
import { UploadRef } from '../schema.ts'
import { file, fileState, upload } from '../table.ts'
import { releaseReservation } from './quota.ts'
import { abandonAt } from './upload.ts'

/**
 * Ends one of the own uploads; a second call changes nothing. Refuses with forbidden, plan_inactive, not_found, and
 * with unprocessable (upload_finished) when the file is in the storage already.
 */
export async function abortUpload(actor: Actor, input: { uploadId: string }): Promise<void> {
  requireUploadWrite(actor)
  const { uploadId } = UploadRef.parse(input)
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

/** Fails an upload in which nothing happened for a day; waits on while something does. */
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
 * Writes down why an upload failed, gives its promise back and has its bytes removed, all or nothing. Nothing happens
 * to one that has ended already. The last statement of a transaction.
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
 * Removes parts that no upload under way belongs to: their row went with a failed transaction, or the job that was to
 * remove them failed for good. Returns how many uploads.
 */
export async function removeOrphanedParts(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - 2 * UPLOAD_TIMEOUT_HOURS * 3_600_000)
  let removed = 0
  for await (const { tenantId, uploadId } of store.silentUploads(before)) {
    if (!isId(tenantId) || !isId(uploadId)) continue
    const isRunning = and(eq(upload.storeId, uploadId), eq(upload.state, 'uploadStarted'))
    const running = await inTenant({ tenantId }, (tx) => tx.select({ id: upload.id }).from(upload).where(isRunning))
    if (running.length > 0) continue
    // On a disk the key says no more than the tenant.
    await store.abortParts(objectKey(tenantId, uploadId), uploadId)
    removed += 1
  }
  return removed
}

/** Removes what a failed upload has left in the object store. */
export async function discardUpload({ tenantId, uploadId, storeId }: UploadJob & { storeId: string }): Promise<void> {
  await store.abortParts(objectKey(tenantId, uploadId), storeId)
  const files = await inTenant({ tenantId }, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.id, uploadId)))
  if (files.length === 0) await store.removeFile(tenantId, uploadId)
}
