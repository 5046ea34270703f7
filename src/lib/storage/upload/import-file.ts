import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sampledRanges, sampleFrom } from '#lib/core/shared/event/sample.ts'
import { type CaptionLang, HEAD_BYTES, MAX_FILE_BYTES } from '#lib/core/shared/stored-file.ts'
import { saveCaptionRow } from '../caption/caption.ts'
import { publishStorageEvent } from '../live.ts'
import { objectKey } from '../object-key.ts'
import { requireStorageWrite } from '../permission.ts'
import { FileName, type VideoChapter } from '../schema.ts'
import { file, fileState, video } from '../table.ts'
import { queueVideo } from '../video/video.ts'
import { queueExamination } from './examine.ts'
import { classIdRange, isInstaller } from './installer.ts'
import { detectFileType, type FileType } from './kind.ts'
import { countOriginalBytes, type StorageActor } from './quota.ts'
import type { UploadTarget } from './upload.ts'

export interface ImportedStorageFile {
  fileId: string
  kind: FileType['kind']
  mime: string
  name: string
  /** The storage had a file with the same content. */
  reused: boolean
}

export interface FileToImport {
  /** Local path. */
  path: string
  name: string
  description?: string
  folderId: string | null
  chapters?: VideoChapter[]
  captions?: { lang: CaptionLang; text: string; auto: boolean }[]
}

/**
 * Imports a file from an archive into the storage, as an upload of the actor. The same content is stored once: then the
 * existing file is returned. Refuses with forbidden, plan_inactive, invalid for an empty file, too_large, wrong_type
 * for programs and for an extension that does not match the content, unprocessable (storage_full).
 */
export async function importFile(actor: Actor, input: FileToImport): Promise<ImportedStorageFile> {
  requireStorageWrite(actor)
  return storeLocalFile(actor, input, { area: 'storage' })
}

/**
 * Stores a file that was posted with a form of another module, which has checked the permission. Refuses as importFile
 * does, except for forbidden and plan_inactive, and with the refusals of `accept`.
 */
export function importTargetedFile(
  actor: StorageActor,
  { path, name }: Pick<FileToImport, 'path' | 'name'>,
  target: UploadTarget,
): Promise<ImportedStorageFile> {
  return storeLocalFile(actor, { path, name, folderId: null }, target)
}

async function storeLocalFile(
  actor: StorageActor,
  input: FileToImport,
  { area, maxBytes = MAX_FILE_BYTES, accept }: Pick<UploadTarget, 'area' | 'maxBytes'> & Partial<UploadTarget>,
): Promise<ImportedStorageFile> {
  const name = FileName.parse(input.name)
  const { size } = await stat(input.path)
  if (size === 0) throw new Refusal('invalid', { fields: { file: ['file_empty'] }, variables: { name } })
  const max = Math.min(maxBytes, MAX_FILE_BYTES)
  if (size > max) throw new Refusal('too_large', { fields: { file: ['file_too_large'] }, variables: { name, max } })
  const { kind, mime } = await detectType(input.path, name, size)
  const sha256 = await hashFile(input.path)
  const known = area === 'storage' ? await inTenant(actor, (tx) => findSameContent(tx, actor, sha256, size)) : null
  if (known) return { ...known, reused: true }
  const id = newId()
  const { tenantId, membershipId: ownerId } = actor
  const placement = { description: input.description ?? '', parentId: input.folderId, area }
  const row = { tenantId, id, ownerId, name, kind, mime, size, sha256, ...placement }
  const sample = await sampleFile(input.path, size)
  await store.put(objectKey(tenantId, id), { path: input.path })
  try {
    await inTenant(actor, async (tx) => {
      await accept?.(tx, { id, name, size, kind })
      await countOriginalBytes(tx, actor, size)
      await tx.insert(file).values({ ...row, sample })
      await tx.insert(fileState).values({ tenantId, fileId: id, event: 'uploadFinished' })
      await queueExamination(tenantId, id)
      if (kind === 'video' || kind === 'audio') await importVideoData(tx, tenantId, id, input)
      await publishStorageEvent({ fileId: id, event: 'uploadFinished', folderId: input.folderId })
    })
  } catch (error) {
    await store.removeFile(tenantId, id)
    throw error
  }
  return { fileId: id, kind, mime, name, reused: false }
}

async function detectType(path: string, name: string, size: number): Promise<FileType> {
  const head = await readRange(path, { start: 0, end: Math.min(size, HEAD_BYTES) })
  const range = classIdRange(head, size)
  const isProgram = range && isInstaller(await readRange(path, { start: range.start, end: range.end + 1 }))
  const known = isProgram ? 'type_refused' : await detectFileType(head, name)
  if (typeof known === 'object') return known
  const key = known === 'type_refused' ? 'file_type' : 'file_differs'
  throw new Refusal('wrong_type', { fields: { file: [key] }, variables: { name } })
}

async function findSameContent(tx: Tx, actor: Pick<Actor, 'tenantId'>, sha256: string, size: number) {
  const [row] = await tx
    .select({ fileId: file.id, kind: file.kind, mime: file.mime, name: file.name })
    .from(file)
    .where(
      and(
        eq(file.tenantId, actor.tenantId),
        eq(file.size, size),
        eq(file.sha256, sha256),
        eq(file.area, 'storage'),
        ne(file.kind, 'folder'),
        isNull(file.deletedAt),
      ),
    )
    .limit(1)
  return row && row.kind !== 'folder' ? { ...row, kind: row.kind } : null
}

async function importVideoData(tx: Tx, tenantId: string, fileId: string, { chapters, captions = [] }: FileToImport) {
  await queueVideo(tx, tenantId, fileId)
  if (chapters) await tx.update(video).set({ chapters }).where(eq(video.fileId, fileId))
  for (const caption of captions) await saveCaptionRow(tx, { tenantId, fileId, ...caption })
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

async function sampleFile(path: string, size: number): Promise<string> {
  const { first, last } = sampledRanges(size)
  return sampleFrom(size, await readRange(path, first), await readRange(path, last))
}

/** `end` is exclusive. */
async function readRange(path: string, { start, end }: { start: number; end: number }): Promise<Buffer<ArrayBuffer>> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, end - start)), 0, null, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
