import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

interface AccessPanelSource {
  courseId: string
  zone: string
  groups: readonly { id: string; name: string; archivedAt: Date | null }[]
  groupId: string | undefined
  strings: Strings
  locale: Locale
}

const PANEL_KEYS = /^access:(act|panel|effects)\./

/** Props of the access panel, with only the strings that it uses. */
export function accessPanelProps({ courseId, zone, groups, groupId, strings, locale }: AccessPanelSource) {
  const activeGroups = groups.filter(({ archivedAt }) => !archivedAt).map(({ id, name }) => ({ id, name }))
  return {
    courseId,
    zone,
    locale,
    groups: activeGroups,
    group: activeGroups.find(({ id }) => id === groupId) ?? null,
    strings: Object.fromEntries(Object.entries(strings).filter(([key]) => PANEL_KEYS.test(key))),
  }
}
