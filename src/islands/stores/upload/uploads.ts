import type { AddedFile } from './added-file.ts'
import { $uploads, addUploads, changeUpload, remember, remembers, uploadOf } from './upload-list.ts'

/** Begins to upload; the tray shows how it goes. Answers the uploads' ids, in order. */
export function addFiles(added: readonly AddedFile[]): string[] {
  const fresh = added.map(({ file }) => uploadOf(file))
  const ids = fresh.map(({ id }) => id)
  addUploads(fresh)
  remember(true)
  void withEngine((engine) => engine.begin(ids, added)).catch(() => {
    for (const id of ids) changeUpload(id, { step: 'failed', trouble: { code: 'unreachable', words: '' } })
  })
  return ids
}

export const pauseUpload = (id: string) => withEngine((engine) => engine.pause(id))
export const resumeUpload = (id: string) => withEngine((engine) => engine.resume(id))
export const cancelUpload = (id: string) => withEngine((engine) => engine.cancel(id))
/** Goes on after a failure where that is possible, and from the beginning where it is not. */
export const retryUpload = (id: string) => withEngine((engine) => engine.retry(id))
/** Takes the file that the storage has already. */
export const takeTwin = (id: string) => withEngine((engine) => engine.takeTwin(id))
export const uploadAnyway = (id: string) => withEngine((engine) => engine.uploadAnyway(id))
/** The same file again, after a reload: what has arrived already is not sent twice. Another file is uploaded beside it. */
export const pickAgain = (id: string, file: File) => withEngine((engine) => engine.pickAgain(id, file))

/** Takes what has ended off the tray. */
export const clearEnded = () => $uploads.set($uploads.get().filter(({ step }) => step !== 'done' && step !== 'failed'))

/** Shows the person's unfinished uploads of an earlier page, if this browser remembers that there were any. */
export const lookForUnfinished = async () => (remembers() ? withEngine((engine) => engine.look()) : undefined)

// The engine and its library come with the first file.
async function withEngine<T>(act: (engine: typeof import('./upload-engine.ts')) => T): Promise<Awaited<T>> {
  return await act(await import('./upload-engine.ts'))
}
