import type { PlaybackView } from '#lib/storage/schema.ts'
import type { ButtonContent } from '#lib/workshop/session/event-schema.ts'
import type { MeetingSummary } from '../room-schema.ts'

/** Why there is no video; `making`: not yet. */
export type NoReplay = 'off' | 'none' | 'making' | 'expired'

export type ReplayView =
  | { is: NoReplay }
  | {
      is: 'ready'
      video: PlaybackView
      /** The recording is still composed, and will replace this video. */
      isPreliminary: boolean
      /** Add to an event's offset to get its time in the video; milliseconds. */
      videoOffsetMs: number
      /** Milliseconds since 1970; null: without end. */
      until: number | null
      /** Whether the chat is shown next to the video. */
      chat: boolean
      /** Slides next to the video; null for none. */
      slides: ReplaySlides | null
      /** Whether seeking beyond the watched part is allowed. */
      seek: boolean
    }

/** A page shown from this millisecond of the video on; `fileId` is null where there are no slides. */
export interface SlideTurn {
  ms: number
  fileId: string | null
  page: number
}

/** Slides of a replay: the URL of each file, and which page is shown when. */
export interface ReplaySlides {
  documents: Record<string, string>
  turns: SlideTurn[]
}

/** Data of the page after an event. */
export interface FinishedView {
  workshop: MeetingSummary
  sessionId: string
  seatToken: string
  name: string
  /** Staff see the statistics instead and do not rate. */
  staff: boolean
  /** Was in the room while the event ran. */
  attended: boolean
  over: boolean
  replay: ReplayView
  /** The tenant's storage quota is exceeded; for staff only. */
  full: boolean
  materials: { id: string; title: string; address: string; file: boolean }[]
  /** Buttons that were shown, in their last version. */
  buttons: { id: string; content: ButtonContent }[]
  rating: { stars: number; text: string } | null
  /** The tenant's next event with public registration. */
  next: { id: string; title: string; startAt: string; timeZone: string } | null
}
