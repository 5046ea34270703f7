import { and, asc, eq, lte } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { isPathSafeId } from '#lib/core/files/key.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileFailure, UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/stored-file.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireAreaAccess, requireUploadWrite } from '../permission.ts'
import { file, fileState, upload } from '../table.ts'
import { releaseReservation } from './quota.ts'
import { ABANDON_JOB, enqueueAbandonment } from './upload.ts'

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

/**
 * Fails the uploads of a school that had no activity for a day. While others are running, the job is added again for the
 * time at which the first of them may fail. Jobs of earlier versions have an `uploadId` too and do the same.
 */
export async function abandonUploads({ tenantId }: { tenantId: string }, now = new Date()): Promise<void> {
  const due = new Date(now.getTime() - UPLOAD_TIMEOUT_HOURS * HOUR_MS)
  const inactive = await inTenant({ tenantId }, async (tx) => {
    const running = await tx
      .select({ id: upload.id, touchedAt: upload.touchedAt })
      .from(upload)
      .where(eq(upload.state, 'uploadStarted'))
      .orderBy(asc(upload.touchedAt))
    const next = running.find(({ touchedAt }) => touchedAt > due)
    if (next) await enqueueAbandonment(tenantId, next.touchedAt)
    return running.filter(({ touchedAt }) => touchedAt <= due)
  })
  await forEachItem({ job: ABANDON_JOB, tenantId, items: inactive, idOf: ({ id }) => id }, ({ id }) =>
    inTenant({ tenantId }, async (tx) => {
      const [row] = await tx
        .select({ id: upload.id })
        .from(upload)
        .where(and(eq(upload.id, id), eq(upload.state, 'uploadStarted'), lte(upload.touchedAt, due)))
        .for('update')
      if (row) await failUpload(tx, tenantId, id, 'abandoned')
    }),
  )
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
