import type { RoomRole, SessionKind } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { ChatSettings, Held } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { MessageKind, TalkRefusal } from './schema.ts'
import { findBadWord, hasLink } from './word-rules.ts'

/** The part of a person in the room that decides. Instants are milliseconds since 1970. */
export interface Talker {
  personId: string
  role: RoomRole
  mutedUntil: number | null
  isolated: boolean
  banned: boolean
  /** When they last said something in this room. */
  lastSaidAt: number | null
}

export interface Talk {
  kind: MessageKind
  text: string
}

export interface TalkRoom {
  kind: SessionKind
  phase: RoomState['phase']
  chat: ChatSettings
}

export type TalkVerdict =
  | { may: true; held: Held | null }
  | { may: false; because: TalkRefusal; until: number | null; retryAfterSeconds: number | null }

export const isStaff = (role: RoomRole): boolean => hasRight(role, 'moderate')

/**
 * Whether somebody may say this now, and whether it is held back: for the moderators' queue (`premod`, `words`), or for
 * good between the author and the staff (`isolated`, `session`: rehearsals and showings of a recording).
 */
export function judgeTalk(talker: Talker, talk: Talk, room: TalkRoom, now: number): TalkVerdict {
  if (talker.banned) return refused('banned')
  if (isStaff(talker.role)) return { may: true, held: null }
  if (talker.mutedUntil !== null && talker.mutedUntil > now) return refused('muted', talker.mutedUntil, now)
  const closed = closedFor(talk, room)
  if (closed) return refused(closed)
  if (room.chat.links === 'staff' && hasLink(talk.text)) return refused('links')
  const { slowModeSeconds } = room.chat
  const next = (talker.lastSaidAt ?? Number.NEGATIVE_INFINITY) + slowModeSeconds * 1000
  if (slowModeSeconds > 0 && next > now) return refused('slow', next, now)
  return { may: true, held: heldBecause(talker, talk, room) }
}

/** The acts of keeping order, and those of everybody. */
export const CHAT_ACTS = [
  'say',
  'read',
  'react',
  'deleteOwn',
  'deleteAny',
  'pin',
  'approve',
  'answer',
  'mute',
  'isolate',
  'ban',
  'seePeople',
  'searchPeople',
  'export',
] as const
export type ChatAct = (typeof CHAT_ACTS)[number]

const EVERYBODY: readonly ChatAct[] = ['say', 'read', 'react', 'deleteOwn', 'seePeople']

/** Who may do what with the chat. Who was banned may nothing; muted and isolated ones still read and react. */
export function mayInChat(person: Pick<Talker, 'role' | 'banned'>, act: ChatAct): Verdict {
  if (person.banned) return deny('banned')
  if (EVERYBODY.includes(act)) return allow('in_the_room')
  return isStaff(person.role) ? allow('moderates') : deny('not_a_moderator')
}

const RANKS: readonly RoomRole[] = ['viewer', 'moderator', 'speaker', 'host']

/** Order is kept among those below oneself: a moderator never mutes a speaker, nobody themselves. */
export function mayOrder(
  keeper: Pick<Talker, 'personId' | 'role'>,
  other: { personId: string; role: RoomRole },
): Verdict {
  if (keeper.personId === other.personId) return deny('oneself')
  return RANKS.indexOf(other.role) < RANKS.indexOf(keeper.role) ? allow('above') : deny('not_above')
}

/** How long the author of a message may still take it back. */
export const TAKE_BACK_MS = 5 * 60_000

function closedFor({ kind }: Talk, { chat, phase, kind: session }: TalkRoom): TalkRefusal | null {
  if (chat.mode === 'off') return 'chat_off'
  if (chat.mode === 'staffOnly') return 'staff_only'
  if (chat.mode === 'questionsOnly' && kind === 'message') return 'questions_only'
  if (phase === 'waiting' && !chat.beforeStart && session !== 'onDemand') return 'before_start'
  return null
}

function heldBecause({ isolated }: Talker, { text }: Talk, { kind, chat }: TalkRoom): Held | null {
  if (isolated) return 'isolated'
  if (kind === 'auto' || kind === 'rehearsal') return 'session'
  if (findBadWord(text, chat.badWords)) return 'words'
  return chat.mode === 'premod' ? 'premod' : null
}

function refused(because: TalkRefusal, until: number | null = null, now = 0): TalkVerdict {
  return { may: false, because, until, retryAfterSeconds: until === null ? null : Math.ceil((until - now) / 1000) }
}
