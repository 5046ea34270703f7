import { describe, expect, test } from 'vitest'
import { applyReaction, foldChat, mergeMessages, NO_CHAT, sortQuestions } from '#islands/meeting/chat/chat-list.ts'
import { addReplayPage, messagesUntil, nextReplayOffset } from '#islands/meeting/chat/chat-replay.ts'
import { createPollView } from '#islands/meeting/chat/poll-view.ts'
import type { ChatMessageView } from '#lib/meeting/chat/schema.ts'
import { EVENT_PAYLOADS, type NewEvent, type RoomEvent } from '#lib/workshop/session/event-schema.ts'

const ME = { personId: 'me', isStaff: false }
const STAFF = { personId: 'staff', isStaff: true }

/** An event as in the log. */
function event(seq: number, { type, payload, actorId = 'other', audience = 'all' }: NewEvent): RoomEvent {
  const parsed = EVENT_PAYLOADS[type].parse(payload)
  return { seq, at: seq * 1000, offsetMs: seq * 1000, actorId, audience, type, payload: parsed } as RoomEvent
}

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const author = { name: 'Олена', role: 'viewer' as const }
const chatEvent = (seq: number, more: object = {}, actorId = 'other', type: 'message' | 'question' = 'message') =>
  event(seq, { type, actorId, payload: { messageId: idOf(seq), author, text: `Слово ${seq}`, ...more } })
const fold = (events: RoomEvent[], reader = ME) =>
  events.reduce((lists, event) => foldChat(lists, event, reader), NO_CHAT)
const texts = (list: readonly ChatMessageView[]) => list.map(({ text }) => text)

