import { describe, expect, test } from 'vitest'
import { buildCards, type CardKey, fillMinutes } from '#lib/statistics/card-rules.ts'
import { emptyTotals, type Totals } from '#lib/statistics/tally-schema.ts'

const MINUTE = 60_000
const START = 1_000 * MINUTE
const totals: Totals = {
  ...emptyTotals(),
  startedAt: START,
  finishedAt: START + 60 * MINUTE,
  viewers: 8,
  came: 3,
  peak: 5,
  watchedMs: 240 * MINUTE,
  stayed: 2,
  messages: 10,
  questions: 6,
  answers: 4,
  saw: 5,
  clicks: 2,
}
const outside = { registered: 12, rating: 4.5, ratings: 7 }
const cards = (change: Partial<Totals> = {}, more: Partial<typeof outside> = {}, now = 0) =>
  Object.fromEntries(
    buildCards({ ...totals, ...change }, { ...outside, ...more }, now).map(({ key, value, format, total }) => [
      key,
      [value, format, total],
    ]),
  ) as Record<CardKey, [number | null, string, number | null]>

describe('the cards of an event', () => {
  test('have these values', () => {
    expect(cards()).toEqual({
      registered: [12, 'number', null],
      came: [0.25, 'percent', 3],
      viewers: [8, 'number', null],
      peak: [5, 'number', null],
      averageOnline: [4, 'decimal', null],
      averageMinutes: [30, 'minutes', null],
      stayed: [0.25, 'percent', 2],
      messages: [2, 'decimal', 16],
      questions: [6, 'number', 4],
      saw: [5, 'number', null],
      clicks: [0.4, 'percent', 2],
      rating: [4.5, 'decimal', 7],
    })
  })

  test('include those who are still watching', () => {
    // Two joined at the start, ten minutes ago, and have not left.
    const running = { finishedAt: null, watchedMs: 0, online: 2, hereSum: 2 * START, stayed: null }
    const shown = cards(running, {}, START + 10 * MINUTE)
    expect([shown.averageOnline[0], shown.averageMinutes[0], shown.stayed[0]]).toEqual([2, 2.5, null])
  })

  test('are empty where a division is impossible', () => {
    const shown = cards({ startedAt: null, viewers: 0, saw: 0 }, { registered: 0 }, START)
    for (const key of ['came', 'averageOnline', 'averageMinutes', 'stayed', 'messages', 'clicks'] as const)
      expect(shown[key][0]).toBeNull()
  })
})

test('a chart ends with the minute of the offset of the end, whatever second the event starts at', () => {
  const row = { minute: 10, online: 1, peak: 1, messages: 0, questions: 0, clicks: 0 }
  const [startMs, endMs] = [640_000, 640_000 + 59_999]
  expect(fillMinutes([row], startMs, endMs).map(({ minute }) => minute)).toEqual([0])
  expect(fillMinutes([row], startMs, endMs + 1).map(({ minute }) => minute)).toEqual([0, 1])
})

describe('the minutes of a chart', () => {
  const row = (minute: number, online: number, more = {}) => ({
    minute: 1000 + minute,
    online,
    peak: online + 1,
    messages: 0,
    questions: 0,
    clicks: 0,
    ...more,
  })
  const still = { messages: 0, questions: 0, clicks: 0 }

  test('are complete, those without events carrying the previous value', () => {
    const kept = [row(-1, 1), row(1, 3, { messages: 2, questions: 1, clicks: 4 })]
    expect(fillMinutes(kept, START, START + 3 * MINUTE)).toEqual([
      { minute: -1, online: 1, peak: 2, ...still },
      { minute: 0, online: 1, peak: 1, ...still },
      { minute: 1, online: 3, peak: 4, messages: 2, questions: 1, clicks: 4 },
      { minute: 2, online: 3, peak: 3, ...still },
      { minute: 3, online: 3, peak: 3, ...still },
    ])
  })

  test('are empty without any event, and include at least the first', () => {
    expect(fillMinutes([], START, START + MINUTE)).toEqual([])
    expect(fillMinutes([row(5, 2)], START, START)).toHaveLength(1)
  })

  test('begin an hour before the start at most and span a day at most', () => {
    const minutes = fillMinutes([row(-90, 2), row(-10, 3)], START, START + 9999 * MINUTE)
    expect(minutes[0]).toEqual({ minute: -60, online: 0, peak: 0, ...still })
    expect(minutes).toHaveLength(1440)
  })
})
