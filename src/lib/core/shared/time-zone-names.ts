import type { Locale } from './locale.ts'
import { timeZoneNames } from './time-zone.ts'

export interface NamedZone {
  zone: string
  name: string
}

/** The name of a time zone's place in a language: «Японія», «Нью-Йорк»; `city` names the zone of Kyiv. */
export function nameZone(zone: string, locale: Locale, city: string): string {
  if (zone === 'Europe/Kyiv') return city
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'shortGeneric' })
  const generic = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const place = PLACE[locale].exec(generic)?.[1]
  // Some zones have an abbreviation only, such as GMT.
  return place ?? zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ')
}

const PLACE: Record<Locale, RegExp> = { uk: /^час: (.+)$/, en: /^(.+) Time$/ }
const NAMED = new Map<string, readonly NamedZone[]>()

/** All time zones with the names of their places, in alphabetical order. The first call takes some 200 ms. */
export function listNamedZones(locale: Locale, city: string): readonly NamedZone[] {
  const known = NAMED.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(locale)
  const zones = ['UTC', ...timeZoneNames()].map((zone) => ({ zone, name: nameZone(zone, locale, city) }))
  const named = zones.sort((a, b) => compare(a.name, b.name))
  NAMED.set(locale, named)
  return named
}
