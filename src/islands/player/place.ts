import { api } from '#islands/stores/api.ts'
import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { type Kept, keyOf, type Viewed } from './start.ts'

const SERVER_MS = 15_000
const LOCAL_MS = 1000

/**
 * Keeps the place while a medium plays: on this device every second, at the school every 15 s and whenever somebody
 * stops, jumps or leaves. What has ended begins anew next time. Returns what ends it.
 */
export function keepPlace(media: HTMLMediaElement, view: Viewed): () => void {
  let local = 0
  let server = Date.now()
  let told = -1

  const keep = (now: number) => {
    local = now
    writeJson(deviceStorage, keyOf(view), { seconds: secondsOf(media), at: now } satisfies Kept)
  }
  const tell = (leaving = false) => {
    const now = Date.now()
    keep(now)
    const seconds = Math.floor(secondsOf(media))
    if (seconds === told) return
    server = now
    told = seconds
    // Whether the school heard it matters little: this device has it too.
    api.storage.savePosition({ fileId: view.fileId, seconds }, { context: { quiet: true, leaving } }).catch(() => {})
  }
  const started = () => media.played.length > 0
  const moved = () => {
    const now = Date.now()
    if (media.paused || now - local < LOCAL_MS) return
    if (now - server >= SERVER_MS) tell()
    else keep(now)
  }
  const stopped = () => started() && tell()
  const hidden = () => document.visibilityState === 'hidden' && started() && tell(true)
  const left = () => started() && tell(true)

  const ears: [EventTarget, string, () => void][] = [
    [media, 'timeupdate', moved],
    [media, 'pause', stopped],
    [media, 'seeked', stopped],
    [media, 'ended', stopped],
    [document, 'visibilitychange', hidden],
    [window, 'pagehide', left],
  ]
  for (const [target, event, hear] of ears) target.addEventListener(event, hear)
  return () => {
    left()
    for (const [target, event, hear] of ears) target.removeEventListener(event, hear)
  }
}

const secondsOf = (media: HTMLMediaElement): number => (media.ended ? 0 : media.currentTime)
