import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/part.ts'
import { type FileFailure, HEAD_BYTES } from '#lib/core/shared/storing.ts'
import { type FileView, viewOf } from '../file-view.ts'
import { announce } from '../live.ts'
import { keyOf } from '../object-key.ts'
import { mustGoOn, mustSend } from '../permission.ts'
import { OneUpload } from '../schema.ts'
import { file, fileState, upload } from '../table.ts'
import { queueVideo } from '../video/video.ts'
import { failUpload } from './abort.ts'
import { queueExamination } from './examine.ts'
import { classIdRange, isInstaller } from './installer.ts'
import { type KnownKind, kindOf } from './kind.ts'
import { keepPromise } from './quota.ts'

/**
 * Makes a file of an upload whose parts are all there. What the browser said of it is checked anew on the bytes that
 * came. A second call, or one after a crash, goes on where the first one stopped and answers the same. Refuses with
 * forbidden, plan_inactive, not_found, gone when the upload has failed, unprocessable (upload_incomplete) while parts
 * are missing: then it may go on; with wrong_type (file_type, file_differs) and unprocessable (upload_differs) for good.
 */
export async function finishUpload(actor: Actor, input: { uploadId: string }): Promise<FileView> {
  mustGoOn(actor)
  const { uploadId } = OneUpload.parse(input)
  const found = await inTenant(actor, (tx) => load(tx, actor, uploadId))
  mustSend(actor, found.area)
  if (found.state === 'uploadFailed') throw new Refusal('gone')
  if (found.state === 'uploadFinished') return inTenant(actor, (tx) => viewFile(tx, uploadId))
  await joinParts(actor, found)
  const known = await examineHead(actor, found)
  if (typeof known === 'string') {
    await inTenant(actor, (tx) => failUpload(tx, actor.tenantId, uploadId, known))
    throw refused(known, found.name)
  }
  const made = await inTenant(actor, (tx) => become(tx, actor, found, known))
  if (made) return made
  // Somebody gave the upload up while its parts were joined: what they became must not stay behind.
  await store.removeFile(actor.tenantId, uploadId)
  throw new Refusal('gone')
}

type Upload = Awaited<ReturnType<typeof load>>

async function load(tx: Tx, actor: Actor, uploadId: string, lock = false) {
  const { id, parentId, name, size, sample, storeId, state, area } = upload
  const asked = tx
    .select({ id, parentId, name, size, sample, storeId, state, area })
    .from(upload)
    .where(and(eq(upload.id, uploadId), eq(upload.ownerId, actor.membershipId)))
  const [found] = await (lock ? asked.for('update') : asked)
  if (!found) throw new Refusal('not_found')
  return found
}

async function viewFile(tx: Tx, fileId: string): Promise<FileView> {
  const [found] = await tx
    .select(viewOf)
    .from(file)
    .where(and(eq(file.id, fileId), isNull(file.deletedAt)))
  if (!found) throw new Refusal('not_found')
  return found
}

/** Leaves the whole object in place, whoever of several joined its parts. */
async function joinParts(actor: Actor, { id, size, storeId }: Upload): Promise<void> {
  const key = keyOf(actor.tenantId, id)
  let failure: unknown = new Refusal('unprocessable', { fields: { file: ['upload_incomplete'] } })
  for (let look = 1; !(await isJoined(actor, id)); look += 1) {
    // Parts that are missing may be under another call's hands at this very moment: look again.
    if (look > LOOKS) throw failure
    if (look > 1) await setTimeout(PAUSE_MS)
    const parts = await store.listParts(key, storeId)
    if (parts.length < Math.ceil(size / UPLOAD_PART_BYTES)) continue
    await store.finishParts(key, storeId).catch((error: unknown) => {
      failure = error
    })
  }
}

const LOOKS = 3
const PAUSE_MS = 150

/** Another call may have joined the parts between two looks, or given them up: then gone. */
async function isJoined(actor: Actor, id: string): Promise<boolean> {
  if (await store.stat(keyOf(actor.tenantId, id))) return true
  const { state } = await inTenant(actor, (tx) => load(tx, actor, id))
  if (state === 'uploadFailed') throw new Refusal('gone')
  return false
}

async function examineHead(actor: Actor, { id, name, size }: Upload): Promise<KnownKind | FileFailure> {
  const key = keyOf(actor.tenantId, id)
  const there = await store.stat(key)
  if (there?.size !== size) return 'size_differs'
  const head = await bytesOf(key, { start: 0, end: Math.min(size, HEAD_BYTES) - 1 })
  const range = classIdRange(head, size)
  if (range && isInstaller(await bytesOf(key, range))) return 'type_refused'
  return kindOf(head, name)
}

async function bytesOf(key: string, range: { start: number; end: number }): Promise<Buffer> {
  const bytes = await store.read(key, { range })
  return bytes ? buffer(bytes) : Buffer.alloc(0)
}

/** Null when the upload has failed meanwhile, or fails because it grew after its parts were joined. */
async function become(tx: Tx, actor: Actor, joined: Upload, { kind, mime }: KnownKind): Promise<FileView | null> {
  const { id: uploadId, parentId, name, size, state, area } = await load(tx, actor, joined.id, true)
  if (state === 'uploadFailed') return null
  if (state === 'uploadFinished') return viewFile(tx, uploadId)
  if (size !== joined.size) {
    await failUpload(tx, actor.tenantId, uploadId, 'size_differs')
    return null
  }
  const { tenantId, membershipId: ownerId } = actor
  const folderId = await livingFolder(tx, parentId)
  const [made] = await tx
    .insert(file)
    .values({ tenantId, id: uploadId, parentId: folderId, area, kind, name, mime, size, ownerId })
    .returning(viewOf)
  if (!made) throw new Error('a file that was inserted is not there')
  await tx
    .update(upload)
    .set({ state: 'uploadFinished', kind, mime, endedAt: new Date() })
    .where(eq(upload.id, uploadId))
  await keepPromise(tx, tenantId, size)
  await tx.insert(fileState).values({ tenantId, fileId: uploadId, event: 'uploadFinished' })
  await queueExamination(tenantId, uploadId)
  if (kind === 'video' || kind === 'audio') await queueVideo(tx, tenantId, uploadId)
  await announce({ fileId: uploadId, event: 'uploadFinished', folderId })
  return made
}

/** The folder, or the top when it was deleted while the upload was under way. */
async function livingFolder(tx: Tx, parentId: string | null): Promise<string | null> {
  if (parentId === null) return null
  const [folder] = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, parentId), isNull(file.deletedAt)))
  return folder?.id ?? null
}

function refused(failure: FileFailure, name: string): Refusal {
  if (failure === 'size_differs') return new Refusal('unprocessable', { fields: { file: ['upload_differs'] } })
  const key = failure === 'type_refused' ? 'file_type' : 'file_differs'
  return new Refusal('wrong_type', { fields: { file: [key] }, variables: { name } })
}
