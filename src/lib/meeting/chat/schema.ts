import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { int4Text } from '#lib/core/shared/int4.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import type { HoldReason } from '#lib/workshop/session/event-schema.ts'

export const CHAT_MESSAGE_LIMIT = 2000

export const CHAT_MESSAGE_KINDS = ['message', 'question'] as const
export type ChatMessageKind = (typeof CHAT_MESSAGE_KINDS)[number]

/** `waiting` for a moderator; `private` stays between its author and the staff. */
export const CHAT_MESSAGE_STATES = ['shown', 'waiting', 'private', 'deleted'] as const
export type ChatMessageState = (typeof CHAT_MESSAGE_STATES)[number]

/** A closed list, so that nothing else can be rendered; `up` is the vote for a question. */
export const REACTIONS = ['👍', '❤️', '👏', '😂', '🔥', '🎉'] as const
export const UPVOTE = 'up'
export const Reaction = z.enum([...REACTIONS, UPVOTE])
export type Reaction = z.infer<typeof Reaction>

export const MESSAGE_PAGE_SIZE = 50
/** Page size of a replay, which reads ahead. */
export const REPLAY_PAGE_SIZE = 200

const id = z.uuid()
const seatToken = z.string().min(1).max(400)

export const Seat = z.object({ seatToken })

export const SendChatMessage = Seat.extend({
  /** Made by the browser: the same id is the same message. */
  messageId: id,
  kind: z.enum(CHAT_MESSAGE_KINDS).default('message'),
  text: multilineText(CHAT_MESSAGE_LIMIT).min(1, 'required'),
  replyTo: id.nullable().default(null),
})
export type SendChatMessage = z.output<typeof SendChatMessage>

export const ListChatMessages = Seat.extend({
  /** `next` of the page of newer messages; not with `fromMs` or `top`. */
  cursor: Cursor,
  kind: z.enum(['all', ...CHAT_MESSAGE_KINDS]).default('all'),
  /** Only staff may request other values than `all`. */
  state: z.enum(['all', 'waiting', 'private']).default('all'),
  /** For a replay: messages from this offset on, in milliseconds, in the order of the log. */
  fromMs: int4Text(-2_147_483_648).optional(),
  /** Questions: those with the most votes first (`top`), or unanswered ones only (`open`). */
  sort: z.enum(['new', 'top', 'open']).default('new'),
})
export type ListChatMessages = z.output<typeof ListChatMessages>

export const FindMessages = Seat.extend({
  search: textLine(100).min(1, 'required'),
  /** `next` of the previous page. */
  cursor: Cursor,
})
export type FindMessages = z.output<typeof FindMessages>

export const ChatMessageId = Seat.extend({ messageId: id })
export type ChatMessageId = z.output<typeof ChatMessageId>

/** Without a message it is applause for the stage. */
export const ReactToMessage = Seat.extend({ messageId: id.nullable().default(null), emoji: Reaction, on: z.boolean() })
export type ReactToMessage = z.output<typeof ReactToMessage>

export const PinMessage = ChatMessageId.extend({ pinned: z.boolean() })
export type PinMessage = z.output<typeof PinMessage>

export const SetAnswering = Seat.extend({ messageId: id.nullable() })
export type SetAnswering = z.output<typeof SetAnswering>

/** An empty text marks the question as answered aloud. */
export const AnswerQuestion = ChatMessageId.extend({ text: multilineText(4000).default('') })
export type AnswerQuestion = z.output<typeof AnswerQuestion>

const person = Seat.extend({ personId: id })

/** 0 minutes: unmute. */
export const MutePerson = person.extend({ minutes: z.number().int().min(0).max(1440) })
export type MutePerson = z.output<typeof MutePerson>

export const IsolatePerson = person.extend({ on: z.boolean() })
export type IsolatePerson = z.output<typeof IsolatePerson>

/** Longest reason of a ban, in characters. */
export const REASON_LIMIT = 300

/** A ban requires a reason; lifting it does not. */
export const BanPerson = person
  .extend({ on: z.boolean(), reason: textLine(REASON_LIMIT).default('') })
  .refine(({ on, reason }) => !on || reason !== '', { path: ['reason'], error: 'required' })
export type BanPerson = z.output<typeof BanPerson>

export const ListPeople = Seat.extend({
  search: textLine(100).default(''),
  /** `next` of the previous page. */
  cursor: Cursor,
  /** Only muted, isolated and banned participants. */
  onlyRestricted: z.coerce.boolean().default(false),
})
export type ListPeople = z.output<typeof ListPeople>

export const GetHandout = Seat.extend({ handoutId: id })
export type GetHandout = z.output<typeof GetHandout>

/** A reply shows the beginning of the message it answers, which may be on a page that is not loaded. */
interface ReplyView {
  name: string
  text: string
}

export interface ChatAnswerView {
  text: string
  name: string
  role: RoomRole
  /** Milliseconds since 1970, and since the start of the session. */
  at: number
  offsetMs: number
}

/** A message as one participant sees it. */
export interface ChatMessageView {
  messageId: string
  /** Sequence number in the log: order and page boundary. */
  seq: number
  kind: ChatMessageKind
  state: ChatMessageState
  holdReason: HoldReason | null
  /** Milliseconds since 1970, and since the start of the session. */
  at: number
  offsetMs: number
  authorId: string | null
  name: string
  role: RoomRole
  text: string
  replyTo: string | null
  reply: ReplyView | null
  /** Number of participants per reaction. */
  reactions: Record<string, number>
  /** Reactions of the reader. */
  ownReactions: string[]
  answer: ChatAnswerView | null
}

/** Why a message is refused; text: `meeting:refused.<reason>`. */
export const MESSAGE_REFUSALS = [
  'banned',
  'muted',
  'slow',
  'chat_off',
  'staff_only',
  'questions_only',
  'before_start',
  'links',
  'finished',
] as const
export type MessageRefusal = (typeof MESSAGE_REFUSALS)[number]

export interface PersonView {
  personId: string
  name: string
  role: RoomRole
  online: boolean
  /** The following fields are for staff only. */
  email: string | null
  mutedUntil: number | null
  isolated: boolean
  banned: boolean
}

export interface PeopleView {
  /** Present viewers, and viewers in total. */
  online: number
  total: number
  people: PersonView[]
  next: string | null
}
