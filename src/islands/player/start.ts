import { deviceStorage, readJson } from '#islands/stores/safe-storage.ts'
import { placeIn } from '#lib/storage/rules.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export type Viewed = Pick<PlaybackView, 'fileId' | 'memberId' | 'position' | 'duration'>

/** Seconds, and when that was in milliseconds since 1970. */
export interface Kept {
  seconds: number
  at: number
}

/** Nobody wants to go on from so few seconds. */
const BEGINNING = { seconds: 3, share: 0.25 }

export const keyOf = ({ memberId, fileId }: Viewed) => `player.place.${memberId}.${fileId}`

/** Where to begin, in seconds: what this device or the school heard last. */
export function startOf(view: Viewed): number {
  const kept = readJson(deviceStorage, keyOf(view)) as Kept | null
  const told = view.position && { seconds: view.position.seconds, at: Date.parse(view.position.at) }
  const last = kept && (!told || kept.at >= told.at) ? kept : told
  const seconds = placeIn(last?.seconds ?? 0, view.duration)
  const few = Math.min(BEGINNING.seconds, (view.duration ?? Number.POSITIVE_INFINITY) * BEGINNING.share)
  return seconds < few ? 0 : seconds
}
