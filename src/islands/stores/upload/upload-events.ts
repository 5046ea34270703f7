import type { FileEvent, VideoState } from '#lib/core/shared/stored-file.ts'
import { api } from '../api.ts'
import { subscribe } from '../live.ts'
import { $uploads, changeUpload, findUpload, type Upload } from './upload-list.ts'

interface StorageEvent {
  fileId: string | null
  event: FileEvent | 'changed'
  progress?: number
}

let unsubscribe: (() => void) | undefined

/** Subscribes to the processing of the uploaded files. */
export function subscribeToUploads(): void {
  unsubscribe ??= subscribe<StorageEvent>('storage', applyEvent, refreshAll)
}

/** Unsubscribes when no upload is in progress. */
export function unsubscribeWhenDone(): void {
  if ($uploads.get().some(({ step }) => step !== 'done' && step !== 'failed' && step !== 'lost')) return
  unsubscribe?.()
  unsubscribe = undefined
}

/** Loads the processing state of a video: queue position and cause of a failure are not in the events. */
export async function refreshProcessing(id: string): Promise<void> {
  const before = findUpload(id)
  if (!before?.fileId) return
  const { fileId } = before
  const video = await api.storage.getVideo({ fileId }, { context: { isQuiet: true } }).catch(() => null)
  const now = findUpload(id)
  // An event received meanwhile is newer than the response.
  if (!video || !now || now.stage !== before.stage || now.progress !== before.progress) return
  const { state: stage, progress, queuePosition: place, encoder, failure, waitsForDisk, truncated, duration } = video
  const uploadFailure = stage === 'failed' ? { code: failure ?? 'processing', message: '' } : null
  const readable = truncated ? duration : null
  const step = encoder ? stepOf(stage) : 'done'
  changeUpload(id, {
    stage,
    progress,
    queuePosition: place,
    encoder,
    failure: uploadFailure,
    waitsForDisk,
    playableSeconds: readable,
    step,
  })
  unsubscribeWhenDone()
}

const stepOf = (stage: VideoState): Upload['step'] =>
  stage === 'finished' ? 'done' : stage === 'failed' ? 'failed' : 'processing'

function refreshAll(): void {
  for (const { id, step } of $uploads.get()) if (step === 'processing') void refreshProcessing(id)
}

function applyEvent({ fileId, event, progress }: StorageEvent): void {
  const upload = fileId === null ? undefined : $uploads.get().find((item) => item.fileId === fileId)
  const change = upload && changeOf(upload, event)
  if (upload && change) changeUpload(upload.id, { ...change, ...(progress !== undefined && { progress }) })
  // The cause of a failure, of a new wait, and the playable length are not in the event.
  const isQueuedAgain = event === 'queued' && upload?.stage !== 'queued'
  if (upload && (event === 'failed' || event === 'finished' || isQueuedAgain)) void refreshProcessing(upload.id)
  // The videos behind it have moved up in the queue.
  if (event === 'processing') {
    for (const { id, stage, queuePosition: place } of $uploads.get())
      if (stage === 'queued' && place) void refreshProcessing(id)
  }
  unsubscribeWhenDone()
}

function changeOf(upload: Upload, event: StorageEvent['event']): Partial<Upload> | null {
  switch (event) {
    case 'queued':
    case 'processing':
    case 'encoding':
    case 'resolutionFinished':
    case 'finished':
      return { step: stepOf(event), stage: event, failure: null }
    case 'failed':
      return { step: 'failed', stage: event, failure: { code: 'processing', message: '' } }
    case 'uploadFailed':
      // Canceled in another tab, or by the server after a day without progress.
      return upload.step === 'failed' ? null : { step: 'failed', failure: { code: 'ended', message: '' } }
    default:
      return null
  }
}
