import { describe, expect, test } from 'vitest'
import { ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import {
  CHAT_ACTIONS,
  type ChatParticipant,
  type ChatRoom,
  canActInChat,
  canRestrict,
  checkChatMessage,
  DELETE_OWN_LIMIT_MS,
} from '#lib/meeting/chat/rules.ts'

const NOW = 1_000_000
const viewer: ChatParticipant = {
  personId: 'viewer',
  role: 'viewer',
  mutedUntil: null,
  isolated: false,
  banned: false,
  lastMessageAt: null,
}
const chat: ChatRoom['chat'] = { mode: 'open', beforeStart: true, links: 'staff', slowModeSeconds: 0, badWords: [] }
const room: ChatRoom = { kind: 'live', phase: 'live', chat }
const message = { kind: 'message' as const, text: 'Доброго дня' }
const question = { kind: 'question' as const, text: 'Чи буде запис?' }

const messageEvent = (
  talker: Partial<ChatParticipant>,
  settings: Partial<ChatRoom['chat']> = {},
  more: Partial<ChatRoom> = {},
) => checkChatMessage({ ...viewer, ...talker }, message, { ...room, ...more, chat: { ...chat, ...settings } }, NOW)
const no = (reason: string, until: number | null = null, retryAfterSeconds: number | null = null) => ({
  isAllowed: false,
  reason,
  until,
  retryAfterSeconds,
})
const yes = (holdReason: string | null = null) => ({ isAllowed: true, holdReason })

describe('a message', () => {
  test('is published at once in an open chat', () => {
    expect(messageEvent({})).toEqual(yes())
  })

  test('is refused for a banned person, staff included', () => {
    expect(messageEvent({ banned: true })).toEqual(no('banned'))
    expect(messageEvent({ banned: true, role: 'host' })).toEqual(no('banned'))
  })

  test('is refused until a mute expires', () => {
    expect(messageEvent({ mutedUntil: NOW + 1500 })).toEqual(no('muted', NOW + 1500, 2))
    expect(messageEvent({ mutedUntil: NOW })).toEqual(yes())
  })

  test('is refused in slow mode until the interval since the last message has passed', () => {
    expect(messageEvent({ lastMessageAt: NOW - 4000 }, { slowModeSeconds: 10 })).toEqual(no('slow', NOW + 6000, 6))
    expect(messageEvent({ lastMessageAt: NOW - 10_000 }, { slowModeSeconds: 10 })).toEqual(yes())
    expect(messageEvent({ lastMessageAt: null }, { slowModeSeconds: 10 })).toEqual(yes())
    expect(messageEvent({ lastMessageAt: NOW + 5000 })).toEqual(yes())
  })

  test('of staff is subject to none of these limits', () => {
    const bound = { mutedUntil: NOW + 1, isolated: true, lastMessageAt: NOW, role: 'moderator' as const }
    expect(messageEvent(bound, { mode: 'off', slowModeSeconds: 60, links: 'staff' })).toEqual(yes())
  })
})

describe('a chat', () => {
  test.each([
    ['off', 'chat_off', 'chat_off'],
    ['staffOnly', 'staff_only', 'staff_only'],
    ['questionsOnly', 'questions_only', null],
    ['open', null, null],
  ] as const)('that is %s', (mode, ofMessage, ofQuestion) => {
    for (const [talk, refusal] of [
      [message, ofMessage],
      [question, ofQuestion],
    ] as const) {
      const verdict = checkChatMessage(viewer, talk, { ...room, chat: { ...chat, mode } }, NOW)
      expect(verdict).toEqual(refusal ? no(refusal) : yes())
    }
  })

  test('that is closed before the start opens with it, and opens at once for on-demand viewers', () => {
    const closed = { beforeStart: false }
    expect(messageEvent({}, closed, { phase: 'waiting' })).toEqual(no('before_start'))
    expect(messageEvent({}, closed, { phase: 'live' })).toEqual(yes())
    expect(messageEvent({}, { beforeStart: true }, { phase: 'waiting' })).toEqual(yes())
    expect(messageEvent({}, closed, { phase: 'waiting', kind: 'onDemand' })).toEqual(yes())
  })

  test('accepts links from staff only, or from everybody, as configured', () => {
    const link = { kind: 'message' as const, text: 'www.example.com' }
    expect(checkChatMessage(viewer, link, room, NOW)).toEqual(no('links'))
    expect(checkChatMessage(viewer, link, { ...room, chat: { ...chat, links: 'all' } }, NOW)).toEqual(yes())
  })

  test('holds messages under premoderation, with forbidden words, of isolated people, and without a live session', () => {
    expect(messageEvent({}, { mode: 'premod' })).toEqual(yes('premod'))
    expect(messageEvent({}, { badWords: ['добр*'] })).toEqual(yes('words'))
    expect(messageEvent({}, { badWords: ['зле'] })).toEqual(yes())
    expect(messageEvent({ isolated: true }, { badWords: ['добр*'] })).toEqual(yes('isolated'))
    expect(messageEvent({}, {}, { kind: 'auto' })).toEqual(yes('session'))
    expect(messageEvent({}, {}, { kind: 'rehearsal' })).toEqual(yes('session'))
    expect(messageEvent({}, {}, { kind: 'onDemand' })).toEqual(yes())
  })
})

test.each(CHAT_ACTIONS)('the action %s is permitted to everybody or to moderators', (action) => {
  const everybody = ['send', 'read', 'react', 'deleteOwn', 'seePeople'].includes(action)
  const reason = everybody ? 'in_the_room' : 'not_a_moderator'
  expect(canActInChat({ role: 'viewer', banned: false }, action)).toEqual({ allow: everybody, reason })
  const moderates = everybody ? 'in_the_room' : 'moderates'
  expect(canActInChat({ role: 'moderator', banned: false }, action)).toEqual({ allow: true, reason: moderates })
  expect(canActInChat({ role: 'moderator', banned: true }, action)).toEqual({ allow: false, reason: 'banned' })
})

test('moderation is permitted against people of lower rank', () => {
  const ranks = { viewer: 0, student: 1, moderator: 2, speaker: 3, host: 4 }
  for (const role of ROOM_ROLES)
    for (const other of ROOM_ROLES) {
      const above = ranks[other] < ranks[role]
      const verdict = canRestrict({ personId: 'a', role }, { personId: 'b', role: other })
      expect(verdict).toEqual({ allow: above, reason: above ? 'above' : 'not_above' })
    }
  expect(canRestrict({ personId: 'a', role: 'host' }, { personId: 'a', role: 'viewer' })).toEqual({
    allow: false,
    reason: 'oneself',
  })
})

test('a message can be deleted by its author for five minutes', () => {
  expect(DELETE_OWN_LIMIT_MS).toBe(300_000)
})
