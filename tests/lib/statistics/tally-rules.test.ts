import { describe, expect, test } from 'vitest'
import {
  countEvent,
  endViewer,
  minuteOf,
  startViewer,
  type Tally,
  type TallyActor,
  watchedUntil,
} from '#lib/statistics/tally-rules.ts'
import { emptyTotals, type ViewerTally } from '#lib/statistics/tally-schema.ts'
import type { ButtonContent, RoomEvent } from '#lib/workshop/session/event-schema.ts'

const START = 600_000
const viewer: TallyActor = { id: 'v', isViewer: true, isRegistered: true }
const guest: TallyActor = { id: 'g', isViewer: true, isRegistered: false }
const staff: TallyActor = { id: 's', isViewer: false, isRegistered: false }
const author = { name: 'Оля', role: 'viewer' as const }
const message = { messageId: 'm', author, text: 'Так', replyTo: null, holdReason: null }

const event = <T extends RoomEvent['type']>(type: T, at: number, payload: Extract<RoomEvent, { type: T }>['payload']) =>
  ({ seq: 1, at, offsetMs: at - START, actorId: null, audience: 'all', type, payload }) as RoomEvent
const connect = (at: number, device: 'phone' | 'unknown' = 'phone') => event('user.connect', at, { device })
const leave = (at: number) => event('user.leave', at, {})
const click = (at: number, buttonId = 'b') => event('user.click', at, { buttonId })
const saw = (at: number, buttonId = 'b') => event('user.sawButton', at, { buttonId })
const look = (at: number, visible: boolean) => event('window.change', at, { visible })

const tallyOf = (...events: [RoomEvent, TallyActor | null][]): Tally => {
  const tally: Tally = { totals: emptyTotals(), viewers: new Map(), minutes: new Map(), buttons: new Map() }
  for (const [entry, actor] of events) countEvent(tally, entry, actor)
  return tally
}
const untouched: ViewerTally = {
  firstAt: 0,
  lastAt: 0,
  hereSince: null,
  hiddenSince: null,
  watchedMs: 0,
  hiddenMs: 0,
  stays: [],
  device: null,
  messages: 0,
  questions: 0,
  reactions: 0,
  votes: 0,
  clicks: 0,
  saw: [],
  clicked: [],
}
const minute = { joined: 0, left: 0, messages: 0, questions: 0, reactions: 0, clicks: 0, online: 0, peak: 0 }

