import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { Honest } from './schema.ts'

/** What plays the film of a showing. Addresses open for `expiresIn` seconds. */
export interface AutoVideoSource {
  hls: string | null
  sources: { src: string; type: string }[]
  poster: string | null
  captions: { lang: CaptionLang; src: string }[]
  expiresIn: number
}

/** A showing of an auto-webinar for one person, at a moment. Times are milliseconds; instants since 1970. */
export interface AutoView {
  /** Null while the film is still being made. */
  film: AutoVideoSource | null
  /** Where in the film the showing begins. */
  filmOffsetMs: number
  /** How long the showing lasts. */
  lengthMs: number
  /** When it began for this person. */
  startAt: number
  serverNow: number
  /** How far it is for this person: below zero before it begins. */
  positionMs: number
  /** Where it stands while this person has paused it. */
  pausedAtMs: number | null
  phase: 'before' | 'playing' | 'over'
  /** The room at this moment: what really happened in it, and the script folded onto that. */
  state: RoomState
  /** The last of what the script's chat has said so far. */
  pastMessages: RoomEvent[]
  /** What the script does next, up to `nextUntilMs`; to be asked for again before that. */
  nextEvents: RoomEvent[]
  nextUntilMs: number
  honest: Honest
  /** How many people were at the webinar that this one was made of, where the plan tells it. */
  watchedBefore: number | null
  mayPause: boolean
  mayRestart: boolean
}
