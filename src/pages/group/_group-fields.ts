import { readInstant } from '#lib/core/http/form-date.ts'
import type { CreateGroup } from '#lib/course/group/schema.ts'
import { idOf } from '../course/_id.ts'
import { textOf } from '../course/_transfer/posted.ts'

/** Reads the fields of the form of a group; what is no number or date is left to the schema to refuse. */
export function readGroupFields(form: FormData): Omit<CreateGroup, 'courseId' | 'groupId'> {
  const timeZone = textOf(form, 'timeZone')
  const seats = textOf(form, 'seats')
  return {
    name: textOf(form, 'name'),
    timeZone,
    // The schema refuses an empty start.
    startAt: readInstant(form, 'startAt', timeZone) ?? '',
    endAt: readInstant(form, 'endAt', timeZone),
    ...(form.has('seats') ? { seats: seats === '' ? null : Number(seats) } : {}),
    ...(form.has('scheduleOffsetDays') ? { scheduleOffsetDays: Number(textOf(form, 'scheduleOffsetDays')) } : {}),
    ...(form.has('color') ? { color: (textOf(form, 'color') || null) as CreateGroup['color'] } : {}),
    ...(form.has('curators') ? { curatorIds: form.getAll('curatorId').map((id) => idOf(String(id))) } : {}),
  }
}
