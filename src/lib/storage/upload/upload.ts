import { and, asc, eq, isNull, lt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { requireDiskSpace } from '#lib/core/files/disk-space.ts'
import { store } from '#lib/core/files/files.ts'
import type { UploadedPart } from '#lib/core/files/store.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type FileArea, HEAD_BYTES, MAX_FILE_BYTES, UPLOAD_TIMEOUT_HOURS } from '#lib/core/shared/stored-file.ts'
import { HOUR_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { fileViewColumns, type StoredFileView } from '../file-view.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireAreaAccess, requireStorageAccess, requireStorageWrite, requireUploadWrite } from '../permission.ts'
import type { FindDuplicate, SignPart, StartUpload } from '../schema.ts'
import { file, fileState, upload } from '../table.ts'
import { detectFileType, type FileType } from './kind.ts'
import { reserveBytes } from './quota.ts'

const PART_SECONDS = HOUR_SECONDS
/** Unfinished uploads that a page offers to resume. */
const MAX_LISTED = 100

/**
 * Starts an upload after all checks that are possible before the first byte. Refuses, in this order, with forbidden,
 * plan_inactive, invalid (file_empty), too_large, wrong_type (file_type for programs, file_differs for an extension
 * that does not match), not_found for the folder, disk_full, unprocessable (storage_full).
 */
export async function startUpload(actor: Actor, input: StartUpload) {
  requireStorageWrite(actor)
  return createUpload(actor, input)
}

/** What another module specifies for an upload into its area. */
export interface UploadTarget {
  area: FileArea
  /** Size limit in bytes; without it the limit of the storage. */
  maxBytes?: number
  /** Refuses an actor without permission, before the first bytes are examined. */
  authorize?: (tx: Tx) => Promise<void>
  /** In the transaction that starts the upload: records its purpose, or refuses. */
  accept: (tx: Tx, upload: { id: string; name: string; size: number; kind: FileType['kind'] }) => Promise<void>
}

/**
 * Starts an upload for another module, which has checked the permission. Refuses as startUpload, except for forbidden
 * and plan_inactive, and with the refusals of `accept`.
 */
export async function startTargetedUpload(actor: Actor, input: Omit<StartUpload, 'parentId'>, target: UploadTarget) {
  return createUpload(actor, { ...input, parentId: null }, target)
}

async function createUpload(actor: Actor, values: StartUpload, target?: UploadTarget) {
  if (values.size === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] } })
  const maxBytes = Math.min(target?.maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES)
  if (values.size > maxBytes) {
    const variables = { max: maxBytes }
    throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables })
  }
  const { authorize } = target ?? {}
  if (authorize) await inTenant(actor, authorize)
  const fileType = await requireFileType(values)
  const id = newId()
  const key = objectKey(actor.tenantId, id)
  const storeId = await store.startParts(key)
  try {
    await inTenant(actor, async (tx) => {
      const { name, size } = values
      await target?.accept(tx, { id, name, size, kind: fileType.kind })
      await insertUpload(tx, actor, { ...values, ...fileType, id, storeId, area: target?.area ?? 'storage' })
    })
  } catch (error) {
    await store.abortParts(key, storeId)
    throw error
  }
  return { uploadId: id, partBytes: UPLOAD_PART_BYTES, parts: partCount(values.size) }
}

/**
 * Signs a URL to which this viewer may PUT one part for an hour; it is requested again after it has expired. Refuses
 * with forbidden, plan_inactive, not_found, gone when the upload has ended, invalid for a part number out of range,
 * disk_full.
 */
export async function signPart(actor: Actor, input: SignPart): Promise<{ url: string; expires: string }> {
  requireUploadWrite(actor)
  const { uploadId, number } = input
  const { size, storeId } = await inTenant(actor, async (tx) => {
    const row = await requireRunningUpload(tx, actor, uploadId)
    requireAreaAccess(actor, row.area)
    // Activity is recorded once a minute.
    await tx
      .update(upload)
      .set({ touchedAt: new Date() })
      .where(and(eq(upload.id, uploadId), lt(upload.touchedAt, sql`now() - interval '1 minute'`)))
    return row
  })
  if (number > partCount(size)) throw new Refusal('invalid', { fields: { number: ['format'] } })
  const partSize = number < partCount(size) ? UPLOAD_PART_BYTES : size - (number - 1) * UPLOAD_PART_BYTES
  await requireDiskSpace(partSize)
  const url = await store.signPart(objectKey(actor.tenantId, uploadId), {
    uploadId: storeId,
    number,
    holder: actor.viewer,
    ttlSeconds: PART_SECONDS,
    size: partSize,
  })
  return { url, expires: new Date(Date.now() + PART_SECONDS * 1000).toISOString() }
}

