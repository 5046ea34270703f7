import { Refusal } from '#lib/core/http/refusal.ts'
import { instantOf, isTimeZone } from '#lib/core/shared/time-zone.ts'
import { findClockAmbiguity, laterInstantOf } from '#lib/workshop/rules.ts'
import { textOf } from '../../course/_transfer/posted.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d\d:\d\d$/

/**
 * The instant that a form's day, time and zone mean; null without a day. Of a time that comes twice the form says which
 * (`fold`). Refuses with invalid beside the field: for one of the two alone, and for a time that the clocks skip.
 */
export function startOf(form: FormData, zoneOfSchool: string): string | null {
  const [day, time] = [textOf(form, 'startDay'), textOf(form, 'startTime').slice(0, 5)]
  if (!DAY.test(day) && !TIME.test(time)) return null
  if (!DAY.test(day)) throw new Refusal('invalid', { fields: { startDay: ['required'] } })
  if (!TIME.test(time)) throw new Refusal('invalid', { fields: { startTime: ['required'] } })
  const asked = textOf(form, 'timeZone')
  const zone = isTimeZone(asked) ? asked : zoneOfSchool
  const doubt = findClockAmbiguity(day, time, zone)
  if (doubt === 'skipped') throw new Refusal('invalid', { fields: { startTime: ['time_skipped'] } })
  const fold = textOf(form, 'fold')
  if (doubt === 'twice' && fold === '') throw new Refusal('invalid', { fields: { fold: ['time_twice'] } })
  return (
    doubt === 'twice' && fold === 'second' ? laterInstantOf(day, time, zone) : instantOf(day, time, zone)
  ).toISOString()
}
