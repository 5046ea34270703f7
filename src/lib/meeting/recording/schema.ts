import type { PlaybackView } from '#lib/storage/schema.ts'
import type { ButtonContent } from '#lib/workshop/session/event-schema.ts'
import type { MeetingSummary } from '../room-schema.ts'

/** Why there is no film to watch; `making`: not yet. */
export type NoReplay = 'off' | 'none' | 'making' | 'expired'

export type ReplayView =
  | { is: NoReplay }
  | {
      is: 'ready'
      video: PlaybackView
      /** The film's second of an event is its offset and this, in milliseconds. */
      filmOffsetMs: number
      /** Milliseconds since 1970; null: as long as the film is kept. */
      until: number | null
      /** Whether what was said is shown beside it. */
      chat: boolean
      /** What was shown beside the people; null for nothing. */
      slides: ReplaySlides | null
      /** Whether one may jump ahead of what one has seen. */
      seek: boolean
    }

/** A page that is shown from a millisecond of the film on; `fileId` is null where there are no slides. */
export interface SlideTurn {
  ms: number
  fileId: string | null
  page: number
}

/** The slides of a replay: where each file lies, and which page is shown when. */
export interface ReplaySlides {
  documents: Record<string, string>
  turns: SlideTurn[]
}

/** What somebody finds after an event. */
export interface FinishedView {
  workshop: MeetingSummary
  ticket: string
  name: string
  /** Staff see numbers behind another address; they do not rate themselves. */
  staff: boolean
  /** Was in the room while the event ran. */
  attended: boolean
  over: boolean
  replay: ReplayView
  /** The school holds more than its plan has space for; told to staff alone. */
  full: boolean
  materials: { id: string; title: string; address: string; file: boolean }[]
  /** Those that were shown, as they were shown last. */
  buttons: { id: string; content: ButtonContent }[]
  rating: { stars: number; text: string } | null
  /** The next event of the school that anybody may register for. */
  next: { id: string; title: string; startAt: string; timeZone: string } | null
}
