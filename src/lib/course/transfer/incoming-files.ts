import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Places } from '#lib/core/files/archive/archive-places.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ensureFolders, moveFiles } from '#lib/storage/arrange.ts'
import { normalizeCaptions } from '#lib/storage/caption/task.ts'
import { deleteFiles, purgeFiles } from '#lib/storage/trash.ts'
import { keepFile } from '#lib/storage/upload/keep.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import type { Incoming, IncomingFile, Notes } from './incoming.ts'

export interface StoredFile {
  fileId: string
  kind: string
  mime: string
  name: string
}

export interface StoredFiles {
  /** By the id in the texts. What could not be kept is missing and stands in the notes. */
  files: Map<string, StoredFile>
  /** New in the storage. */
  fresh: string[]
}

/** What only one file is refused for; a full storage or a lapsed plan ends the whole import. */
const OWN_FAULT = new Set(['invalid', 'wrong_type', 'too_large'])

/**
 * Puts an incoming course's files into the storage, in a folder of the course's name, one at a time through `scratch`.
 * Refuses as `keepFile` where the school cannot take any more; then what had come is taken out again.
 */
export async function storeFiles(
  actor: Actor,
  incoming: Incoming,
  notes: Notes,
  { places, scratch, done }: { places: Places; scratch: string; done: (share: number) => Promise<void> },
): Promise<StoredFiles> {
  const stored: StoredFiles = { files: new Map(), fresh: [] }
  if (incoming.files.length === 0) return stored
  const { folderId } = await ensureFolders(actor, { parentId: null, names: [incoming.course.title] })
  const pictures: string[] = []
  try {
    for (const [index, one] of incoming.files.entries()) {
      const place = path.join(scratch, `file-${index}`)
      const there = one.place !== null && (await places.extract(one.place, place))
      if (!there) notes.add(one.redraw ? 'pictureMissing' : 'fileMissing', one.name, { files: 1 })
      const kept = there ? await keepOne(actor, one, place, folderId, notes) : null
      await rm(place, { force: true })
      if (kept) {
        const { reused, ...file } = kept
        stored.files.set(one.id, file)
        if (!reused) stored.fresh.push(file.fileId)
        if (one.redraw) pictures.push(file.fileId)
      }
      await done((index + 1) / incoming.files.length)
    }
    for (let at = 0; at < pictures.length; at += 500) {
      await moveFiles(actor, { fileIds: pictures.slice(at, at + 500), folderId })
    }
  } catch (error) {
    await discardFiles(actor, stored.fresh)
    throw error
  }
  return stored
}

/** Takes files out of the storage again that nothing uses yet. */
export async function discardFiles(actor: Actor, fileIds: readonly string[]): Promise<void> {
  for (let at = 0; at < fileIds.length; at += 500) {
    const some = { fileIds: fileIds.slice(at, at + 500) }
    await deleteFiles(actor, { ...some, sure: true })
    await purgeFiles(actor, some)
  }
}

async function keepOne(actor: Actor, one: IncomingFile, place: string, folderId: string, notes: Notes) {
  try {
    if (!one.redraw) return await keepFile(actor, { ...(await given(one, notes)), path: place, folderId })
    const { fileId } = await storeImage(actor, { name: one.name, bytes: await readFile(place) })
    return { fileId, kind: 'image', mime: 'image/webp', name: one.name, reused: false }
  } catch (error) {
    if (!(error instanceof Refusal) || !OWN_FAULT.has(error.code)) throw error
    notes.add(one.redraw ? 'pictureUnknown' : 'fileRefused', one.name, { files: 1 })
    return null
  }
}

async function given({ name, description, chapters, captions }: IncomingFile, notes: Notes) {
  const readable: NonNullable<IncomingFile['captions']> = []
  for (const caption of captions ?? []) {
    try {
      readable.push({ ...caption, text: (await normalizeCaptions(caption.text)).written })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'too_many') throw error
      notes.add('captionsUnreadable', `${name} (${caption.lang})`)
    }
  }
  return { name, description, ...(chapters ? { chapters } : {}), ...(captions ? { captions: readable } : {}) }
}
