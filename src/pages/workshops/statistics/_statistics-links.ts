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
