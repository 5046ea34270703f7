import { atom } from 'nanostores'
import type { StreamPlayer } from '#islands/broadcast/stream-player.ts'
import { deviceStorage, readJson, writeJson } from '#islands/stores/safe-storage.ts'

/** Volume settings, stored on this device. */
export interface Loudness {
  muted: boolean
  volume: number
}

const STORAGE_KEY = 'meeting.volume'

export const $loudness = atom<Loudness>({ muted: false, volume: 1 })
/** The browser plays muted until there is a user gesture. */
export const $isSoundBlocked = atom(false)
/** Delay of the slowest stream in seconds; null for live. */
export const $delaySeconds = atom<number | null>(null)

const playing = new Map<HTMLVideoElement, StreamPlayer>()

/** Adds a stream to the volume control. Returns a function that removes it. */
export function addSound(video: HTMLVideoElement, subscriber: StreamPlayer): () => void {
  playing.set(video, subscriber)
  applyLoudness(video, subscriber)
  const cleanups = [
    subscriber.$isAutoplayBlocked.listen(updateSoundState),
    subscriber.$latencySeconds.listen(updateSoundState),
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

/** Restores the volume of the last visit on this device. */
export function restoreLoudness(): void {
  const stored = readJson(deviceStorage, STORAGE_KEY)
  const volume = typeof stored === 'object' && stored !== null && 'volume' in stored ? stored.volume : null
  if (typeof volume === 'number' && volume > 0 && volume <= 1) setLoudness({ volume, muted: false })
}

/** Unmutes all streams. Must be called in the handler of a user gesture. */
export function unblockSound(): void {
  setLoudness({ muted: false })
  for (const watcher of playing.values()) void watcher.unmute()
}

export const toggleSound = (): void =>
  $isSoundBlocked.get() ? unblockSound() : setLoudness({ muted: !$loudness.get().muted })

function applyLoudness(video: HTMLVideoElement, subscriber: StreamPlayer): void {
  const { muted, volume } = $loudness.get()
  video.volume = volume
  // While sound is blocked the subscriber keeps the video muted until `unmute`.
  if (!subscriber.$isAutoplayBlocked.get()) video.muted = muted
}

function updateSoundState(): void {
  const subscribers = [...playing.values()]
  $isSoundBlocked.set(subscribers.some((subscriber) => subscriber.$isAutoplayBlocked.get()))
  const delays = subscribers.flatMap((subscriber) => subscriber.$latencySeconds.get() ?? [])
  $delaySeconds.set(delays.length > 0 ? Math.max(...delays) : null)
}