/** The uploaded parts. Refuses with not_found, gone. */
export async function listUploadParts(actor: Actor, input: { uploadId: string }): Promise<UploadedPart[]> {
  const { uploadId } = input
  const { storeId } = await inTenant(actor, (tx) => requireRunningUpload(tx, actor, uploadId))
  return store.listParts(objectKey(actor.tenantId, uploadId), storeId)
}

export interface UnfinishedUpload {
  id: string
  name: string
  size: number
  /** The same for the same file, so that the upload can be resumed. */
  sample: string
  parentId: string | null
  /** Uploads of homework are resumed on their own page. */
  area: FileArea
  /** Bytes of the uploaded parts. */
  uploadedBytes: number
}

/** The actor's unfinished uploads, the oldest first, a hundred at most. */
export async function listUploads(actor: Actor): Promise<UnfinishedUpload[]> {
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        id: upload.id,
        name: upload.name,
        size: upload.size,
        sample: upload.sample,
        parentId: upload.parentId,
        storeId: upload.storeId,
        area: upload.area,
      })
      .from(upload)
      .where(and(eq(upload.ownerId, actor.membershipId), eq(upload.state, 'uploadStarted')))
      .orderBy(asc(upload.createdAt))
      .limit(MAX_LISTED),
  )
  return Promise.all(
    rows.map(async ({ storeId, ...row }) => {
      const parts = await store.listParts(objectKey(actor.tenantId, row.id), storeId)
      return { ...row, uploadedBytes: parts.reduce((sum, { size }) => sum + size, 0) }
    }),
  )
}

/** A file with this sample in the storage, or null. Refuses with forbidden. */
export async function findDuplicate(actor: Actor, input: FindDuplicate): Promise<StoredFileView | null> {
  requireStorageAccess(actor)
  const { sample, size } = input
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select(fileViewColumns)
      .from(file)
      .where(
        and(
          eq(file.tenantId, actor.tenantId),
          eq(file.sample, sample),
          eq(file.size, size),
          isNull(file.deletedAt),
          ne(file.kind, 'folder'),
          eq(file.area, 'storage'),
        ),
      )
      .limit(1),
  )
  return row ?? null
}

export const ABANDON_JOB = 'storage.abandon'

/**
 * Adds the job that fails inactive uploads of a school, for an upload with its last activity at `touchedAt`. One waits for
 * each school: the time of the first upload is early enough for later ones.
 */
export function enqueueAbandonment(tenantId: string, touchedAt: Date): Promise<void> {
  const startAfter = new Date(touchedAt.getTime() + UPLOAD_TIMEOUT_HOURS * HOUR_MS)
  return enqueueJob(ABANDON_JOB, { tenantId }, { startAfter, singletonKey: tenantId })
}

const partCount = (size: number): number => Math.ceil(size / UPLOAD_PART_BYTES)

async function requireFileType({ head, name }: { head: string; name: string }): Promise<FileType> {
  const bytes = Buffer.from(head, 'base64').subarray(0, HEAD_BYTES)
  if (bytes.length === 0) throw new Refusal('invalid', { fields: { head: ['required'] } })
  const fileType = await detectFileType(bytes, name)
  if (typeof fileType === 'object') return fileType
  const key = fileType === 'type_refused' ? 'file_type' : 'file_differs'
  throw new Refusal('wrong_type', { fields: { file: [key] }, variables: { name } })
}

type NewUpload = z.output<typeof StartUpload> & FileType & { id: string; storeId: string; area: FileArea }

async function insertUpload(tx: Tx, actor: Actor, values: NewUpload): Promise<void> {
  const { id, parentId, storeId, name, kind, mime, size, sample, area } = values
  if (parentId !== null) {
    const [folder] = await tx
      .select({ id: file.id })
      .from(file)
      .where(and(eq(file.id, parentId), eq(file.kind, 'folder'), isNull(file.deletedAt)))
    if (!folder) throw new Refusal('not_found')
  }
  await reserveBytes(tx, actor, size)
  const owner = { tenantId: actor.tenantId, ownerId: actor.membershipId }
  await tx.insert(upload).values({ ...owner, id, parentId, storeId, name, kind, mime, size, sample, area })
  await tx.insert(fileState).values({ tenantId: actor.tenantId, fileId: id, event: 'uploadStarted' })
  await enqueueAbandonment(actor.tenantId, new Date())
  await publishStorageEvent({ fileId: id, event: 'uploadStarted', folderId: parentId })
}

async function requireRunningUpload(tx: Tx, actor: Actor, uploadId: string) {
  const [row] = await tx
    .select({ size: upload.size, storeId: upload.storeId, state: upload.state, area: upload.area })
    .from(upload)
    .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
  if (!row) throw new Refusal('not_found')
  if (row.state !== 'uploadStarted') throw new Refusal('gone')
  return row
}
