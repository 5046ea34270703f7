import { describe, expect, test } from 'vitest'
import type {
  ButtonContent,
  ChatSettings,
  LiveStream,
  PollContent,
  RoomEvent,
} from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent, initialRoomState } from '#lib/workshop/session/state-rules.ts'

const chat: ChatSettings = { mode: 'open', beforeStart: true, links: 'staff', slowModeSeconds: 0, badWords: [] }
const facts = { seq: 1, at: 5000, offsetMs: 0, actorId: null, audience: 'all' as const }
const empty = initialRoomState(chat, 'slides')
const button: ButtonContent = {
  label: 'Купити',
  url: 'https://school.ua',
  style: 'primary',
  placement: 'chat',
  countdownTo: null,
  countdownSeconds: null,
  quantityLeft: null,
}
const content: PollContent = {
  question: 'Чи чути?',
  kind: 'quiz',
  options: ['Так', 'Ні'],
  right: [0],
  showResults: 'always',
}
const author = { name: 'Оля', role: 'viewer' as const }
const camera: LiveStream = {
  stream: 'a-camera',
  personId: 'a',
  kind: 'camera',
  name: 'Оля',
  microphone: true,
  camera: true,
}

const show = (buttonId: string, label = 'Купити'): RoomEvent => ({
  ...facts,
  type: 'button.show',
  payload: { buttonId, content: { ...button, label }, shownAt: null },
})
const give = (handoutId: string): RoomEvent => ({
  ...facts,
  type: 'handout.show',
  payload: { handoutId, content: { title: handoutId, fileId: null, url: null } },
})
const pin = (messageId: string, pinned = true): RoomEvent => ({
  ...facts,
  type: 'messagePinned',
  payload: { messageId, pinned, text: messageId, author },
})
const remove = (messageId: string): RoomEvent => ({ ...facts, type: 'messageDeleted', payload: { messageId } })
const folded = (...events: RoomEvent[]) => events.reduce(applySessionEvent, empty)

describe('the room state', () => {
  test('starts empty in the waiting phase, with slides if there are any', () => {
    expect(initialRoomState(chat, null)).toEqual({
      phase: 'waiting',
      startedAt: null,
      finishedAt: null,
      mode: 'broadcast',
      slide: { fileId: null, page: 1 },
      buttons: [],
      handouts: [],
      poll: null,
      pinned: [],
      answering: null,
      chat,
      onAir: [],
      hostLostAt: null,
    })
    expect(empty.mode).toBe('presentationAndBroadcast')
    expect(empty.slide).toEqual({ fileId: 'slides', page: 1 })
  })

  test('becomes live, and again after an accidental end', () => {
    const lost = { ...empty, finishedAt: 1, hostLostAt: 2 }
    expect(applySessionEvent(lost, { ...facts, type: 'webinar.start', payload: {} })).toEqual({
      ...empty,
      phase: 'live',
      startedAt: 5000,
      finishedAt: null,
      hostLostAt: null,
    })
  })

  test('has no streams, poll or question after the end, but keeps its buttons', () => {
    const full = {
      ...folded(show('b'), { ...facts, type: 'poll.open', payload: { pollId: 'p', content } }),
      phase: 'live' as const,
      onAir: [camera],
      answering: 'm',
      hostLostAt: 3,
    }
    const over = applySessionEvent(full, { ...facts, type: 'webinar.finish', payload: { reason: 'host' } })
    expect(over).toEqual({
      ...full,
      phase: 'finished',
      finishedAt: 5000,
      onAir: [],
      poll: null,
      answering: null,
      hostLostAt: null,
    })
  })

  test('takes its mode, streams, slide and chat from events', () => {
    const changed = folded(
      { ...facts, type: 'presentation.change', payload: { mode: 'preview' } },
      { ...facts, type: 'broadcast.change', payload: { onAir: [camera] } },
      { ...facts, type: 'slide.change', payload: { fileId: 'other', page: 7 } },
      { ...facts, type: 'chat.change', payload: { ...chat, mode: 'off' } },
    )
    expect(changed).toEqual({
      ...empty,
      mode: 'preview',
      onAir: [camera],
      slide: { fileId: 'other', page: 7 },
      chat: { ...chat, mode: 'off' },
    })
  })

  test('stores since when its host is away', () => {
    const lost = folded({ ...facts, type: 'host.lost', payload: {} })
    expect(lost).toEqual({ ...empty, hostLostAt: 5000 })
    expect(applySessionEvent(lost, { ...facts, type: 'host.back', payload: {} })).toEqual(empty)
  })

  test('stores since when its recording is stopped', () => {
    const stopped = folded({ ...facts, type: 'recording.change', payload: { on: false } })
    expect(stopped).toEqual({ ...empty, recordingStoppedAt: 5000 })
    expect(
      applySessionEvent(stopped, { ...facts, type: 'recording.change', payload: { on: true } }).recordingStoppedAt,
    ).toBeNull()
  })

  test('is the same object after an event for one viewer', () => {
    expect(applySessionEvent(empty, { ...facts, type: 'user.leave', payload: {} })).toBe(empty)
  })
})

