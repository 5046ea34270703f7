import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileFailure, HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { fileViewColumns, type StoredFileView } from '../file-view.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireAreaAccess, requireUploadWrite } from '../permission.ts'
import { file, fileState, upload } from '../table.ts'
import { queueVideo } from '../video/video.ts'
import { failUpload } from './abort.ts'
import { queueExamination } from './examine.ts'
import { classIdRange, isInstaller } from './installer.ts'
import { detectFileType, type FileType } from './kind.ts'
import { commitReservation } from './quota.ts'

/**
 * Creates the file of an upload whose parts are complete. The type and size are checked again on the uploaded bytes. A
 * repeated call continues where the first one stopped and returns the same. Refuses with forbidden, plan_inactive,
 * not_found, gone when the upload has failed, unprocessable (upload_incomplete) while parts are missing: then it can be
 * continued; with wrong_type (file_type, file_differs) and unprocessable (upload_differs) permanently.
 */
export async function finishUpload(actor: Actor, input: { uploadId: string }): Promise<StoredFileView> {
  requireUploadWrite(actor)
  const { uploadId } = input
  const row = await inTenant(actor, (tx) => loadUpload(tx, actor, uploadId))
  requireAreaAccess(actor, row.area)
  if (row.state === 'uploadFailed') throw new Refusal('gone')
  if (row.state === 'uploadFinished') return inTenant(actor, (tx) => loadFileView(tx, uploadId))
  await joinParts(actor, row)
  const fileType = await detectType(actor, row)
  if (typeof fileType === 'string') {
    await inTenant(actor, (tx) => failUpload(tx, actor.tenantId, uploadId, fileType))
    throw typeRefusal(fileType, row.name)
  }
  const created = await inTenant(actor, (tx) => createFile(tx, actor, row, fileType))
  if (created) return created
  // The upload was aborted while its parts were joined: the object must not remain.
  await store.removeFile(actor.tenantId, uploadId)
  throw new Refusal('gone')
}

type Upload = Awaited<ReturnType<typeof loadUpload>>

async function loadUpload(tx: Tx, actor: Actor, uploadId: string, lock = false) {
  const { id, parentId, name, size, sample, storeId, state, area } = upload
  const query = tx
    .select({ id, parentId, name, size, sample, storeId, state, area })
    .from(upload)
    .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw new Refusal('not_found')
  return row
}

async function loadFileView(tx: Tx, fileId: string): Promise<StoredFileView> {
  const [row] = await tx
    .select(fileViewColumns)
    .from(file)
    .where(and(eq(file.id, fileId), isNull(file.deletedAt)))
  if (!row) throw new Refusal('not_found')
  return row
}

/** Joins the parts, unless a concurrent call has joined them. */
async function joinParts(actor: Actor, { id, size, storeId }: Upload): Promise<void> {
  const key = objectKey(actor.tenantId, id)
  let failure: unknown = new Refusal('unprocessable', { fields: { file: ['upload_incomplete'] } })
  for (let check = 1; !(await isJoined(actor, id)); check += 1) {
    // A concurrent call may be joining the parts: check again.
    if (check > MAX_CHECKS) throw failure
    if (check > 1) await setTimeout(CHECK_INTERVAL_MS)
    const parts = await store.listParts(key, storeId)
    if (parts.length < Math.ceil(size / UPLOAD_PART_BYTES)) continue
    await store.finishParts(key, storeId).catch((error: unknown) => {
      failure = error
    })
  }
}

const MAX_CHECKS = 3
const CHECK_INTERVAL_MS = 150

/** Whether the object exists. Refuses with gone when the upload was aborted meanwhile. */
async function isJoined(actor: Actor, id: string): Promise<boolean> {
  if (await store.stat(objectKey(actor.tenantId, id))) return true
  const { state } = await inTenant(actor, (tx) => loadUpload(tx, actor, id))
  if (state === 'uploadFailed') throw new Refusal('gone')
  return false
}

async function detectType(actor: Actor, { id, name, size }: Upload): Promise<FileType | FileFailure> {
  const key = objectKey(actor.tenantId, id)
  const stored = await store.stat(key)
  if (stored?.size !== size) return 'size_differs'
  const head = await readRange(key, { start: 0, end: Math.min(size, HEAD_BYTES) - 1 })
  const range = classIdRange(head, size)
  if (range && isInstaller(await readRange(key, range))) return 'type_refused'
  return detectFileType(head, name)
}

async function readRange(key: string, range: { start: number; end: number }): Promise<Buffer> {
  const bytes = await store.read(key, { range })
  return bytes ? buffer(bytes) : Buffer.alloc(0)
}

/** Null when the upload has failed meanwhile, or fails because it grew after its parts were joined. */
async function createFile(
  tx: Tx,
  actor: Actor,
  joined: Upload,
  { kind, mime }: FileType,
): Promise<StoredFileView | null> {
  const { id: uploadId, parentId, name, size, state, area } = await loadUpload(tx, actor, joined.id, true)
  if (state === 'uploadFailed') return null
  if (state === 'uploadFinished') return loadFileView(tx, uploadId)
  if (size !== joined.size) {
    await failUpload(tx, actor.tenantId, uploadId, 'size_differs')
    return null
  }
  const { tenantId, membershipId: ownerId } = actor
  const folderId = await findFolder(tx, parentId)
  const [created] = await tx
    .insert(file)
    .values({ tenantId, id: uploadId, parentId: folderId, area, kind, name, mime, size, ownerId })
    .returning(fileViewColumns)
  if (!created) throw new Error('a file that was inserted is not there')
  await tx
    .update(upload)
    .set({ state: 'uploadFinished', kind, mime, endedAt: new Date() })
    .where(eq(upload.id, uploadId))
  await commitReservation(tx, tenantId, size)
  await tx.insert(fileState).values({ tenantId, fileId: uploadId, event: 'uploadFinished' })
  await queueExamination(tenantId, uploadId)
  if (kind === 'video' || kind === 'audio') await queueVideo(tx, tenantId, uploadId)
  if (area === 'presentation')
    await enqueueJob('storage.convertPresentation', { tenantId, fileId: uploadId }, { singletonKey: uploadId })
  await publishStorageEvent({ fileId: uploadId, event: 'uploadFinished', folderId })
  return created
}

/** The folder, or the top level when it was deleted during the upload. */
async function findFolder(tx: Tx, parentId: string | null): Promise<string | null> {
  if (parentId === null) return null
  const [folder] = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, parentId), isNull(file.deletedAt)))
  return folder?.id ?? null
}

function typeRefusal(failure: FileFailure, name: string): Refusal {
  if (failure === 'size_differs') return new Refusal('unprocessable', { fields: { file: ['upload_differs'] } })
  const key = failure === 'type_refused' ? 'file_type' : 'file_differs'
  return new Refusal('wrong_type', { fields: { file: [key] }, variables: { name } })
}
