import { z } from 'zod'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import {
  type ParticipantKind,
  PRESENTATION_MODES,
  type RoomRole,
  type SessionKind,
  type WorkshopType,
} from '#lib/core/shared/event/live-event.ts'
import { int4Text } from '#lib/core/shared/int4.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import {
  type ButtonContent,
  ChatSettings,
  type HandoutContent,
  type PollContent,
  type RoomEvent,
} from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { ChatMessageView } from './chat/schema.ts'
import type { StagePlace } from './stage/rules.ts'
import type { EncoderSource } from './stage/schema.ts'

const id = z.uuid()
/** Made by the browser: the same id is the same action. */
const clientId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[\w-]+$/)

/** Seat token of the caller: see seat.ts. */
export const Seat = z.object({ seatToken: z.string().min(1).max(400) })
export type Seat = z.infer<typeof Seat>

export const ListEvents = Seat.extend({ after: int4Text(0) })
export const SetMode = Seat.extend({ mode: z.enum(PRESENTATION_MODES) })
/** Without `fileId`: a page of the slides that are shown. */
export const SetSlide = Seat.extend({ fileId: id.nullable().optional(), page: z.number().int().min(1).max(2000) })
export const ButtonInput = Seat.extend({ buttonId: id })
export const HandoutVisibilityInput = Seat.extend({ handoutId: id })
export const PollInput = Seat.extend({ pollId: id })
export const Vote = PollInput.extend({ choices: z.array(z.number().int().min(0).max(11)).min(1).max(12), clientId })
export const ButtonReport = ButtonInput.extend({ clientId })
export const WindowReport = Seat.extend({ visible: z.boolean(), clientId })
export const RateEvent = Seat.extend({ stars: z.number().int().min(1).max(5), text: multilineText(2000).default('') })
export const SetRecordingConsent = Seat.extend({ agrees: z.boolean() })
export const SetChat = Seat.extend({ chat: ChatSettings })

/** Public summary of an event. Instants are ISO strings. */
export interface MeetingSummary {
  id: string
  type: WorkshopType
  title: string
  description: string
  startAt: string | null
  timeZone: string
  plannedMinutes: number
  language: Locale
  /** URLs signed for the caller. */
  cover: string | null
  splash: Record<'before' | 'after' | 'lost', { text: string; image: string | null }>
  speakers: { name: string; about: string; host: boolean; photo: string | null }[]
  recorded: boolean
  /** `automatic` only where a speech service is configured. */
  captions: 'off' | 'typed' | 'automatic'
}

export interface RoomPerson {
  personId: string
  name: string
  role: RoomRole
  kind: ParticipantKind
  locale: Locale
  /** Milliseconds since 1970. */
  mutedUntil: number | null
  isolated: boolean
  /** A viewer's relation to the stage. */
  stage: StagePlace
}

export interface RoomStreamAccess {
  /** WHIP or WHEP. */
  endpoint: string
  token: string
}

/**
 * Media endpoints and stream tokens, valid for some minutes: `getMedia` renews them. `{stream}` in the play endpoint is
 * replaced by the stream's name; the HLS base is followed by the name and a slash. In the browser see playAt and
 * publishAt.
 */