describe('a viewer', () => {
  test('has watched between joining and leaving', () => {
    const { totals, viewers, minutes } = tallyOf([connect(START), viewer], [leave(START + 90_000), viewer])
    expect(totals).toEqual({
      ...emptyTotals(),
      viewers: 1,
      came: 1,
      online: 0,
      peak: 1,
      peakAt: START,
      watchedMs: 90_000,
      hereSum: 0,
    })
    expect(viewers.get('v')).toEqual({
      ...untouched,
      firstAt: START,
      lastAt: START + 90_000,
      watchedMs: 90_000,
      device: 'phone',
      stays: [[START, START + 90_000]],
    })
    expect(minutes.get(10)).toEqual({ ...minute, joined: 1, online: 1, peak: 1 })
    expect(minutes.get(11)).toEqual({ ...minute, left: 1, online: 0, peak: 1 })
  })

  test('is present until leaving, once however often the log repeats it', () => {
    const { totals, viewers } = tallyOf([connect(START), viewer], [connect(START + 5, 'unknown'), viewer])
    expect([totals.online, totals.viewers, totals.hereSum]).toEqual([1, 1, START])
    expect(viewers.get('v')).toMatchObject({ hereSince: START, device: 'phone', lastAt: START })
  })

  test('who never joined does not leave', () => {
    expect(tallyOf([leave(START), viewer])).toEqual(tallyOf())
    const messageTally = tallyOf([event('message', START, message), viewer], [leave(START + 1), viewer])
    expect(messageTally.totals.online).toBe(0)
    expect(messageTally.viewers.get('v')?.stays).toEqual([])
  })

  test('without a registration does not count as a registrant', () => {
    const { totals } = tallyOf([connect(START), guest], [connect(START + 1), viewer])
    expect([totals.viewers, totals.came, totals.peak, totals.peakAt]).toEqual([2, 1, 2, START + 1])
  })

  test('who joins after the end is no longer present', () => {
    const { totals, viewers } = tallyOf(
      [event('webinar.finish', START, { reason: 'host' }), null],
      [connect(START + 1), viewer],
    )
    expect([totals.online, totals.viewers]).toEqual([0, 1])
    expect(viewers.get('v')?.hereSince).toBeNull()
  })

  test("counts in the minute's peak, which stays when others leave", () => {
    const { minutes } = tallyOf([connect(START), viewer], [connect(START + 1), guest], [leave(START + 2), guest])
    expect(minutes.get(10)).toEqual({ ...minute, joined: 2, left: 1, online: 1, peak: 2 })
    const again = tallyOf(
      [connect(START), viewer],
      [connect(START + 1), guest],
      [leave(START + 2), guest],
      [connect(START + 3), guest],
    )
    expect(again.totals).toMatchObject({ peak: 2, peakAt: START + 1 })
  })

  test('with a hidden window watches without attention', () => {
    const { viewers } = tallyOf(
      [connect(START), viewer],
      [look(START + 10, true), viewer],
      [look(START + 20, false), viewer],
      [look(START + 30, false), viewer],
      [look(START + 45, true), viewer],
      [look(START + 60, false), viewer],
    )
    const known = viewers.get('v') ?? untouched
    expect([known.hiddenMs, known.hiddenSince]).toEqual([25, START + 60])
    expect(watchedUntil(known, START + 100)).toEqual({ watchedMs: 100, attention: 0.35 })
    expect(endViewer(known, START + 100)).toMatchObject({ hiddenMs: 65, hiddenSince: null, hereSince: null })
  })

  test('can look away only while present', () => {
    const { viewers } = tallyOf([connect(START), viewer], [leave(START + 5), viewer], [look(START + 9, false), viewer])
    expect(viewers.get('v')?.hiddenSince).toBeNull()
    expect(tallyOf([look(START, false), viewer])).toEqual(tallyOf())
  })

  test('who watched nothing has no attention, and it is never negative', () => {
    expect(watchedUntil(untouched, START)).toEqual({ watchedMs: 0, attention: null })
    expect(watchedUntil({ ...untouched, watchedMs: 10, hiddenMs: 20 }, START).attention).toBe(0)
  })

  test('counts from the start of the session', () => {
    const early = { ...untouched, hereSince: 5, hiddenSince: 7, watchedMs: 9, hiddenMs: 3 }
    expect(startViewer(early, START)).toEqual({ ...untouched, hereSince: START, hiddenSince: START })
    expect(startViewer(untouched, START)).toEqual(untouched)
  })
})

describe('an action of a viewer', () => {
  test('counts for the viewer, the minute and the total', () => {
    const { totals, viewers, minutes } = tallyOf(
      [event('message', START, message), viewer],
      [event('question', START, message), viewer],
      [event('question', START, message), viewer],
      [event('reaction', START, { messageId: 'm', emoji: '🔥', on: true }), viewer],
      [event('reaction', START, { messageId: null, emoji: '🔥', on: true }), viewer],
      [event('reaction', START, { messageId: 'm', emoji: '🔥', on: false }), viewer],
      [event('poll.vote', START, { pollId: 'p', choices: [0] }), viewer],
    )
    const counts = { messages: 1, questions: 2, reactions: 2 }
    expect(totals).toEqual({ ...emptyTotals(), ...counts, votes: 1, viewers: 1, came: 1 })
    expect(viewers.get('v')).toEqual({ ...untouched, ...counts, votes: 1, firstAt: START, lastAt: START })
    expect(minutes.get(10)).toEqual({ ...minute, ...counts })
  })

  test('makes a viewer known before their join is logged', () => {
    for (const action of [
      saw(START),
      click(START),
      event('reaction', START, { messageId: null, emoji: '🔥', on: true }),
    ])
      expect(tallyOf([action, guest]).totals).toMatchObject({ viewers: 1, came: 0 })
    expect(tallyOf([event('poll.vote', START, { pollId: 'p', choices: [0] }), guest]).totals.viewers).toBe(1)
  })

  test('on a button counts people once and every click', () => {
    const { totals, viewers, buttons, minutes } = tallyOf(
      [saw(START), viewer],
      [saw(START + 1), viewer],
      [click(START + 2), viewer],
      [click(START + 3), viewer],
      [click(START + 3), viewer],
      [click(START + 4, 'other'), viewer],
    )
    expect(totals).toMatchObject({ saw: 1, clicks: 4 })
    expect(viewers.get('v')).toMatchObject({ saw: ['b'], clicks: 4, clicked: ['b', 'other'] })
    expect(buttons.get('b')).toEqual({ label: '', shown: 0, saw: 1, clicked: 1, clicks: 3 })
    expect(minutes.get(10)?.clicks).toBe(4)
  })
})

