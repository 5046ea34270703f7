import { Temporal } from 'temporal-polyfill'

/**
 * The VTIMEZONE (RFC 5545, 3.6.5) of an IANA zone for a time around `at`: the offset before, and every transition from
 * a year before to two years after, written as separate components from the time-zone data of the runtime.
 */
export function formatVtimezone(zone: string, at: Date): string {
  const start = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).subtract({ years: 1 })
  const changes = [start, ...findOffsetChanges(start, start.add({ years: 3 }))]
  const standardOffset = Math.min(...changes.map(({ offsetNanoseconds }) => offsetNanoseconds))
  const observances = changes.flatMap((change, index) => {
    const before = changes[index - 1] ?? start
    const name = change.offsetNanoseconds === standardOffset ? 'STANDARD' : 'DAYLIGHT'
    return [
      `BEGIN:${name}`,
      `DTSTART:${formatTimeBefore(change, before)}`,
      `TZOFFSETFROM:${before.offset.replaceAll(':', '')}`,
      `TZOFFSETTO:${change.offset.replaceAll(':', '')}`,
      `END:${name}`,
    ]
  })
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances, 'END:VTIMEZONE'].join('\r\n')
}

function findOffsetChanges(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): Temporal.ZonedDateTime[] {
  const changes: Temporal.ZonedDateTime[] = []
  let next = start.getTimeZoneTransition('next')
  while (next && Temporal.ZonedDateTime.compare(next, end) < 0) {
    changes.push(next)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** The local time of a transition by the offset before it, as `20260329T030000`. */
function formatTimeBefore(change: Temporal.ZonedDateTime, before: Temporal.ZonedDateTime): string {
  const local = change.toPlainDateTime().subtract({ nanoseconds: change.offsetNanoseconds - before.offsetNanoseconds })
  return local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
}
