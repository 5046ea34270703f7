import { DAY_MS } from '#lib/core/shared/time.ts'

const toIso = (at: number): string => new Date(at).toISOString().slice(0, 10)

const addDays = (day: string, days: number): string => toIso(Date.parse(day) + days * DAY_MS)

/** The same day some months later; the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return toIso(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** The Monday and the Sunday of a day's week. */
const firstOfWeek = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
const lastOfWeek = (day: string): string => addDays(firstOfWeek(day), 6)

/** The weeks of a day's month, each with its days from Monday to Sunday; null for days of other months. */
export function weeksOfMonth(day: string): (string | null)[][] {
  const month = day.slice(0, 7)
  const weeks: (string | null)[][] = []
  for (let monday = firstOfWeek(`${month}-01`); monday.slice(0, 7) <= month; monday = addDays(monday, 7)) {
    weeks.push(
      Array.from({ length: 7 }, (_, index) => addDays(monday, index)).map((date) =>
        date.startsWith(month) ? date : null,
      ),
    )
  }
  return weeks
}

/** The day to which a key moves the focus of a calendar, after the grid pattern of the ARIA Authoring Practices. */
export function dayForKey(day: string, key: string, shift: boolean): string | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return firstOfWeek(day)
    case 'End':
      return lastOfWeek(day)
    case 'PageUp':
      return addMonths(day, shift ? -12 : -1)
    case 'PageDown':
      return addMonths(day, shift ? 12 : 1)
    default:
      return null
  }
}
