import { api } from '#islands/stores/api.ts'
import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { type PlaybackTarget, positionKey, type SavedPosition } from './start-position.ts'

const SERVER_SAVE_MS = 15_000
const LOCAL_SAVE_MS = 1000

/**
 * Saves the playback position: on this device every second, on the server every 15 s and on pause, seek or leave. Ended
 * media restarts next time. Returns a function that stops it.
 */
export function trackPosition(media: HTMLMediaElement, view: PlaybackTarget): () => void {
  let localSavedAt = 0
  let serverSavedAt = Date.now()
  let savedSeconds = -1

  const saveLocally = (now: number) => {
    localSavedAt = now
    writeJson(deviceStorage, positionKey(view), { seconds: positionOf(media), at: now } satisfies SavedPosition)
  }
  const saveOnServer = (leaving = false) => {
    const now = Date.now()
    saveLocally(now)
    const seconds = Math.floor(positionOf(media))
    if (seconds === savedSeconds) return
    serverSavedAt = now
    savedSeconds = seconds
    // Errors are ignored: the position is also on this device.
    api.storage
      .savePosition({ fileId: view.fileId, seconds }, { context: { isQuiet: true, isLeaving: leaving } })
      .catch(() => {})
  }
  const isStarted = () => media.played.length > 0
  const onTimeUpdate = () => {
    const now = Date.now()
    if (media.paused || now - localSavedAt < LOCAL_SAVE_MS) return
    if (now - serverSavedAt >= SERVER_SAVE_MS) saveOnServer()
    else saveLocally(now)
  }
  const onPause = () => isStarted() && saveOnServer()
  const onVisibilityChange = () => document.visibilityState === 'hidden' && isStarted() && saveOnServer(true)
  const onLeave = () => isStarted() && saveOnServer(true)

  const listeners: [EventTarget, string, () => void][] = [
    [media, 'timeupdate', onTimeUpdate],
    [media, 'pause', onPause],
    [media, 'seeked', onPause],
    [media, 'ended', onPause],
    [document, 'visibilitychange', onVisibilityChange],
    [window, 'pagehide', onLeave],
  ]
  for (const [target, event, listener] of listeners) target.addEventListener(event, listener)
  return () => {
    onLeave()
    for (const [target, event, listener] of listeners) target.removeEventListener(event, listener)
  }
}

const positionOf = (media: HTMLMediaElement): number => (media.ended ? 0 : media.currentTime)
