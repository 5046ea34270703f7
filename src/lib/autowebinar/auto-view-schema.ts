import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { Disclosure } from './schema.ts'

/** Video sources of a session. URLs are valid for `expiresIn` seconds. */
export interface AutoVideoSource {
  hls: string | null
  sources: { src: string; type: string }[]
  poster: string | null
  captions: { lang: CaptionLang; src: string }[]
  expiresIn: number
}

/**
 * An auto-webinar session for one viewer at an instant. Durations in milliseconds; instants in milliseconds since
 * 1970.
 */
export interface AutoView {
  /** Null while it cannot be played. */
  video: AutoVideoSource | null
  /** Why there is no video: it comes later, or the organizers have to choose another one. */
  videoProblem: 'pending' | 'missing' | null
  /** Offset in the video at which the session starts. */
  videoOffsetMs: number
  /** Length of the session. */
  lengthMs: number
  /** Start for this viewer. */
  startAt: number
  serverNow: number
  /** Playback position of this viewer: below zero before the start. */
  positionMs: number
  /** Position at which this viewer has paused; null while playing. */
  pausedAtMs: number | null
  phase: 'before' | 'playing' | 'over'
  /** Room state at this position: the log's state with the script applied. */
  state: RoomState
  /** Latest chat messages of the script up to this position. */
  pastMessages: RoomEvent[]
  /** Next events of the script, up to `nextUntilMs`; to be requested again before that. */
  nextEvents: RoomEvent[]
  nextUntilMs: number
  disclosure: Disclosure
  /** Number of viewers of the source webinar, if the plan shows it. */
  watchedBefore: number | null
  mayPause: boolean
  mayRestart: boolean
}
