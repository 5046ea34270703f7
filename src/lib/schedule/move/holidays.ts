import { DAY_MS } from '#lib/core/shared/time.ts'
import type { Holiday } from './schema.ts'

const FIXED: Readonly<Record<string, Holiday>> = {
  '01-01': 'newYear',
  '03-08': 'womensDay',
  '05-01': 'laborDay',
  '05-08': 'remembranceDay',
  '06-28': 'constitutionDay',
  '07-15': 'statehoodDay',
  '08-24': 'independenceDay',
  '10-01': 'defendersDay',
  '12-25': 'christmas',
}

/** The public holiday of Ukraine on a local day, `2026-08-24`; null on other days. Years 1990 to 2099. */
export function findHoliday(day: string): Holiday | null {
  const fixed = FIXED[day.slice(5)]
  if (fixed) return fixed
  const daysAfterEaster = (Date.parse(`${day}T00:00:00Z`) - orthodoxEaster(Number(day.slice(0, 4)))) / DAY_MS
  if (daysAfterEaster === 0) return 'easter'
  return daysAfterEaster === 49 ? 'trinity' : null
}

// Easter in the Julian calendar (J. Meeus, Astronomical Algorithms, chapter 8), 13 days behind in these two centuries.
function orthodoxEaster(year: number): number {
  const fullMoon = (19 * (year % 19) + 15) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) - fullMoon + 34) % 7
  const sum = fullMoon + sunday + 114
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1 + 13)
}
