import { readDay, readTime } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { findClockAmbiguity, instantOf, isTimeZone, laterInstantOf } from '#lib/core/shared/time-zone.ts'
import { formText } from '../../_request/form-actions.ts'

/**
 * Instant of a form's day, time and zone; null without a day. For an ambiguous local time `fold` selects the instant.
 * Refuses with invalid for a day or time alone, and for a skipped local time.
 */
export function parseStart(form: FormData, zoneOfSchool: string): string | null {
  const requestedZone = formText(form, 'timeZone')
  const zone = isTimeZone(requestedZone) ? requestedZone : zoneOfSchool
  const [day, time] = [readDay(form, 'startDay', zone), readTime(form, 'startTime')]
  if (!day && !time) return null
  if (!day) throw new Refusal('invalid', { fields: { startDay: ['required'] } })
  if (!time) throw new Refusal('invalid', { fields: { startTime: ['required'] } })
  const ambiguity = findClockAmbiguity(day, time, zone)
  if (ambiguity === 'skipped') throw new Refusal('invalid', { fields: { startTime: ['time_skipped'] } })
  const fold = formText(form, 'fold')
  if (ambiguity === 'twice' && fold === '') throw new Refusal('invalid', { fields: { fold: ['time_twice'] } })
  return (
    ambiguity === 'twice' && fold === 'second' ? laterInstantOf(day, time, zone) : instantOf(day, time, zone)
  ).toISOString()
}
