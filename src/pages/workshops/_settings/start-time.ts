import { Refusal } from '#lib/core/http/refusal.ts'
import { instantOf, isTimeZone } from '#lib/core/shared/time-zone.ts'
import { findClockAmbiguity, laterInstantOf } from '#lib/workshop/rules.ts'
import { textOf } from '../../course/_transfer/posted.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d$/

/**
 * Instant of a form's day, time and zone; null without a day. For an ambiguous local time the form says which one
 * (`fold`). Refuses with invalid for a day or time alone, and for a skipped local time.
 */
export function parseStart(form: FormData, zoneOfSchool: string): string | null {
  const [day, time] = [textOf(form, 'startDay'), textOf(form, 'startTime').slice(0, 5)]
  if (!DAY.test(day) && !TIME.test(time)) return null
  if (!DAY.test(day)) throw new Refusal('invalid', { fields: { startDay: ['required'] } })
  if (!TIME.test(time)) throw new Refusal('invalid', { fields: { startTime: ['required'] } })
  const requestedZone = textOf(form, 'timeZone')
  const zone = isTimeZone(requestedZone) ? requestedZone : zoneOfSchool
  const ambiguity = findClockAmbiguity(day, time, zone)
  if (ambiguity === 'skipped') throw new Refusal('invalid', { fields: { startTime: ['time_skipped'] } })
  const fold = textOf(form, 'fold')
  if (ambiguity === 'twice' && fold === '') throw new Refusal('invalid', { fields: { fold: ['time_twice'] } })
  return (
    ambiguity === 'twice' && fold === 'second' ? laterInstantOf(day, time, zone) : instantOf(day, time, zone)
  ).toISOString()
}
