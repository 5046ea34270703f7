import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { Totals } from './tally-schema.ts'

/** The cards of an event, each explained under `statistics:card.<key>`; null without data. */
export const CARD_KEYS = [
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
export type CardKey = (typeof CARD_KEYS)[number]

export interface StatisticsCard {
  key: CardKey
  value: number | null
  /** Number format of the value. */
  format: 'number' | 'percent' | 'minutes' | 'decimal'
  /** A second number next to it, e.g. the base. */
  total: number | null
}

export interface SurveyCounts {
  registered: number
  rating: number | null
  /** Number of ratings. */
  ratings: number
}

/** Cards of a session at an instant: the only place where these numbers are computed. */
export function buildCards(totals: Totals, external: SurveyCounts, now: number): StatisticsCard[] {
  const { startedAt, finishedAt, viewers, online } = totals
  const until = finishedAt ?? now
  const watchedMs = totals.watchedMs + online * until - totals.hereSum
  const liveMs = startedAt === null ? 0 : until - startedAt
  const ratio = (value: number, base: number) => (base > 0 ? value / base : null)
  const minutes = viewers > 0 ? watchedMs / viewers / MINUTE_MS : null
  return [
    { key: 'registered', value: external.registered, format: 'number', total: null },
    { key: 'came', value: ratio(totals.came, external.registered), format: 'percent', total: totals.came },
    { key: 'viewers', value: viewers, format: 'number', total: null },
    { key: 'peak', value: totals.peak, format: 'number', total: null },
    { key: 'averageOnline', value: ratio(watchedMs, liveMs), format: 'decimal', total: null },
    { key: 'averageMinutes', value: minutes, format: 'minutes', total: null },
    {
      key: 'stayed',
      value: totals.stayed === null ? null : ratio(totals.stayed, viewers),
      format: 'percent',
      total: totals.stayed,
    },
    {
      key: 'messages',
      value: ratio(totals.messages + totals.questions, viewers),
      format: 'decimal',
      total: totals.messages + totals.questions,
    },
    { key: 'questions', value: totals.questions, format: 'number', total: totals.answers },
    { key: 'saw', value: totals.saw, format: 'number', total: null },
    { key: 'clicks', value: ratio(totals.clicks, totals.saw), format: 'percent', total: totals.clicks },
    { key: 'rating', value: external.rating, format: 'decimal', total: external.ratings },
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

type CountedMinute = Omit<ChartMinute, 'minute'> & { minute: number }

/** A day, in minutes: no chart is longer. */
export const MAX_CHART_MINUTES = 1440

/**
 * Fills minutes without events: the number of viewers is unchanged in them. Counted minutes are since 1970, `startMs`
 * is the start, `endMs` the end or now.
 */
export function fillMinutes(counted: readonly CountedMinute[], startMs: number, endMs: number): ChartMinute[] {
  const startMinute = Math.floor(startMs / MINUTE_MS)
  const byMinute = new Map(counted.map((row) => [row.minute - startMinute, row]))
  const numbers = [...byMinute.keys()]
  if (numbers.length === 0) return []
  const first = Math.max(-60, Math.min(...numbers))
  const last = Math.min(Math.max(Math.floor((endMs - startMs) / MINUTE_MS), first), first + MAX_CHART_MINUTES - 1)
  let online = 0
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const minute = first + index
    const row = byMinute.get(minute)
    const before = online
    online = row?.online ?? online
    const { messages = 0, questions = 0, clicks = 0 } = row ?? {}
    return { minute, online, peak: row?.peak ?? before, messages, questions, clicks }
  })
}
