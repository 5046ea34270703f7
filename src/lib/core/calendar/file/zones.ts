import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { MINUTE_MS } from '../../shared/time.ts'
import { instantOfWallTime, isTimeZone, wallTimeOf } from '../../shared/time-zone.ts'
import { type CalendarComponent, writeComponent } from './content-lines.ts'

/** A time zone of a calendar file. Wall times are local times in milliseconds, as if they were UTC. */
export interface Zone {
  toInstant(wall: number): number
}

export const UTC: Zone = { toInstant: (wall) => wall }

/** A zone of the zone database. */
export function databaseZone(name: string): Zone & { toWall(at: number): number } {
  return {
    toInstant: (wall) => instantOfWallTime(wall, name).getTime(),
    toWall: (at) => wallTimeOf(new Date(at), name),
  }
}

/**
 * Finds the zones that a calendar names. The zone database is preferred to a definition in the file, which may be old,
 * and that to the zone of Windows with the name (Unicode CLDR, `windowsZones.xml`), because programs define own zones
 * under such names. Without a definition also names with a prefix (`/mozilla.org/20050126_1/Europe/Kyiv`), names with an
 * offset (`(UTC+02:00) Helsinki, Kyiv`, `GMT+0200`) and quoted or numbered copies of names are understood.
 */
export class ZoneFinder {
  readonly #definitions = new Map<string, CalendarComponent>()
  readonly #known = new Map<string, Zone | null>()

  /** @param components the VTIMEZONE components of all calendars of the file */
  constructor(components: readonly CalendarComponent[]) {
    for (const component of components) {
      const name = component.lines.find((line) => line.name === 'TZID')?.value.trim()
      if (name) this.#definitions.set(name, component)
    }
  }

  /** The zone with a name; null when it is unknown. */
  find(name: string): Zone | null {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const zone = this.#search(name.trim())
    this.#known.set(name, zone)
    return zone
  }

  #search(name: string): Zone | null {
    if (name === '') return null
    if (isTimeZone(name)) return databaseZone(name)
    const definition = this.#definitions.get(name)
    return (definition && definedZone(definition)) ?? namedZone(name)
  }
}

function namedZone(name: string): Zone | null {
  const plain = name.replaceAll(/["']/g, '').trim()
  for (const candidate of [plain, plain.replace(/ \d{1,2}$/, '')]) {
    const [windowsZone] = findIana(candidate, '001')
    for (const database of [candidate, windowsZone, withCapitals(candidate), ...suffixesOf(candidate)]) {
      if (database && isTimeZone(database)) return databaseZone(database)
    }
  }
  return offsetZone(plain)
}

/** `europe/kyiv` and `EUROPE/KYIV` as the zone database writes it. */
const withCapitals = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/(^|[/_-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())

/** The last three, two and one parts of a name with slashes. */
function suffixesOf(name: string): string[] {
  const parts = name.split('/').filter((part) => part !== '')
  return [3, 2, 1].filter((count) => parts.length > count).map((count) => parts.slice(-count).join('/'))
}

function offsetZone(name: string): Zone | null {
  const shown = /^\(?(?:UTC|GMT|Z)(?:\)|$)/i.test(name) ? ['', '+', '0', '0'] : OFFSET.exec(name)
  if (!shown) return /^(?:tzone:\/\/microsoft\/utc|zulu)$/i.test(name) ? UTC : null
  const [, sign, hours, minutes] = shown
  const offset = (Number(hours) * 60 + Number(minutes ?? 0)) * MINUTE_MS * (sign === '+' ? 1 : -1)
  return { toInstant: (wall) => wall - offset }
}

const OFFSET = /^\(?(?:UTC|GMT)?\s?([+\-−])(\d{1,2}):?(\d{2})?(?:\)|$)/i

/** The zone of a VTIMEZONE; null when it cannot be read. */
function definedZone(component: CalendarComponent): Zone | null {
  const observances = component.children.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  const rules = observances.flatMap(({ lines }) => lines.filter(({ name }) => name === 'RRULE'))
  // ical.js computes every change since the start of the rule: only yearly ones are few.
  if (observances.length === 0 || rules.some(({ value }) => !/(?:^|;)FREQ=YEARLY(?:;|$)/i.test(value))) return null
  try {
    const zone = new ICAL.Timezone(ICAL.Component.fromString(writeComponent(component)))
    const offsetAt = (wall: number) => {
      const at = new Date(wall)
      const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
      const [hour, minute, second] = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
      return (
        zone.utcOffset(
          new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, ICAL.Timezone.localTimezone),
        ) * 1000
      )
    }
    if (!Number.isFinite(offsetAt(Date.UTC(2026, 0)))) return null
    return { toInstant: (wall) => wall - offsetAt(wall) }
  } catch {
    return null
  }
}
