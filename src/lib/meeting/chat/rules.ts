import type { RoomRole, SessionKind } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { ChatSettings, HoldReason } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { MessageKind, MessageRefusal } from './schema.ts'
import { findBadWord, hasLink } from './word-rules.ts'

/** The part of a person in the room that decides. Instants are milliseconds since 1970. */
export interface ChatParticipant {
  personId: string
  role: RoomRole
  mutedUntil: number | null
  isolated: boolean
  banned: boolean
  /** When they last said something in this room. */
  lastMessageAt: number | null
}

export interface MessageDraft {
  kind: MessageKind
  text: string
}

export interface ChatRoom {
  kind: SessionKind
  phase: RoomState['phase']
  chat: ChatSettings
}

export type MessageVerdict =
  | { isAllowed: true; held: HoldReason | null }
  | { isAllowed: false; because: MessageRefusal; until: number | null; retryAfterSeconds: number | null }

export const isStaff = (role: RoomRole): boolean => hasRight(role, 'moderate')

/**
 * Whether somebody may say this now, and whether it is held back: for the moderators' queue (`premod`, `words`), or for
 * good between the author and the staff (`isolated`, `session`: rehearsals and showings of a recording).
 */
export function checkChatMessage(
  participant: ChatParticipant,
  draft: MessageDraft,
  room: ChatRoom,
  now: number,
): MessageVerdict {
  if (participant.banned) return refuseMessage('banned')
  if (isStaff(participant.role)) return { isAllowed: true, held: null }
  if (participant.mutedUntil !== null && participant.mutedUntil > now)
    return refuseMessage('muted', participant.mutedUntil, now)
  const closed = findChatRestriction(draft, room)
  if (closed) return refuseMessage(closed)
  if (room.chat.links === 'staff' && hasLink(draft.text)) return refuseMessage('links')
  const { slowModeSeconds } = room.chat
  const next = (participant.lastMessageAt ?? Number.NEGATIVE_INFINITY) + slowModeSeconds * 1000
  if (slowModeSeconds > 0 && next > now) return refuseMessage('slow', next, now)
  return { isAllowed: true, held: findHoldReason(participant, draft, room) }
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

const EVERYONE_ACTS: readonly ChatAct[] = ['say', 'read', 'react', 'deleteOwn', 'seePeople']

/** Who may do what with the chat. Who was banned may nothing; muted and isolated ones still read and react. */
export function canActInChat(participant: Pick<ChatParticipant, 'role' | 'banned'>, act: ChatAct): Verdict {
  if (participant.banned) return deny('banned')
  if (EVERYONE_ACTS.includes(act)) return allow('in_the_room')
  return isStaff(participant.role) ? allow('moderates') : deny('not_a_moderator')
}

const RANKS: readonly RoomRole[] = ['viewer', 'moderator', 'speaker', 'host']

/** Order is kept among those below oneself: a moderator never mutes a speaker, nobody themselves. */
export function canRestrict(
  moderator: Pick<ChatParticipant, 'personId' | 'role'>,
  target: { personId: string; role: RoomRole },
): Verdict {
  if (moderator.personId === target.personId) return deny('oneself')
  return RANKS.indexOf(target.role) < RANKS.indexOf(moderator.role) ? allow('above') : deny('not_above')
}

/** How long the author of a message may still take it back. */
export const DELETE_OWN_LIMIT_MS = 5 * 60_000

function findChatRestriction({ kind }: MessageDraft, { chat, phase, kind: session }: ChatRoom): MessageRefusal | null {
  if (chat.mode === 'off') return 'chat_off'
  if (chat.mode === 'staffOnly') return 'staff_only'
  if (chat.mode === 'questionsOnly' && kind === 'message') return 'questions_only'
  if (phase === 'waiting' && !chat.beforeStart && session !== 'onDemand') return 'before_start'
  return null
}

function findHoldReason(
  { isolated }: ChatParticipant,
  { text }: MessageDraft,
  { kind, chat }: ChatRoom,
): HoldReason | null {
  if (isolated) return 'isolated'
  if (kind === 'auto' || kind === 'rehearsal') return 'session'
  if (findBadWord(text, chat.badWords)) return 'words'
  return chat.mode === 'premod' ? 'premod' : null
}

function refuseMessage(because: MessageRefusal, until: number | null = null, now = 0): MessageVerdict {
  return {
    isAllowed: false,
    because,
    until,
    retryAfterSeconds: until === null ? null : Math.ceil((until - now) / 1000),
  }
}
