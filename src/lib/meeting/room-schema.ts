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
import type { MessageView } from './chat/schema.ts'
import type { StagePlace } from './stage/rules.ts'
import type { EncoderSource } from './stage/schema.ts'

const id = z.uuid()
/** Made by the browser: saying it again is the same act. */
const clientId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[\w-]+$/)

/** What lets a person into one room: see seat.ts. */
export const Seat = z.object({ ticket: z.string().min(1).max(400) })
export type Seat = z.infer<typeof Seat>

export const ListEvents = Seat.extend({ after: int4Text(0) })
export const SetMode = Seat.extend({ mode: z.enum(PRESENTATION_MODES) })
/** Without a file: a page of the slides that are shown. */
export const SetSlide = Seat.extend({ fileId: id.nullable().optional(), page: z.number().int().min(1).max(2000) })
export const ButtonAct = Seat.extend({ buttonId: id })
export const HandoutAct = Seat.extend({ handoutId: id })
export const PollAct = Seat.extend({ pollId: id })
export const Vote = PollAct.extend({ choices: z.array(z.number().int().min(0).max(11)).min(1).max(12), clientId })
export const ButtonReport = ButtonAct.extend({ clientId })
export const WindowReport = Seat.extend({ visible: z.boolean(), clientId })
export const Rate = Seat.extend({ stars: z.number().int().min(1).max(5), text: multilineText(2000).default('') })
export const SetChat = Seat.extend({ chat: ChatSettings })

/** What somebody sees of an event before they are in. Instants are ISO strings. */
export interface MeetingSummary {
  id: string
  type: WorkshopType
  title: string
  description: string
  startAt: string | null
  timeZone: string
  plannedMinutes: number
  language: Locale
  /** Addresses that open for whoever asked. */
  cover: string | null
  splash: Record<'before' | 'after' | 'lost', { text: string; image: string | null }>
  speakers: { name: string; about: string; host: boolean; photo: string | null }[]
  recorded: boolean
  /** `automatic` only where the installation can hear. */
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
  /** Where a viewer stands with the stage. */
  stage: StagePlace
}

export interface StreamAccess {
  /** WHIP or WHEP. */
  endpoint: string
  ticket: string
}

/**
 * The way to the media plane, for some minutes: `getMedia` renews it. `{stream}` in the endpoint for playing stands for a
 * stream's name; behind the beginning for HLS come its name and a slash. In the browser see playAt and publishAt.
 */
export interface MediaView {
  iceServers: { urls: string[]; username?: string; credential?: string }[]
  play: {
    endpoint: string
    /** Null for those who may not play now: viewers before the start. */
    ticket: string | null
    /** The beginning of the HLS addresses of a stream; null where there is none. */
    hls: string | null
  }
  /** Null for who may not publish. `companion`: the same stream in VP8, for viewers without H.264. */
  publish: Record<'camera' | 'screen', StreamAccess & { companion: StreamAccess }> | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** What the staff have prepared, in their order. */
export interface PreparedItems {
  buttons: { id: string; content: ButtonContent }[]
  polls: { id: string; content: PollContent }[]
  handouts: { id: string; content: HandoutContent }[]
}

/** Everything that a person's device needs to show a room, and to go on from there by its stream. */
export interface RoomView {
  ticket: string
  me: RoomPerson
  workshop: MeetingSummary
  sessionId: string
  kind: SessionKind
  state: RoomState
  /** All up to this number of the log is in `state`. */
  lastSeq: number
  /** The stream of the room is resumed after this event of it; null when nothing was ever said. */
  liveId: number | null
  /** Milliseconds since 1970. */
  serverNow: number
  /** How many viewers are in the room. */
  online: number
  /** The last ones, the oldest first. */
  messages: MessageView[]
  media: MediaView
  /** Where the slides lie, a PDF; null when none are shown. */
  slides: string | null
  /** Of the poll that is open or was closed last. */
  tally: Tally | null
  /** My own votes by poll. */
  votes: Record<string, number[]>
  /** Of buttons that say how many are left: how many viewers have followed them. */
  taken: Record<string, number>
  /** For staff alone. */
  items: PreparedItems | null
  staff: { waiting: number; limit: number | null; buttons: ButtonCount[] } | null
  auto: AutoView | null
}

/** How many people have seen and clicked a button. */
export interface ButtonCount {
  buttonId: string
  saw: number
  clicked: number
}

export interface Tally {
  pollId: string
  /** Votes by option; of a rating by 1 to 5. */
  tally: number[]
  voters: number
}

/**
 * What somebody finds behind the door of an event:
 * register: they have to register first; name: they may come in under a name; limit: no seat is free, they stand in the
 * queue; expired: nobody began it; banned: this person or device is not let in.
 */
export type MeetingView =
  | { kind: 'register' | 'expired' | 'canceled' | 'banned'; workshop: MeetingSummary }
  /** `over`: it has ended, and what is behind the door is what is left of it. */
  | { kind: 'name'; workshop: MeetingSummary; over: boolean }
  | { kind: 'login'; workshop: MeetingSummary }
  | { kind: 'finished'; workshop: MeetingSummary; ticket: string | null }
  | { kind: 'limit'; workshop: MeetingSummary; ticket: string; place: number }
  | { kind: 'waiting' | 'room'; workshop: MeetingSummary; room: RoomView }

/** The place in the queue; `admitted` when a seat is free and kept for a minute. */
export interface PlaceView {
  place: number
  admitted: boolean
  workshopId: string
  title: string
}

/** What is said on the streams of a room, besides what other parts of the room add. */
export type RoomUpdate =
  | { events: RoomEvent[] }
  | { online: number }
  | { tally: Tally }
  | { counts: ButtonCount[] }
  /** Of buttons that say how many are left: how many viewers have followed them. */
  | { taken: Record<string, number> }
  /** How many stand in the queue; for staff. */
  | { waiting: number; limit: number | null }
  /** The role of this person is another one by now. */
  | { role: RoomRole }
  | { admitted: true }
  | { place: number }
  /** Somebody cannot decode H.264: the publisher shall add a companion in VP8. */
  | { codecWanted: 'camera' | 'screen' }
  /** Encoders that publish; for staff. */
  | { sources: EncoderSource[] }
