import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveFiles } from '#lib/core/files/archive/archive-files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { normalizeCaptions } from '#lib/storage/caption/normalize.ts'
import { ensureFolders, moveFiles } from '#lib/storage/folders.ts'
import { EnsureFolders } from '#lib/storage/schema.ts'
import { deleteFiles, purgeFiles } from '#lib/storage/trash.ts'
import { importFile } from '#lib/storage/upload/import-file.ts'
import { requireSingleFileFailure } from '#lib/storage/upload/single-file-failure.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import type { CourseFile, ImportedCourse, ImportNotes } from './imported-course.ts'

export interface StoredCourseFile {
  fileId: string
  kind: string
  mime: string
  name: string
}

export interface StoredFiles {
  /** Stored files by the id in the documents. Files that could not be stored are in the notes. */
  files: Map<string, StoredCourseFile>
  /** Ids of files that are new in the storage. */
  newFileIds: string[]
}

/**
 * Stores the files of an imported course in a folder of the course's name, one at a time through `scratch`. Refuses as
 * `keepFile` when the tenant's storage is full; new files are then deleted.
 */
export async function storeFiles(
  actor: Actor,
  incoming: ImportedCourse,
  notes: ImportNotes,
  {
    places,
    scratch,
    onProgress,
  }: { places: ArchiveFiles; scratch: string; onProgress: (share: number) => Promise<void> },
): Promise<StoredFiles> {
  const result: StoredFiles = { files: new Map(), newFileIds: [] }
  if (incoming.files.length === 0) return result
  // The title comes from the file, so it is converted to a valid folder name.
  const folderInput = EnsureFolders.parse({ parentId: null, names: [incoming.course.title] })
  const { folderId } = await ensureFolders(actor, folderInput)
  const pictures: string[] = []
  try {
    for (const [index, file] of incoming.files.entries()) {
      const localPath = path.join(scratch, `file-${index}`)
      const isExtracted = file.source !== null && (await places.extract(file.source, localPath))
      if (!isExtracted) notes.add(file.redraw ? 'pictureMissing' : 'fileMissing', file.name, { files: 1 })
      const storedFile = isExtracted ? await storeFile(actor, file, localPath, folderId, notes) : null
      await rm(localPath, { force: true })
      if (storedFile) {
        const { reused, ...stored } = storedFile
        result.files.set(file.id, stored)
        if (!reused) result.newFileIds.push(stored.fileId)
        if (file.redraw) pictures.push(stored.fileId)
      }
      await onProgress((index + 1) / incoming.files.length)
    }
    for (let start = 0; start < pictures.length; start += 500) {
      await moveFiles(actor, { fileIds: pictures.slice(start, start + 500), folderId })
    }
  } catch (error) {
    await discardFiles(actor, result.newFileIds)
    throw error
  }
  return result
}

/** Deletes unused files from the storage. */
export async function discardFiles(actor: Actor, fileIds: readonly string[]): Promise<void> {
  for (let start = 0; start < fileIds.length; start += 500) {
    const batch = { fileIds: fileIds.slice(start, start + 500) }
    await deleteFiles(actor, { ...batch, sure: true })
    await purgeFiles(actor, batch)
  }
}

async function storeFile(actor: Actor, file: CourseFile, localPath: string, folderId: string, notes: ImportNotes) {
  try {
    if (!file.redraw)
      return await importFile(actor, { ...(await fileMetadata(file, notes)), path: localPath, folderId })
    const { fileId } = await storeImage(actor, { name: file.name, bytes: await readFile(localPath) })
    return { fileId, kind: 'image', mime: 'image/webp', name: file.name, reused: false }
  } catch (error) {
    requireSingleFileFailure(error, file.name)
    notes.add(file.redraw ? 'pictureUnknown' : 'fileRefused', file.name, { files: 1 })
    return null
  }
}

async function fileMetadata({ name, description, chapters, captions }: CourseFile, notes: ImportNotes) {
  const readable: NonNullable<CourseFile['captions']> = []
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
