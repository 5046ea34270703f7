import { formatDateTime, formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { StudyGroup } from '#lib/course/group/group.ts'

/** Start, end and zone of a group as text. */
export function formatGroupDates(
  t: Translate,
  locale: Locale,
  group: Pick<StudyGroup, 'startAt' | 'endAt' | 'timeZone'>,
): string {
  const { startAt, endAt, timeZone } = group
  const zone = timeZone === 'Europe/Kyiv' ? t('course:inKyiv') : timeZone
  const from = formatDateTime(startAt, timeZone, locale)
  return endAt
    ? t('group:dates', { from, to: formatDateTime(endAt, timeZone, locale), zone })
    : t('group:datesOpen', { from, zone })
}

/** Members and seats: "7 of 10", or only the number of members. */
export function formatGroupSeats(
  t: Translate,
  locale: Locale,
  { members, seats }: Pick<StudyGroup, 'members' | 'seats'>,
): string {
  return seats === null
    ? t('group:members', { count: members, number: formatNumber(members, locale) })
    : t('group:seats', { members: formatNumber(members, locale), seats: formatNumber(seats, locale) })
}