describe('chat lists after events', () => {
  test('are in the order of the event log, each message once', () => {
    const lists = fold([chatEvent(1), chatEvent(3), chatEvent(2), chatEvent(3)])
    expect(texts(lists.message)).toEqual(['Слово 1', 'Слово 2', 'Слово 3'])
    expect(foldChat(lists, chatEvent(2), ME)).toBe(lists)
  })

  test('hold waiting messages apart and show an approved one once', () => {
    const waitingEvent = chatEvent(1, { holdReason: 'premod' })
    const shows = event(2, {
      type: 'messageShown',
      payload: { messageId: idOf(1), authorId: idOf(9), author, text: 'Слово 1' },
    })
    const waiting = fold([waitingEvent], STAFF)
    expect([texts(waiting.message), texts(waiting.waiting)]).toEqual([[], ['Слово 1']])
    const shown = foldChat(waiting, shows, STAFF)
    expect([texts(shown.message), shown.waiting]).toEqual([['Слово 1'], []])
    expect(foldChat(shown, shows, STAFF)).toBe(shown)
    expect(texts(fold([shows]).message)).toEqual(['Слово 1'])
  })

  test('omit deleted messages and show answers', () => {
    const question = chatEvent(1, {}, 'other', 'question')
    const answered = event(2, { type: 'answer', payload: { messageId: idOf(1), text: 'Так', author } })
    expect(fold([question, answered]).question[0]?.answer).toMatchObject({ text: 'Так', offsetMs: 2000 })
    expect(fold([chatEvent(1), event(2, { type: 'messageDeleted', payload: { messageId: idOf(1) } })]).message).toEqual(
      [],
    )
  })

  test('count an own reaction once, also when its event is repeated, and remove it', () => {
    const [message] = fold([chatEvent(1)]).message
    if (!message) throw new Error('nothing was said')
    const mine = applyReaction(message, '👍', true, true)
    expect(mine).toMatchObject({ reactions: { '👍': 1 }, ownReactions: ['👍'] })
    expect(applyReaction(mine, '👍', true, true)).toBe(mine)
    expect(applyReaction(mine, '👍', true, false).reactions).toEqual({ '👍': 2 })
    expect(applyReaction(mine, '👍', false, true)).toMatchObject({ reactions: {}, ownReactions: [] })
  })

  test('merge pages without duplicates', () => {
    const { message } = fold([chatEvent(3), chatEvent(4)])
    const older = fold([chatEvent(1), chatEvent(2), chatEvent(3)]).message
    expect(texts(mergeMessages(message, older))).toEqual(['Слово 1', 'Слово 2', 'Слово 3', 'Слово 4'])
  })

  test('hold at most 2000 messages', () => {
    const lists = fold(Array.from({ length: 2500 }, (_, index) => chatEvent(index + 1)))
    expect([lists.message.length, lists.message[0]?.text]).toEqual([2000, 'Слово 501'])
  })

  test('put the question that is being answered first, then sort by votes', () => {
    const questions = fold([1, 2, 3].map((seq) => chatEvent(seq, {}, 'other', 'question'))).question
    const voted = questions.map((question) =>
      question.seq === 2 ? applyReaction(question, 'up', true, false) : question,
    )
    expect(sortQuestions(voted, 'top', null).map(({ seq }) => seq)).toEqual([2, 3, 1])
    expect(sortQuestions(voted, 'top', idOf(1)).map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(sortQuestions(voted, 'new', null).map(({ seq }) => seq)).toEqual([3, 2, 1])
  })
})

describe('a poll', () => {
  const content = {
    question: 'Так?',
    kind: 'quiz' as const,
    options: ['Так', 'Ні'],
    right: [0],
    showResults: 'always' as const,
  }
  const poll = { pollId: 'p', content, openedAt: 0, closed: false, tally: [], voters: 0 }

  test('shows results only after the own vote', () => {
    const live = { tally: [1, 3], voters: 4 }
    expect(createPollView(poll, live, null, false)).toMatchObject({
      showsResults: false,
      options: [{ isRight: null }, { isRight: null }],
    })
    expect(createPollView(poll, live, [1], false)).toMatchObject({
      showsResults: true,
      options: [
        { percent: 25, isRight: null, isOwn: false },
        { percent: 75, isRight: null, isOwn: true },
      ],
    })
  })

  test('shows the right answers after it is closed, if they are known', () => {
    const right = (shownPoll: typeof poll, staff = false) =>
      createPollView(shownPoll, null, null, staff).options.map((line) => line.isRight)
    expect([right(poll), right(poll, true)]).toEqual([
      [null, null],
      [true, false],
    ])
    expect(right({ ...poll, closed: true })).toEqual([true, false])
    expect(right({ ...poll, closed: true, content: { ...content, right: [] } }, true)).toEqual([null, null])
  })

  test('of a script is closed with the votes of the viewers', () => {
    const live = { tally: [1, 3], voters: 4 }
    expect(createPollView({ ...poll, closed: true }, live, null, false)).toMatchObject({
      voters: 4,
      showsResults: true,
    })
    const closedPoll = { ...poll, closed: true, tally: [9, 1], voters: 10 }
    expect(createPollView(closedPoll, live, null, false)).toMatchObject({
      voters: 10,
      options: [{ votes: 9 }, { votes: 1 }],
    })
  })

  test('shows its results to staff only, or after its end, as set', () => {
    const staffs = { ...poll, content: { ...content, showResults: 'staff' as const } }
    expect([
      createPollView(staffs, null, [0], false).showsResults,
      createPollView(staffs, null, null, true).showsResults,
    ]).toEqual([false, true])
    const later = { ...poll, content: { ...content, showResults: 'afterClose' as const } }
    expect([
      createPollView(later, null, [0], false).showsResults,
      createPollView({ ...later, closed: true }, null, null, false).showsResults,
    ]).toEqual([false, true])
  })
})

test('a replay loads messages ahead without gaps, and again after a seek', () => {
  const page = fold([chatEvent(1), chatEvent(2), chatEvent(3)]).message
  expect(nextReplayOffset(null, 0)).toBe(-120_000)
  const part = addReplayPage(null, page, { fromMs: -120_000, full: true })
  expect(part.untilMs).toBe(3000)
  expect(nextReplayOffset(part, 2000)).toBe(3000)
  const more = addReplayPage(part, fold([chatEvent(3), chatEvent(40)]).message, { fromMs: 3000, full: false })
  expect(texts(more.messages)).toEqual(['Слово 1', 'Слово 2', 'Слово 3', 'Слово 40'])
  expect(nextReplayOffset(more, 9_000_000)).toBeNull()
  expect(texts(messagesUntil(more, 2500))).toEqual(['Слово 1', 'Слово 2'])
  expect(nextReplayOffset({ ...part, fromMs: 500_000 }, 0)).toBe(-120_000)
})
