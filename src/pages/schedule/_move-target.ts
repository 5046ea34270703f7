import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { findClockAmbiguity, instantOf, laterInstantOf, localDay } from '#lib/core/shared/time-zone.ts'

/** The new time of an item in the query of the page. */
export interface MoveTarget {
  /** The text of the field; null without one. */
  typed: string | null
  startAt: Date | null
  error: string | null
  /** The clocks show this time twice on that day. */
  isTwice: boolean
  fold: 'first' | 'second'
}

/** Reads the new local time in a zone: `to=2026-11-24T19:00`, `fold=second` for the later of two equal local times. */
export function readMoveTarget(params: URLSearchParams, zone: string, t: Translate): MoveTarget {
  const typed = params.get('to')?.slice(0, 80) ?? null
  const fold = params.get('fold') === 'second' ? 'second' : 'first'
  const nothing = { typed, startAt: null, error: null, isTwice: false, fold } as const
  if (typed === null) return nothing
  const [day, time] = parseDateInput('datetime', typed, localDay(new Date(), zone))?.split('T') ?? []
  if (!day || !time) return { ...nothing, error: t('errors:datetime_format') }
  const ambiguity = findClockAmbiguity(day, time, zone)
  if (ambiguity === 'skipped') return { ...nothing, error: t('errors:time_skipped') }
  const isTwice = ambiguity === 'twice'
  const startAt = isTwice && fold === 'second' ? laterInstantOf(day, time, zone) : instantOf(day, time, zone)
  return { typed, startAt, error: null, isTwice, fold }
}
