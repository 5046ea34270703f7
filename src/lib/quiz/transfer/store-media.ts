import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { StoredCourseFile } from '#lib/course/transfer/store-files.ts'
import { importFile } from '#lib/storage/upload/import-file.ts'
import { requireSingleFileFailure } from '#lib/storage/upload/single-file-failure.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import type { QuestionDraft } from '../question/schema.ts'
import type { MediaFile } from './question-reader.ts'
import { replaceFileIds } from './replace-file-ids.ts'

export interface NumberedDraft {
  number: number
  draft: QuestionDraft
}

/**
 * Stores the images and files of questions, and replaces the ids in the texts; files that cannot be stored are omitted.
 * `onStored` is called after each file with the number of files so far. Refuses as storeImage when the tenant's storage is
 * full.
 */
export async function storeMedia(
  actor: Actor,
  drafts: readonly NumberedDraft[],
  files: readonly MediaFile[],
  onStored: (file: { fileId: string; isNew: boolean }, count: number) => Promise<void>,
): Promise<NumberedDraft[]> {
  const source = JSON.stringify(drafts)
  const used = files.filter(({ id }) => source.includes(id))
  const stored = new Map<string, StoredCourseFile>()
  for (const file of used) {
    const entry = await storeFile(actor, file)
    if (!entry) continue
    const { reused, ...storedFile } = entry
    stored.set(file.id, storedFile)
    await onStored({ fileId: storedFile.fileId, isNew: !reused }, stored.size)
  }
  return drafts.map(({ number, draft }) => ({
    number,
    draft: { ...draft, content: replaceFileIds(draft.content, { files: stored, showFiles: true }) },
  }))
}

async function storeFile(
  actor: Actor,
  { picture, name, bytes }: MediaFile,
): Promise<(StoredCourseFile & { reused: boolean }) | null> {
  try {
    if (!picture) {
      return await withTemporaryFolder(async (scratch) => {
        const localPath = path.join(scratch, 'file')
        await writeFile(localPath, bytes)
        return importFile(actor, { path: localPath, name, folderId: null })
      })
    }
    const { fileId } = await storeImage(actor, { name, bytes })
    return { fileId, kind: 'image', mime: 'image/webp', name, reused: false }
  } catch (error) {
    requireSingleFileFailure(error, name)
    return null
  }
}
