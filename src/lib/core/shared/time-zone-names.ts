import { formatZone, type Locale } from './locale.ts'
import type { Translate } from './text/strings.ts'
import { timeZoneNames } from './time-zone.ts'

export interface NamedZone {
  zone: string
  name: string
}

/** The localised name of the location of a time zone: «Японія», «Нью-Йорк»; `city` is the name for the zone of Kyiv. */
export function nameZone(zone: string, locale: Locale, city: string): string {
  if (zone === 'Europe/Kyiv') return city
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'shortGeneric' })
  const generic = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const place = PLACE[locale].exec(generic)?.[1]
  // Some zones only have an abbreviation, such as GMT.
  return place ?? zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' ')
}

/** The name of a time zone as it follows a time: «за Києвом»; other zones by their localized name, «за японським часом». */
export function formatZoneName(t: Translate, at: Date | string, zone: string, locale: Locale): string {
  // Some devices report the former name of the zone.
  return zone === 'Europe/Kyiv' || zone === 'Europe/Kiev' ? t('field:zone.inKyiv') : formatZone(at, zone, locale)
}

const PLACE: Record<Locale, RegExp> = { uk: /^час: (.+)$/, en: /^(.+) Time$/ }
const NAMED = new Map<string, readonly NamedZone[]>()

/** All time zones with their localised names: Kyiv, and the others in alphabetical order. The first call takes about 200 ms. */
export function listNamedZones(locale: Locale, city: string): readonly NamedZone[] {
  const known = NAMED.get(locale)
  if (known) return known
  const { compare } = new Intl.Collator(locale)
  const zones = ['UTC', ...timeZoneNames()].map((zone) => ({ zone, name: nameZone(zone, locale, city) }))
  const isOther = ({ zone }: NamedZone) => Number(zone !== 'Europe/Kyiv')
  const named = zones.sort((a, b) => isOther(a) - isOther(b) || compare(a.name, b.name))
  NAMED.set(locale, named)
  return named
}
