import { deviceStorage, readJson } from '#islands/stores/safe-storage.ts'
import { resumePosition } from '#lib/storage/rules.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export type PlaybackTarget = Pick<PlaybackView, 'fileId' | 'memberId' | 'position' | 'duration'>

/** Position in seconds, and when it was saved, in milliseconds since 1970. */
export interface SavedPosition {
  seconds: number
  at: number
}

/** Positions below this are not resumed. */
const MIN_RESUME = { seconds: 3, share: 0.25 }

export const positionKey = ({ memberId, fileId }: PlaybackTarget) => `player.place.${memberId}.${fileId}`

/** Start position in seconds: the latest one of this device or the server. */
export function startPosition(view: PlaybackTarget): number {
  const local = readJson(deviceStorage, positionKey(view)) as SavedPosition | null
  const remote = view.position && { seconds: view.position.seconds, at: Date.parse(view.position.at) }
  const latest = local && (!remote || local.at >= remote.at) ? local : remote
  const seconds = resumePosition(latest?.seconds ?? 0, view.duration)
  const minSeconds = Math.min(MIN_RESUME.seconds, (view.duration ?? Number.POSITIVE_INFINITY) * MIN_RESUME.share)
  return seconds < minSeconds ? 0 : seconds
}