export interface RoomMediaView {
  iceServers: { urls: string[]; username?: string; credential?: string }[]
  play: {
    endpoint: string
    /** Null when the participant may not play now: viewers before the start. */
    token: string | null
    /** Base of a stream's HLS URLs; null without HLS. */
    hls: string | null
  }
  /** Null when the participant may not publish. `companion`: the same stream in VP8 for viewers without H.264. */
  publish: Record<'camera' | 'screen', RoomStreamAccess & { companion: RoomStreamAccess }> | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Items prepared by staff, in order. */
export interface PreparedItems {
  buttons: { id: string; content: ButtonContent }[]
  polls: { id: string; content: PollContent }[]
  handouts: { id: string; content: HandoutContent }[]
}

/** Everything a browser needs to render a room and to follow its event stream from there. */
export interface RoomView {
  seatToken: string
  me: RoomPerson
  workshop: MeetingSummary
  sessionId: string
  kind: SessionKind
  state: RoomState
  /** Log entries up to this sequence number are in `state`. */
  lastSeq: number
  /** The event stream is resumed after this live event; null when none was published. */
  liveId: number | null
  /** Milliseconds since 1970. */
  serverNow: number
  /** Number of viewers in the room. */
  online: number
  /** Latest messages, oldest first. */
  messages: ChatMessageView[]
  /** Cursor of `listMessages` for the older messages; null when there are none. */
  olderMessages: string | null
  media: RoomMediaView
  /** URL of the slides, a PDF; null when none are shown. */
  slides: string | null
  /** Votes of the poll that is open or was closed last. */
  tally: PollTally | null
  /** The participant's own votes by poll. */
  votes: Record<string, number[]>
  /** Number of viewers who followed a button that shows the remaining number. */
  clicksByButton: Record<string, number>
  /** For staff only. */
  items: PreparedItems | null
  staff: { waiting: number; limit: number | null; buttons: ButtonCount[] } | null
  auto: AutoView | null
  /** Where the room leads after the end; the page of the finished event by default. */
  exitPath?: string
  /** In the room of a session with a mentor. */
  mentoring: MentoringRoomView | null
}

/** The room of a session with a mentor, for one of its people. */
export interface MentoringRoomView {
  /** The person's own member id. */
  memberId: string
  consent: RoomConsent
}

/** Consent to the recording of a session: the mentor and its students. It is recorded while all have agreed. */
export interface RoomConsent {
  isRecorded: boolean
  people: { memberId: string; name: string; hasAgreed: boolean }[]
}

/** Number of participants who saw and clicked a button. */
export interface ButtonCount {
  buttonId: string
  saw: number
  clicked: number
}

export interface PollTally {
  pollId: string
  /** Votes by option; of a rating by 1 to 5. */
  tally: number[]
  voters: number
}

/**
 * Result of entering an event. register: registration comes first; name: entry needs a name; limit: no free seat, the
 * participant is in the waiting queue; expired: the event was not started; banned: this participant or device is
 * banned.
 */
export type MeetingView =
  | { kind: 'register' | 'expired' | 'canceled' | 'banned'; workshop: MeetingSummary }
  /** `over`: it has ended, and the entry leads to the page after it. */
  | { kind: 'name'; workshop: MeetingSummary; over: boolean }
  | { kind: 'login'; workshop: MeetingSummary }
  | { kind: 'finished'; workshop: MeetingSummary; seatToken: string | null }
  | { kind: 'limit'; workshop: MeetingSummary; seatToken: string; place: number }
  | { kind: 'waiting' | 'room'; workshop: MeetingSummary; room: RoomView }

/** Position in the waiting queue; `admitted` when a seat is reserved for a minute. */
export interface PlaceView {
  place: number
  admitted: boolean
  workshopId: string
  title: string
}

/** Messages on the live channels of a room, besides those of other modules. */
export type RoomUpdate =
  | { events: RoomEvent[] }
  | { online: number }
  | { tally: PollTally }
  | { counts: ButtonCount[] }
  /** Number of viewers who followed a button that shows the remaining number. */
  | { clicksByButton: Record<string, number> }
  /** Length of the waiting queue; for staff. */
  | { waiting: number; limit: number | null }
  /** Consent to the recording of a session with a mentor. */
  | { consent: RoomConsent }
  /** The participant's role has changed. */
  | { role: RoomRole }
  | { admitted: true }
  | { place: number }
  /** A subscriber cannot decode H.264: the publisher adds a companion stream in VP8. */
  | { codecWanted: 'camera' | 'screen' }
  /** Encoders that publish; for staff. */
  | { sources: EncoderSource[] }
