import type { Totals } from './tally-schema.ts'

/** The cards of an event, each defined in words under `statistics:card.<key>`; null where there is nothing to say yet. */
export const CARDS = [
  'registered',
  'came',
  'viewers',
  'peak',
  'averageOnline',
  'averageMinutes',
  'stayed',
  'messages',
  'questions',
  'saw',
  'clicks',
  'rating',
] as const
export type CardKey = (typeof CARDS)[number]

export interface Card {
  key: CardKey
  value: number | null
  /** How the value reads. */
  as: 'number' | 'percent' | 'minutes' | 'decimal'
  /** A second number beside it, e.g. of how many. */
  of: number | null
}

export interface Outside {
  registered: number
  rating: number | null
  /** Unique people that pressed any button, and that saw any. */
  ratings: number
}

/** Every card of a session at an instant: the one place where each number is computed. */
export function cardsOf(totals: Totals, outside: Outside, now: number): Card[] {
  const { startedAt, finishedAt, viewers, online } = totals
  const until = finishedAt ?? now
  const watchedMs = totals.watchedMs + online * until - totals.hereSum
  const liveMs = startedAt === null ? 0 : until - startedAt
  const per = (value: number, base: number) => (base > 0 ? value / base : null)
  const minutes = viewers > 0 ? watchedMs / viewers / 60_000 : null
  return [
    { key: 'registered', value: outside.registered, as: 'number', of: null },
    { key: 'came', value: per(totals.came, outside.registered), as: 'percent', of: totals.came },
    { key: 'viewers', value: viewers, as: 'number', of: null },
    { key: 'peak', value: totals.peak, as: 'number', of: null },
    { key: 'averageOnline', value: per(watchedMs, liveMs), as: 'decimal', of: null },
    { key: 'averageMinutes', value: minutes, as: 'minutes', of: null },
    {
      key: 'stayed',
      value: totals.stayed === null ? null : per(totals.stayed, viewers),
      as: 'percent',
      of: totals.stayed,
    },
    {
      key: 'messages',
      value: per(totals.messages + totals.questions, viewers),
      as: 'decimal',
      of: totals.messages + totals.questions,
    },
    { key: 'questions', value: totals.questions, as: 'number', of: totals.answers },
    { key: 'saw', value: totals.saw, as: 'number', of: null },
    { key: 'clicks', value: per(totals.clicks, totals.saw), as: 'percent', of: totals.clicks },
    { key: 'rating', value: outside.rating, as: 'decimal', of: outside.ratings },
  ]
}

export interface ChartMinute {
  /** Minutes since the start of the session, below zero before it. */
  minute: number
  online: number
  peak: number
  messages: number
  questions: number
  clicks: number
}

type KeptMinute = Omit<ChartMinute, 'minute'> & { minute: number }

/** A day, in minutes: no chart is longer. */
export const MOST_MINUTES = 1440

/**
 * Every minute from the first to the last, those without events too: the number online stays what it was. Kept minutes
 * count from 1970, `origin` is the start in milliseconds, `until` the end or now.
 */
export function wholeMinutes(kept: readonly KeptMinute[], origin: number, until: number): ChartMinute[] {
  const zero = Math.floor(origin / 60_000)
  const by = new Map(kept.map((row) => [row.minute - zero, row]))
  const numbers = [...by.keys()]
  if (numbers.length === 0) return []
  const first = Math.max(-60, Math.min(...numbers))
  const last = Math.min(Math.max(Math.floor(until / 60_000) - zero, first), first + MOST_MINUTES - 1)
  let online = 0
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const minute = first + at
    const row = by.get(minute)
    const before = online
    online = row?.online ?? online
    const { messages = 0, questions = 0, clicks = 0 } = row ?? {}
    return { minute, online, peak: row?.peak ?? before, messages, questions, clicks }
  })
}
