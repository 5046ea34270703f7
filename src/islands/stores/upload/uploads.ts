import type { AddedFile } from './added-file.ts'
import { $uploads, addUploads, changeUpload, createUpload, hasUnfinished, saveHasUnfinished } from './upload-list.ts'
import { storeWaitingFile } from './waiting-files.ts'

/** Starts uploads, which the tray shows. Returns their ids in order. */
export function addFiles(added: readonly AddedFile[]): string[] {
  const uploads = added.map(({ file, id }) => ({ ...createUpload(file), ...(id ? { id } : {}) }))
  const ids = uploads.map(({ id }) => id)
  addUploads(uploads)
  for (const [index, { place, file }] of added.entries()) {
    if (place) void storeWaitingFile(ids[index] ?? '', place, file)
  }
  saveHasUnfinished(true)
  void withEngine((engine) => engine.startUploads(ids, added)).catch(() => {
    for (const id of ids) changeUpload(id, { step: 'failed', failure: { code: 'unreachable', message: '' } })
  })
  return ids
}

export const pauseUpload = (id: string) => withEngine((engine) => engine.pauseUpload(id))
export const resumeUpload = (id: string) => withEngine((engine) => engine.resumeUpload(id))
export const cancelUpload = (id: string) => withEngine((engine) => engine.cancelUpload(id))
/** Continues after a failure where that is possible, otherwise starts again. */
export const retryUpload = (id: string) => withEngine((engine) => engine.retryUpload(id))
/** Uses the file with the same content that the storage already has. */
export const chooseDuplicate = (id: string) => withEngine((engine) => engine.chooseDuplicate(id))
export const uploadAnyway = (id: string) => withEngine((engine) => engine.uploadAnyway(id))
/** Continues an upload after a reload with the same file: parts that have arrived are not sent again. Another file is uploaded separately. */
export const resumeWithFile = (id: string, file: File) => withEngine((engine) => engine.resumeWithFile(id, file))

/** Removes finished and failed uploads from the tray. */
export const removeEndedUploads = () =>
  $uploads.set($uploads.get().filter(({ step }) => step !== 'done' && step !== 'failed'))

/** Shows the user's unfinished uploads of an earlier page, if this browser has stored that there were any. */
export const findUnfinished = async () =>
  hasUnfinished() ? withEngine((engine) => engine.findUnfinished()) : undefined

/** Loads what uploads need, so that a file can be chosen after the network was lost. */
export const prepareUploads = (): Promise<void> => withEngine(() => undefined).catch(() => undefined)

// The engine and Uppy are loaded with the first file, or by a page that expects files.
async function withEngine<T>(run: (engine: typeof import('./upload-engine.ts')) => T): Promise<Awaited<T>> {
  return await run(await import('./upload-engine.ts'))
}
