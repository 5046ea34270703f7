import { atom } from 'nanostores'
import type { Watcher } from '#islands/broadcast/watcher.ts'
import { deviceStorage, readJson, writeJson } from '#islands/stores/safe-storage.ts'

/** How loud I want it, kept on this device. */
export interface Loudness {
  muted: boolean
  volume: number
}

const STORAGE_KEY = 'meeting.volume'

export const $loudness = atom<Loudness>({ muted: false, volume: 1 })
/** The browser plays without sound until somebody presses something. */
export const $isSoundBlocked = atom(false)
/** Seconds that the slowest picture is behind; null for live. */
export const $delaySeconds = atom<number | null>(null)

const playing = new Map<HTMLVideoElement, Watcher>()

/** Takes a picture with its sound in. Answers how to let it go. */
export function addSound(video: HTMLVideoElement, subscriber: Watcher): () => void {
  playing.set(video, subscriber)
  applyLoudness(video, subscriber)
  const cleanups = [
    subscriber.$blocked.listen(updateSoundState),
    subscriber.$behind.listen(updateSoundState),
    subscriber.$state.listen(updateSoundState),
  ]
  updateSoundState()
  return () => {
    playing.delete(video)
    for (const end of cleanups) end()
    updateSoundState()
  }
}

export function setLoudness(change: Partial<Loudness>): void {
  $loudness.set({ ...$loudness.get(), ...change })
  writeJson(deviceStorage, STORAGE_KEY, $loudness.get())
  for (const [video, watcher] of playing) applyLoudness(video, watcher)
}

/** Reads how loud it was the last time on this device. */
export function restoreLoudness(): void {
  const stored = readJson(deviceStorage, STORAGE_KEY)
  const volume = typeof stored === 'object' && stored !== null && 'volume' in stored ? stored.volume : null
  if (typeof volume === 'number' && volume > 0 && volume <= 1) setLoudness({ volume, muted: false })
}

/** After a press, which browsers ask for: everything sounds. */
export function unblockSound(): void {
  setLoudness({ muted: false })
  for (const watcher of playing.values()) void watcher.unmute()
}

export const toggleSound = (): void =>
  $isSoundBlocked.get() ? unblockSound() : setLoudness({ muted: !$loudness.get().muted })

function applyLoudness(video: HTMLVideoElement, subscriber: Watcher): void {
  const { muted, volume } = $loudness.get()
  video.volume = volume
  // Where sound is blocked the watcher holds it muted until `unmute`.
  if (!subscriber.$blocked.get()) video.muted = muted
}

function updateSoundState(): void {
  const subscribers = [...playing.values()]
  $isSoundBlocked.set(subscribers.some((subscriber) => subscriber.$blocked.get()))
  const delays = subscribers.flatMap((subscriber) => subscriber.$behind.get() ?? [])
  $delaySeconds.set(delays.length > 0 ? Math.max(...delays) : null)
}
