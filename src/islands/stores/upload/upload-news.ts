import type { FileEvent, VideoState } from '#lib/core/shared/storing.ts'
import { api } from '../api.ts'
import { subscribe } from '../live.ts'
import { $uploads, changeUpload, findUpload, type Upload } from './upload-list.ts'

interface News {
  fileId: string | null
  event: FileEvent | 'changed'
  progress?: number
}

let quiet: (() => void) | undefined

/** Hears what the school makes of the files that were uploaded here. */
export function listen(): void {
  quiet ??= subscribe<News>('storage', hear, reviewAll)
}

/** Gives the stream up when there is nothing more to hear. */
export function unlisten(): void {
  if ($uploads.get().some(({ step }) => step !== 'done' && step !== 'failed' && step !== 'lost')) return
  quiet?.()
  quiet = undefined
}

/** Asks how far the school is with a film: its place in the queue, and why it failed, are told to nobody. */
export async function review(id: string): Promise<void> {
  const before = findUpload(id)
  if (!before?.fileId) return
  const { fileId } = before
  const film = await api.storage.getVideo({ fileId }, { context: { quiet: true } }).catch(() => null)
  const now = findUpload(id)
  // What was heard meanwhile is newer than the answer.
  if (!film || !now || now.stage !== before.stage || now.progress !== before.progress) return
  const { state: stage, progress, place, encoder, failure, waitsForDisk, truncated, duration } = film
  const trouble = stage === 'failed' ? { code: failure ?? 'processing', words: '' } : null
  const readable = truncated ? duration : null
  const step = encoder ? stepOf(stage) : 'done'
  changeUpload(id, { stage, progress, place, encoder, trouble, waitsForDisk, readable, step })
  unlisten()
}

const stepOf = (stage: VideoState): Upload['step'] =>
  stage === 'finished' ? 'done' : stage === 'failed' ? 'failed' : 'processing'

function reviewAll(): void {
  for (const { id, step } of $uploads.get()) if (step === 'processing') void review(id)
}

function hear({ fileId, event, progress }: News): void {
  const upload = fileId === null ? undefined : $uploads.get().find((one) => one.fileId === fileId)
  const change = upload && changeOf(upload, event)
  if (upload && change) changeUpload(upload.id, { ...change, ...(progress !== undefined && { progress }) })
  // Why it failed or waits again, and how much of it can be read, are not in the event.
  const isBack = event === 'queued' && upload?.stage !== 'queued'
  if (upload && (event === 'failed' || event === 'finished' || isBack)) void review(upload.id)
  // Whoever stands behind it has moved up.
  if (event === 'processing') {
    for (const { id, stage, place } of $uploads.get()) if (stage === 'queued' && place) void review(id)
  }
  unlisten()
}

function changeOf(upload: Upload, event: News['event']): Partial<Upload> | null {
  switch (event) {
    case 'queued':
    case 'processing':
    case 'encoding':
    case 'resolutionFinished':
    case 'finished':
      return { step: stepOf(event), stage: event, trouble: null }
    case 'failed':
      return { step: 'failed', stage: event, trouble: { code: 'processing', words: '' } }
    case 'uploadFailed':
      // Given up in another tab, or by the school after a day of silence.
      return upload.step === 'failed' ? null : { step: 'failed', trouble: { code: 'ended', words: '' } }
    default:
      return null
  }
}
