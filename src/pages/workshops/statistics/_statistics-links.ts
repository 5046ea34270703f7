import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { TYPE_SEGMENTS } from '#lib/statistics/schema.ts'
import type { EventStatistics } from '#lib/statistics/statistics.ts'

type EventSessionRef = Pick<EventStatistics, 'workshop' | 'session'>

/** URL of an event's statistics with these parameters; empty ones are omitted. */
export function figuresHref(
  { workshop, session }: EventSessionRef,
  query: Record<string, string | number | null | undefined>,
): string {
  const given = Object.entries({ session: session.id, ...query }).flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [[key, String(value)]],
  )
  return `/workshops/statistics/${TYPE_SEGMENTS[workshop.type]}/${workshop.id}?${new URLSearchParams(given)}`
}

/** Formats an offset as `1:02:07` or `12:07`; before the start with a minus. */
export function formatEventOffset(offsetMs: number): string {
  const seconds = Math.floor(Math.abs(offsetMs) / 1000)
  const [h, m, s] = [Math.floor(seconds / HOUR_SECONDS), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '−' : ''}${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}`
}
