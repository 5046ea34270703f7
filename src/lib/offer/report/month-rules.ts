/** The month so many months after another one, both as `2026-11`. */
export function addReportMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

/** The first day of the month of a day, both as `2026-11-24`. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** The first day of the month after the one of a day. */
export const nextMonthOf = (day: string): string => `${addReportMonths(day.slice(0, 7), 1)}-01`
