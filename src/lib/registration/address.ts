import { addressOf } from '#lib/core/config/config.ts'
import type { EventRow } from './event.ts'

/** The page on which a registration is looked at and changed. */
export const ownPath = (workshopId: string, key: string, more = ''): string =>
  `/workshops/register/${workshopId}?key=${key}${more}`

/** Where the personal link leads: into the room, or to the film of a masterclass. */
export function entryAddress({ type, id, school }: EventRow, key: string): string {
  const path = type === 'masterclass' ? `/masterclass/${id}?key=${key}` : `/meeting/join/${id}?key=${key}`
  return addressOf(school.subdomain, path)
}
