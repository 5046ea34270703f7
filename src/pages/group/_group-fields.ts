import { readInstant } from '#lib/core/http/form-date.ts'
import type { CreateGroup } from '#lib/course/group/schema.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'

/** Reads the fields of the form of a group; invalid numbers and dates are left to the schema to refuse. */
export function readGroupFields(form: FormData): Omit<CreateGroup, 'courseId' | 'groupId'> {
  const timeZone = formText(form, 'timeZone')
  const seats = formText(form, 'seats')
  return {
    name: formText(form, 'name'),
    timeZone,
    // The schema refuses an empty start.
    startAt: readInstant(form, 'startAt', timeZone) ?? '',
    endAt: readInstant(form, 'endAt', timeZone),
    ...(form.has('seats') ? { seats: seats === '' ? null : Number(seats) } : {}),
    ...(form.has('scheduleOffsetDays') ? { scheduleOffsetDays: Number(formText(form, 'scheduleOffsetDays')) } : {}),
    ...(form.has('color') ? { color: (formText(form, 'color') || null) as CreateGroup['color'] } : {}),
    ...(form.has('curators') ? { curatorIds: form.getAll('curatorId').map((id) => parseId(String(id))) } : {}),
  }
}
