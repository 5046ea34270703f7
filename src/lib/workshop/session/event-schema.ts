import { z } from 'zod'
import {
  type AUDIENCES,
  CHAT_MODES,
  DEVICES,
  type EventType,
  PRESENTATION_MODES,
  ROOM_ROLES,
} from '#lib/core/shared/event/live-event.ts'
import { int4 } from '#lib/core/shared/int4.ts'
import { PersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'

const id = z.uuid()
const at = z.iso.datetime()
const link = z
  .string()
  .max(2000)
  .url()
  .refine((value) => /^https?:/.test(value), 'format')

/** A button with a link. `countdownTo` counts down to an instant, `countdownSeconds` from its display. */
export const ButtonContent = z.object({
  label: textLine(80).min(1, 'required'),
  url: link,
  style: z.enum(['primary', 'accent', 'outline']).default('primary'),
  placement: z.enum(['underVideo', 'overlay', 'chat']).default('underVideo'),
  countdownTo: at.nullable().default(null),
  countdownSeconds: z.number().int().min(5).max(DAY_SECONDS).nullable().default(null),
  quantityLeft: z.number().int().min(0).max(1_000_000).nullable().default(null),
})
export type ButtonContent = z.infer<typeof ButtonContent>

/** `right`: indexes of the right options of a quiz. A rating has no options: 1 to 5. */
export const PollContent = z.object({
  question: textLine(300).min(1, 'required'),
  kind: z.enum(['single', 'multi', 'rating', 'quiz']).default('single'),
  options: z.array(textLine(200).min(1, 'required')).max(12).default([]),
  right: z.array(z.number().int().min(0).max(11)).max(12).default([]),
  showResults: z.enum(['always', 'afterClose', 'staff']).default('always'),
})
export type PollContent = z.infer<typeof PollContent>

/** A poll as entered by its author: with options, and a quiz with a right answer. */
export const AuthoredPoll = PollContent.refine(({ kind, options }) => kind === 'rating' || options.length >= 2, {
  path: ['options'],
  error: 'poll_needs_options',
}).refine(({ kind, options, right }) => kind !== 'quiz' || right.some((position) => position < options.length), {
  path: ['right'],
  error: 'quiz_needs_answer',
})

/** A hand-out: a file of the storage, or a link. */
export const HandoutContent = z.object({
  title: textLine(160).min(1, 'required'),
  fileId: id.nullable().default(null),
  url: link.nullable().default(null),
})
export type HandoutContent = z.infer<typeof HandoutContent>

export const AuthoredHandout = HandoutContent.refine(({ fileId, url }) => fileId !== null || url !== null, {
  path: ['url'],
  error: 'handout_needs_file',
})

/** Author of a message: copied into the log, because a name may change later. */
export const EventAuthor = z.object({ name: PersonName, role: z.enum(ROOM_ROLES) })
export type EventAuthor = z.infer<typeof EventAuthor>

export const ChatSettings = z.object({
  mode: z.enum(CHAT_MODES).default('open'),
  beforeStart: z.boolean().default(true),
  links: z.enum(['staff', 'all']).default('staff'),
  slowModeSeconds: z.number().int().min(0).max(3600).default(0),
  badWords: z.array(textLine(60).min(1)).max(500).default([]),
})
export type ChatSettings = z.infer<typeof ChatSettings>

export const STREAM_KINDS = ['camera', 'screen', 'encoder'] as const

/** A live stream: `<personId>-camera`, `<personId>-screen` or `<personId>-encoder` (a program outside the browser). */
export const LiveStream = z.object({
  stream: z.string().regex(new RegExp(`^${UUID_SOURCE}-(camera|screen|encoder)$`)),
  personId: id,
  kind: z.enum(STREAM_KINDS),
  name: PersonName,
  microphone: z.boolean(),
  camera: z.boolean(),
})
export type LiveStream = z.infer<typeof LiveStream>

/** Why a message is held: it waits for approval, or remains visible to its author and staff only. */
export const HOLD_REASONS = ['premod', 'words', 'isolated', 'session'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

const message = z.object({
  messageId: id,
  author: EventAuthor,
  text: multilineText(2000),
  replyTo: id.nullable().default(null),
  /** The reason why it is visible only to its author and staff; null when it is visible to all. */
  holdReason: z.enum(HOLD_REASONS).nullable().default(null),
})

/** Payload of each event type. Contents are copied, so that a later change or deletion does not affect the log. */
export const EVENT_PAYLOADS = {
  'webinar.start': z.object({}),
  'webinar.finish': z.object({ reason: z.enum(['host', 'left', 'script']).default('host') }),
  'presentation.change': z.object({ mode: z.enum(PRESENTATION_MODES) }),
  'broadcast.change': z.object({ onAir: z.array(LiveStream).max(24) }),
  'slide.change': z.object({ fileId: id.nullable(), page: z.number().int().min(1).max(2000) }),
  'button.show': z.object({ buttonId: id, content: ButtonContent, shownAt: at.nullable().default(null) }),
  'button.hide': z.object({ buttonId: id }),
  'handout.show': z.object({ handoutId: id, content: HandoutContent }),
  'handout.hide': z.object({ handoutId: id }),
  'poll.open': z.object({ pollId: id, content: PollContent }),
  'poll.close': z.object({
    pollId: id,
    tally: z.array(int4).default([]),
    voters: int4.default(0),
    /** For a quiz: viewers get it here and not at the opening. */
    right: z.array(z.number().int().min(0).max(11)).max(12).optional(),
  }),
  'poll.vote': z.object({ pollId: id, choices: z.array(z.number().int().min(0).max(11)).min(1).max(12) }),
  message,
  /** Contains the message: viewers have not received it before. */
  messageShown: z.object({
    messageId: id,
    kind: z.enum(['message', 'question']).default('message'),
    authorId: id.nullable().default(null),
    author: EventAuthor.nullable().default(null),
    text: multilineText(2000).default(''),
    replyTo: id.nullable().default(null),
    originalTime: z.object({ at: z.number(), offsetMs: z.number() }).nullable().default(null),
  }),
  messageDeleted: z.object({ messageId: id }),
  messagePinned: z.object({
    messageId: id,
    pinned: z.boolean(),
    text: multilineText(2000).default(''),
    author: EventAuthor.nullable().default(null),
  }),
  question: message,
  'question.now': z.object({ messageId: id.nullable() }),
  answer: z.object({ messageId: id, text: multilineText(4000).default(''), author: EventAuthor }),
  reaction: z.object({ messageId: id.nullable(), emoji: z.string().min(1).max(16), on: z.boolean().default(true) }),
  caption: z.object({ text: multilineText(500), language: z.enum(['uk', 'en']), final: z.boolean().default(true) }),
  'chat.change': ChatSettings,
  'user.connect': z.object({ device: z.enum(DEVICES).default('unknown') }),
  'user.leave': z.object({}),
  'user.click': z.object({ buttonId: id }),
  'user.sawButton': z.object({ buttonId: id }),
  'user.muted': z.object({ personId: id, until: at.nullable() }),
  'user.isolated': z.object({ personId: id, on: z.boolean() }),
  'user.banned': z.object({ personId: id, on: z.boolean(), reason: textLine(300).default('') }),
  'window.change': z.object({ visible: z.boolean() }),
  'hand.raise': z.object({ on: z.boolean() }),
  'stage.invite': z.object({ personId: id, on: z.boolean() }),
  'stage.change': z.object({ personId: id, accepted: z.boolean() }),
  /** A presenter's encoder key was created or revoked; the key itself is not stored. `issuedAt`: seconds since 1970. */
  'encoder.key': z.object({ personId: id, on: z.boolean(), issuedAt: z.int() }),
  'host.lost': z.object({}),
  'host.back': z.object({}),
  /** Off while there is not enough disk space. */
  'recording.change': z.object({ on: z.boolean() }),
} as const satisfies Record<EventType, z.ZodType>

export type Payload<T extends EventType> = z.infer<(typeof EVENT_PAYLOADS)[T]>

/**
 * A log entry as modules and the browser see it. `offsetMs` counts from the start of the session, below zero before it.
 */
export type RoomEvent = {
  [T in EventType]: {
    seq: number
    at: number
    offsetMs: number
    actorId: string | null
    audience: (typeof AUDIENCES)[number]
    type: T
    payload: Payload<T>
  }
}[EventType]

/** An event to append, without the fields that the log adds. */
export type NewEvent = {
  [T in EventType]: {
    type: T
    payload: z.input<(typeof EVENT_PAYLOADS)[T]>
    actorId?: string | null
    /** Idempotency key: unique per participant and session. */
    clientId?: string | null
    audience?: (typeof AUDIENCES)[number]
    /** Participant that an event with the audience `person` is for. */
    personId?: string | null
  }
}[EventType]