describe('an action of staff', () => {
  test("counts as theirs, not as a viewer's", () => {
    const { totals, viewers, minutes } = tallyOf(
      [event('message', START, message), staff],
      [event('message', START, message), staff],
      [event('question', START, message), staff],
      [connect(START), staff],
      [event('message', START, message), null],
    )
    expect(totals).toEqual({ ...emptyTotals(), staffMessages: 3 })
    expect(viewers.size).toBe(0)
    expect(minutes.get(10)).toEqual({ ...minute, messages: 3 })
  })

  test('answers questions and shows buttons', () => {
    const content = (label: string): ButtonContent => ({
      label,
      url: 'https://school.ua',
      style: 'primary',
      placement: 'chat',
      countdownTo: null,
      countdownSeconds: null,
      quantityLeft: null,
    })
    const show = (label: string) =>
      event('button.show', START, { buttonId: 'b', content: content(label), shownAt: null })
    const { totals, buttons } = tallyOf(
      [event('answer', START, { messageId: 'm', text: '', author }), staff],
      [show('Купити'), staff],
      [show('Останній день'), viewer],
    )
    expect(totals).toEqual({ ...emptyTotals(), answers: 1 })
    expect(buttons.get('b')).toEqual({ label: 'Останній день', shown: 2, saw: 0, clicked: 0, clicks: 0 })
  })
})

describe('the session', () => {
  test('counts watching and its peak from the start', () => {
    const { totals } = tallyOf(
      [connect(START - 500), viewer],
      [connect(START - 400), guest],
      [leave(START - 300), guest],
      [event('webinar.start', START, {}), null],
    )
    expect(totals).toMatchObject({ startedAt: START, peak: 1, peakAt: START, watchedMs: 0, hereSum: START, online: 1 })
  })

  test('ends the watching of all present viewers', () => {
    const { totals, minutes } = tallyOf(
      [connect(START), viewer],
      [connect(START + 100), guest],
      [event('webinar.finish', START + 1000, { reason: 'host' }), null],
    )
    expect(totals).toMatchObject({ finishedAt: START + 1000, watchedMs: 1900, online: 0, hereSum: 0 })
    expect(minutes.get(10)?.online).toBe(0)
  })

  test("counts viewers present at the beginning of its last minute in that minute's peak", () => {
    const { minutes } = tallyOf(
      [connect(START), viewer],
      [event('webinar.finish', START + 60_000, { reason: 'host' }), null],
    )
    expect(minutes.get(11)).toEqual({ ...minute, online: 0, peak: 1 })
  })
})

test('minutes are counted from the Unix epoch', () => {
  expect([minuteOf(59_999, null), minuteOf(60_000, null)]).toEqual([0, 1])
  // An event that starts at second 40 of a minute has its offsets from there.
  const startedAt = 600_000 + 40_000
  const offsets = [-40_001, -1, 0, 59_999, 60_000, 119_999]
  expect(offsets.map((offset) => minuteOf(startedAt + offset, startedAt) - 10)).toEqual([-1, 0, 0, 0, 1, 1])
})
