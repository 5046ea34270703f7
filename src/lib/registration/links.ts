import { addressOf } from '#lib/core/config/config.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { RegistrationEvent } from './event.ts'

/** The page on which a registration is looked at and changed; in a letter with its language, see `entryAddress`. */
export const registrationPath = (
  workshopId: string,
  key: string,
  options: { locale?: Locale; part?: string } = {},
): string =>
  `/workshops/register/${workshopId}?${linkQuery(key, options.locale)}${options.part ? `#${options.part}` : ''}`

/**
 * Where the personal link leads: into the room, or to the film of a masterclass. A link that is mailed names the language
 * of its registrant, which it keeps on any device.
 */
export function joinUrl({ type, id, school }: RegistrationEvent, key: string, locale?: Locale): string {
  const path = type === 'masterclass' ? `/masterclass/${id}` : `/meeting/join/${id}`
  return addressOf(school.subdomain, `${path}?${linkQuery(key, locale)}`)
}

const linkQuery = (key: string, locale: Locale | undefined): string =>
  `key=${key}${locale === undefined ? '' : `&locale=${locale}`}`
