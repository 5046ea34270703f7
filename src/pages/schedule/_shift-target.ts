import { readDay } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { ShiftGroup } from '#lib/schedule/shift/schema.ts'
import { isId } from '../_request/id-param.ts'

/** The shift in the query of the page: `group`, `from` (a day) and `days`. */
export interface ShiftTarget {
  groupId: string | null
  from: string
  days: string
  /** Set when all fields are valid. */
  shift: { from: string; days: number } | null
  errors: { from?: string; days?: string }
}

/** Reads the shift; `zone` determines the current day. */
export function readShiftTarget(params: URLSearchParams, zone: string, t: Translate): ShiftTarget {
  const group = params.get('group') ?? ''
  const groupId = isId(group) ? group : null
  const [from, days] = [params.get('from')?.slice(0, 40) ?? '', params.get('days')?.slice(0, 10) ?? '']
  const nothing = { groupId, from, days, shift: null, errors: {} }
  if (!params.has('from')) return nothing
  const day = readFrom(params, zone)
  if (!day) return { ...nothing, errors: { from: t('errors:date_format') } }
  const count = ShiftGroup.shape.days.safeParse(days.trim() === '' ? null : Number(days))
  if (!count.success) return { ...nothing, errors: { days: t('schedule:shift.daysError') } }
  return { ...nothing, from: day, shift: { from: day, days: count.data } }
}

function readFrom(params: URLSearchParams, zone: string): string | null {
  try {
    return readDay(params, 'from', zone)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
