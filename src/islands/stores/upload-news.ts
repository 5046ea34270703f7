import type { FileEvent } from '#lib/storage/schema.ts'
import { subscribe } from './live.ts'
import { $uploads, changeUpload, type Upload } from './upload-list.ts'

interface News {
  fileId: string | null
  event: FileEvent | 'changed'
  progress?: number
}

let quiet: (() => void) | undefined

/** Hears what the school makes of the files that were uploaded here. */
export function listen(): void {
  quiet ??= subscribe<News>('storage', hear)
}

/** Gives the stream up when there is nothing more to hear. */
export function unlisten(): void {
  if ($uploads.get().some(({ step }) => step !== 'done' && step !== 'failed' && step !== 'lost')) return
  quiet?.()
  quiet = undefined
}

function hear({ fileId, event, progress }: News): void {
  const upload = fileId === null ? undefined : $uploads.get().find((one) => one.fileId === fileId)
  if (!upload) return
  const change = changeOf(upload, event)
  if (change) changeUpload(upload.id, { ...change, ...(progress !== undefined && { progress }) })
  unlisten()
}

function changeOf(upload: Upload, event: News['event']): Partial<Upload> | null {
  switch (event) {
    case 'queued':
    case 'processing':
    case 'encoding':
    case 'resolutionFinished':
      return { step: 'processing', stage: event }
    case 'finished':
      return { step: 'done', stage: event }
    case 'failed':
      return { step: 'failed', stage: event, trouble: { code: 'processing', words: '' } }
    case 'uploadFailed':
      // Given up in another tab, or by the school after a day of silence.
      return upload.step === 'failed' ? null : { step: 'failed', trouble: { code: 'ended', words: '' } }
    default:
      return null
  }
}
