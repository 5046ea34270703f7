import { $uploads, type Upload } from './upload-list.ts'

/** Progress is reported dozens of times a second; the list is updated four times. */
const UPDATE_INTERVAL_MS = 250
/** Weight of a new measurement in the moving average. */
const SMOOTHING = 0.15

const sentBytesById = new Map<string, number>()
const lastMeasurements = new Map<string, { sent: number; at: number }>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Records how many bytes of a file have been sent. */
export function recordProgress(id: string, sent: number): void {
  sentBytesById.set(id, sent)
  if (timer === undefined) timer = setTimeout(flush, UPDATE_INTERVAL_MS)
}

/** Discards the measurements of an upload, e.g. before a pause. */
export function forgetSpeed(id: string): void {
  lastMeasurements.delete(id)
  sentBytesById.delete(id)
}

function flush(): void {
  timer = undefined
  const now = performance.now()
  $uploads.set($uploads.get().map((upload) => withProgress(upload, sentBytesById.get(upload.id), now)))
  sentBytesById.clear()
}

function withProgress(upload: Upload, sent: number | undefined, now: number): Upload {
  const moving = upload.step === 'uploading' || upload.step === 'waiting' || upload.step === 'offline'
  if (sent === undefined || !moving) return upload
  const before = lastMeasurements.get(upload.id)
  lastMeasurements.set(upload.id, { sent, at: now })
  const more = sent > upload.sentBytes
  const measured = before && more ? ((sent - before.sent) / (now - before.at)) * 1000 : null
  const speed =
    measured === null
      ? upload.bytesPerSecond
      : upload.bytesPerSecond + (measured - upload.bytesPerSecond) * (upload.bytesPerSecond ? SMOOTHING : 1)
  return { ...upload, sentBytes: sent, bytesPerSecond: Math.max(0, speed), step: more ? 'uploading' : upload.step }
}
