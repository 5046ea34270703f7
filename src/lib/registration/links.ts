import { addressOf } from '#lib/core/config/config.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { RegistrationEvent } from './event.ts'

/** Path of the page on which a registration is viewed and changed; in an email with its language, see `joinUrl`. */
export const registrationPath = (
  workshopId: string,
  key: string,
  options: { locale?: Locale; part?: string } = {},
): string =>
  `/workshops/register/${workshopId}?${linkQuery(key, options.locale)}${options.part ? `#${options.part}` : ''}`

/**
 * Target of the personal link: the room, or the page of a masterclass. An emailed link names the registrant's language,
 * which then applies on every device.
 */
export function joinUrl({ type, id, school }: RegistrationEvent, key: string, locale?: Locale): string {
  const path = type === 'masterclass' ? `/masterclass/${id}` : `/meeting/join/${id}`
  return addressOf(school.subdomain, `${path}?${linkQuery(key, locale)}`)
}

const linkQuery = (key: string, locale: Locale | undefined): string =>
  `key=${key}${locale === undefined ? '' : `&locale=${locale}`}`
