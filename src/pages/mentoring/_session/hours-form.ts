import type { z } from 'zod'
import { readDay } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { DAY_MINUTES } from '#lib/core/shared/time.ts'
import { CELL_MINUTES, type DayRange, type SaveAvailability } from '#lib/mentoring/availability/schema.ts'
import { formText } from '../../_request/form-actions.ts'

/** Rows of the calendar of weekly hours. */
export const CELLS_PER_DAY = DAY_MINUTES / CELL_MINUTES

/** The name of the checkbox of a cell; `day` from 0, Monday. */
export const cellName = (day: number, cell: number): string => `cell${day}.${cell}`

/** The hours of a mentor as their form posts them. Refuses with invalid dates and hours next to their fields. */
export function readHours(form: FormData): z.input<typeof SaveAvailability> {
  const zone = formText(form, 'timeZone')
  return {
    version: Number(formText(form, 'version')),
    timeZone: zone,
    weekly: Array.from({ length: 7 }, (_, day) => readWeekday(form, day)),
    overrides: indexesOf(form, 'override', 'Date').flatMap((index) => {
      const date = readDay(form, `override${index}Date`, zone)
      return date
        ? [{ date, ranges: parseRanges(formText(form, `override${index}Ranges`), `override${index}Ranges`) }]
        : []
    }),
    travels: indexesOf(form, 'travel', 'From').flatMap((index) => {
      const from = readDay(form, `travel${index}From`, zone)
      const to = readDay(form, `travel${index}To`, zone)
      if (from && !to) throw new Refusal('invalid', { fields: { [`travel${index}To`]: ['required'] } })
      return from && to ? [{ from, to, timeZone: formText(form, `travel${index}Zone`) }] : []
    }),
  }
}

/** Hours as text, `10:00–13:00, 15:00–17:30`. */
export const formatRanges = (ranges: readonly DayRange[]): string =>
  ranges.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join(', ')

export const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

function readWeekday(form: FormData, day: number): DayRange[] {
  const cells = Array.from({ length: CELLS_PER_DAY }, (_, cell) => cell).filter((cell) => form.has(cellName(day, cell)))
  const ranges: DayRange[] = []
  for (const cell of cells) {
    const [from, to] = [cell * CELL_MINUTES, (cell + 1) * CELL_MINUTES]
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return ranges
}

function indexesOf(form: FormData, group: string, field: string): number[] {
  const indexes: number[] = []
  for (let index = 0; form.has(`${group}${index}${field}`); index += 1) indexes.push(index)
  return indexes
}

const RANGE = /^(\d{1,2}):(\d{2}) ?[–-] ?(\d{1,2}):(\d{2})$/

function parseRanges(typed: string, field: string): DayRange[] {
  const parts = typed.split(',', 24).map((part) => part.trim())
  return parts.filter(Boolean).map((part) => {
    const [, ...numbers] = RANGE.exec(part) ?? []
    const [fromHour = 99, fromMinute = 99, toHour = 99, toMinute = 99] = numbers.map(Number)
    const range = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute }
    const isValid = fromMinute < 60 && toMinute < 60 && range.from < range.to && range.to <= DAY_MINUTES
    if (!isValid) throw new Refusal('invalid', { fields: { [field]: ['hours_format'] } })
    return range
  })
}
