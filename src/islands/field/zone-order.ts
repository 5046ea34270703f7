/** The time zone of the device; some report that of Kyiv by its former name. */
export function deviceZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === 'Europe/Kiev' ? 'Europe/Kyiv' : zone
}

/** Options of a list of time zones: those that are no zone first, then the device's zone and Kyiv, then the others. */
export function orderZones<Option extends { value: string }>(options: readonly Option[], device: string): Option[] {
  const rank = ({ value }: Option): number => {
    if (value === device) return 1
    if (value === 'Europe/Kyiv') return 2
    return value === 'UTC' || value.includes('/') ? 3 : 0
  }
  return options.toSorted((a, b) => rank(a) - rank(b))
}

/** Whether clocks in two zones always show the same time this year. */
export function isSameClock(zone: string, otherZone: string, now: Date): boolean {
  const clockIn = (timeZone: string) => {
    const format = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    return MONTHS.map((month) => format.format(new Date(Date.UTC(now.getUTCFullYear(), month, 1)))).join()
  }
  return zone === otherZone || clockIn(zone) === clockIn(otherZone)
}

const MONTHS = Array.from({ length: 12 }, (_, month) => month)
