import type { RoomRole, SessionKind } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { ChatSettings, HoldReason } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import type { ChatMessageKind, MessageRefusal } from './schema.ts'
import { findBadWord, hasLink } from './word-rules.ts'

/** Facts about a participant that decide in the chat. Instants are milliseconds since 1970. */
export interface ChatParticipant {
  personId: string
  role: RoomRole
  mutedUntil: number | null
  isolated: boolean
  banned: boolean
  /** When they last sent a message in this room. */
  lastMessageAt: number | null
}

export interface MessageDraft {
  kind: ChatMessageKind
  text: string
}

export interface ChatRoom {
  kind: SessionKind
  phase: RoomState['phase']
  chat: ChatSettings
}

export type MessageVerdict =
  | { isAllowed: true; holdReason: HoldReason | null }
  | { isAllowed: false; reason: MessageRefusal; until: number | null; retryAfterSeconds: number | null }

export const isStaff = (role: RoomRole): boolean => hasRight(role, 'moderate')

/**
 * Whether a participant may send this message now, and whether it is held: for approval (`premod`, `words`), or
 * permanently between the author and staff (`isolated`, `session`: rehearsals and auto-webinars).
 */
export function checkChatMessage(
  participant: ChatParticipant,
  draft: MessageDraft,
  room: ChatRoom,
  now: number,
): MessageVerdict {
  if (participant.banned) return refuseMessage('banned')
  if (isStaff(participant.role)) return { isAllowed: true, holdReason: null }
  if (participant.mutedUntil !== null && participant.mutedUntil > now)
    return refuseMessage('muted', participant.mutedUntil, now)
  const closed = findChatRestriction(draft, room)
  if (closed) return refuseMessage(closed)
  if (room.chat.links === 'staff' && hasLink(draft.text)) return refuseMessage('links')
  const { slowModeSeconds } = room.chat
  const next = (participant.lastMessageAt ?? Number.NEGATIVE_INFINITY) + slowModeSeconds * 1000
  if (slowModeSeconds > 0 && next > now) return refuseMessage('slow', next, now)
  return { isAllowed: true, holdReason: findHoldReason(participant, draft, room) }
}

/** Actions in the chat. */
export const CHAT_ACTIONS = [
  'send',
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
export type ChatAction = (typeof CHAT_ACTIONS)[number]

const EVERYONE_ACTIONS: readonly ChatAction[] = ['send', 'read', 'react', 'deleteOwn', 'seePeople']

/**
 * Whether a participant may perform an action in the chat. Banned participants may nothing; muted and isolated ones
 * still read and react.
 */
export function canActInChat(participant: Pick<ChatParticipant, 'role' | 'banned'>, action: ChatAction): Verdict {
  if (participant.banned) return deny('banned')
  if (EVERYONE_ACTIONS.includes(action)) return allow('in_the_room')
  return isStaff(participant.role) ? allow('moderates') : deny('not_a_moderator')
}

const RANKS: readonly RoomRole[] = ['viewer', 'student', 'moderator', 'speaker', 'host']

/** Whether a participant may restrict another one: only those of a lower role, never themselves. */
export function canRestrict(
  moderator: Pick<ChatParticipant, 'personId' | 'role'>,
  target: { personId: string; role: RoomRole },
): Verdict {
  if (moderator.personId === target.personId) return deny('oneself')
  return RANKS.indexOf(target.role) < RANKS.indexOf(moderator.role) ? allow('above') : deny('not_above')
}

/** How long the author may delete their own message. */
export const DELETE_OWN_LIMIT_MS = 5 * MINUTE_MS

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

function refuseMessage(reason: MessageRefusal, until: number | null = null, now = 0): MessageVerdict {
  return {
    isAllowed: false,
    reason,
    until,
    retryAfterSeconds: until === null ? null : Math.ceil((until - now) / 1000),
  }
}
