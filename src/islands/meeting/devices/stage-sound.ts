import { atom } from 'nanostores'
import type { Watcher } from '#islands/broadcast/watcher.ts'
import { deviceStorage, readJson, writeJson } from '#islands/stores/safe-storage.ts'

/** How loud I want it, kept on this device. */
export interface Loudness {
  muted: boolean
  volume: number
}

const SHELF = 'meeting.volume'

export const $loudness = atom<Loudness>({ muted: false, volume: 1 })
/** The browser plays without sound until somebody presses something. */
export const $blocked = atom(false)
/** Seconds that the slowest picture is behind; null for live. */
export const $behind = atom<number | null>(null)

const playing = new Map<HTMLVideoElement, Watcher>()

/** Takes a picture with its sound in. Answers how to let it go. */
export function hear(video: HTMLVideoElement, watcher: Watcher): () => void {
  playing.set(video, watcher)
  apply(video, watcher)
  const ends = [watcher.$blocked.listen(look), watcher.$behind.listen(look), watcher.$state.listen(look)]
  look()
  return () => {
    playing.delete(video)
    for (const end of ends) end()
    look()
  }
}

export function setLoudness(change: Partial<Loudness>): void {
  $loudness.set({ ...$loudness.get(), ...change })
  writeJson(deviceStorage, SHELF, $loudness.get())
  for (const [video, watcher] of playing) apply(video, watcher)
}

/** Reads how loud it was the last time on this device. */
export function recallLoudness(): void {
  const kept = readJson(deviceStorage, SHELF)
  const volume = typeof kept === 'object' && kept !== null && 'volume' in kept ? kept.volume : null
  if (typeof volume === 'number' && volume > 0 && volume <= 1) setLoudness({ volume, muted: false })
}

/** After a press, which browsers ask for: everything sounds. */
export function unblock(): void {
  setLoudness({ muted: false })
  for (const watcher of playing.values()) void watcher.unmute()
}

export const switchSound = (): void => ($blocked.get() ? unblock() : setLoudness({ muted: !$loudness.get().muted }))

function apply(video: HTMLVideoElement, watcher: Watcher): void {
  const { muted, volume } = $loudness.get()
  video.volume = volume
  // Where sound is blocked the watcher holds it muted until `unmute`.
  if (!watcher.$blocked.get()) video.muted = muted
}

function look(): void {
  const all = [...playing.values()]
  $blocked.set(all.some((one) => one.$blocked.get()))
  const late = all.flatMap((one) => one.$behind.get() ?? [])
  $behind.set(late.length > 0 ? Math.max(...late) : null)
}
