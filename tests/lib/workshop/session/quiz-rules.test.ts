import { expect, test } from 'vitest'
import type { PollContent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { hideEventAnswers, hidePollAnswers } from '#lib/workshop/session/quiz-rules.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'

const quiz: PollContent = { question: 'Скільки?', kind: 'quiz', options: ['1', '2'], right: [1], showResults: 'always' }
const poll: PollContent = { ...quiz, kind: 'single', right: [] }
const empty = initialRoomState(
  { mode: 'open', beforeStart: true, links: 'staff', slowModeSeconds: 0, badWords: [] },
  null,
)
const room = (content: PollContent, closed: boolean) => ({
  ...empty,
  poll: { pollId: 'p', content, openedAt: 1, closed, tally: [], voters: 0 },
})
const facts = { seq: 1, at: 1, offsetMs: 0, actorId: null, audience: 'all' as const }
const opened = (content: PollContent): RoomEvent => ({ ...facts, type: 'poll.open', payload: { pollId: 'p', content } })

test('viewers receive the correct answers of a quiz when it closes', () => {
  expect(hidePollAnswers(room(quiz, false)).poll).toEqual({
    ...room(quiz, false).poll,
    content: { ...quiz, right: [] },
  })
  const closed = room(quiz, true)
  expect(hidePollAnswers(closed)).toBe(closed)
})

test('a room without a quiz is the same object', () => {
  for (const same of [empty, room(poll, false)]) expect(hidePollAnswers(same)).toBe(same)
})

test('the opening of a quiz is sent to viewers without its answers, otherwise unchanged', () => {
  expect(hideEventAnswers(opened(quiz))).toEqual(opened({ ...quiz, right: [] }))
  const others: RoomEvent[] = [
    opened(poll),
    { ...facts, type: 'poll.close', payload: { pollId: 'p', tally: [1], voters: 1, right: [1] } },
  ]
  for (const event of others) expect(hideEventAnswers(event)).toBe(event)
})
