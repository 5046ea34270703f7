import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

interface Desk {
  courseId: string
  zone: string
  groups: readonly { id: string; name: string; archivedAt: Date | null }[]
  groupId: string | undefined
  strings: Strings
  locale: Locale
}

const SAID = /^access:(act|desk|effects)\./

/** What the desk of bulk changes gets with its page; of the words only its own. */
export function deskProps({ courseId, zone, groups, groupId, strings, locale }: Desk) {
  const living = groups.filter(({ archivedAt }) => !archivedAt).map(({ id, name }) => ({ id, name }))
  return {
    courseId,
    zone,
    locale,
    groups: living,
    group: living.find(({ id }) => id === groupId) ?? null,
    strings: Object.fromEntries(Object.entries(strings).filter(([key]) => SAID.test(key))),
  }
}
