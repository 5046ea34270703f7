import { $uploads, type Upload } from './upload-list.ts'

/** Progress comes dozens of times a second; the list changes four times. */
const PERIOD_MILLISECONDS = 250
/** How much a new measurement weighs: the number shown is calm, and right after some seconds. */
const WEIGHT = 0.15

const news = new Map<string, number>()
const last = new Map<string, { sent: number; at: number }>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Takes down how many bytes of a file have arrived. */
export function noteSent(id: string, sent: number): void {
  news.set(id, sent)
  if (timer === undefined) timer = setTimeout(flush, PERIOD_MILLISECONDS)
}

/** A pause is no slowness. */
export function forgetSpeed(id: string): void {
  last.delete(id)
  news.delete(id)
}

function flush(): void {
  timer = undefined
  const now = performance.now()
  $uploads.set($uploads.get().map((one) => moved(one, news.get(one.id), now)))
  news.clear()
}

function moved(upload: Upload, sent: number | undefined, now: number): Upload {
  const moving = upload.step === 'uploading' || upload.step === 'waiting' || upload.step === 'offline'
  if (sent === undefined || !moving) return upload
  const before = last.get(upload.id)
  last.set(upload.id, { sent, at: now })
  const more = sent > upload.sent
  const measured = before && more ? ((sent - before.sent) / (now - before.at)) * 1000 : null
  const speed =
    measured === null ? upload.speed : upload.speed + (measured - upload.speed) * (upload.speed ? WEIGHT : 1)
  return { ...upload, sent, speed: Math.max(0, speed), step: more ? 'uploading' : upload.step }
}