describe('shown items', () => {
  test('buttons are listed once each in the order last shown, until hidden', () => {
    const shown = folded(show('a'), show('b'), show('a', 'Знову'))
    expect(shown.buttons).toEqual([
      { buttonId: 'b', content: button, shownAt: 5000 },
      { buttonId: 'a', content: { ...button, label: 'Знову' }, shownAt: 5000 },
    ])
    const hidden = applySessionEvent(shown, { ...facts, type: 'button.hide', payload: { buttonId: 'b' } })
    expect(hidden.buttons.map(({ buttonId }) => buttonId)).toEqual(['a'])
  })

  test('handouts are listed likewise', () => {
    const shown = folded(give('a'), give('b'), give('a'))
    expect(shown.handouts).toEqual(
      ['b', 'a'].map((handoutId) => ({ handoutId, content: { title: handoutId, fileId: null, url: null } })),
    )
    const hidden = applySessionEvent(shown, { ...facts, type: 'handout.hide', payload: { handoutId: 'b' } })
    expect(hidden.handouts.map(({ handoutId }) => handoutId)).toEqual(['a'])
  })

  test('a poll opens without votes and closes with its results', () => {
    const open = folded({ ...facts, type: 'poll.open', payload: { pollId: 'p', content } })
    const poll = { pollId: 'p', content, openedAt: 5000, closed: false, tally: [], voters: 0 }
    expect(open.poll).toEqual(poll)
    const close = (pollId: string, right?: number[]): RoomEvent => ({
      ...facts,
      type: 'poll.close',
      payload: { pollId, tally: [3, 1], voters: 4, ...(right ? { right } : {}) },
    })
    expect(applySessionEvent(open, close('p')).poll).toEqual({ ...poll, closed: true, tally: [3, 1], voters: 4 })
    expect(applySessionEvent(open, close('p', [1])).poll?.content).toEqual({ ...content, right: [1] })
    expect(applySessionEvent(open, close('other')).poll).toEqual(poll)
    expect(applySessionEvent(empty, close('p')).poll).toBeNull()
  })

  test('pinned messages are listed once each in pinning order, until unpinned or deleted', () => {
    const pinned = folded(pin('a'), pin('b'), pin('a'))
    expect(pinned.pinned).toEqual(['b', 'a'].map((messageId) => ({ messageId, text: messageId, author })))
    expect(applySessionEvent(pinned, pin('b', false)).pinned.map(({ messageId }) => messageId)).toEqual(['a'])
    expect(applySessionEvent(pinned, remove('a')).pinned.map(({ messageId }) => messageId)).toEqual(['b'])
  })
})

test('a question is open until its answer, or until it is deleted', () => {
  const now = folded({ ...facts, type: 'question.now', payload: { messageId: 'q' } })
  expect(now.answering).toBe('q')
  const answer = (messageId: string): RoomEvent => ({
    ...facts,
    type: 'answer',
    payload: { messageId, text: '', author },
  })
  expect(applySessionEvent(now, answer('q')).answering).toBeNull()
  expect(applySessionEvent(now, answer('other')).answering).toBe('q')
  expect(applySessionEvent(now, remove('q')).answering).toBeNull()
  expect(applySessionEvent(now, remove('other')).answering).toBe('q')
  expect(applySessionEvent(now, pin('q')).answering).toBe('q')
})
