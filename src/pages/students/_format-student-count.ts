import { formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** The number of students that a filter selects, as text; above the limit only that there are more. */
export function formatStudentCount(t: Translate, locale: Locale, count: number, limit: number): string {
  return count > limit
    ? t('student:list.moreThan', { number: formatNumber(limit, locale) })
    : t('student:list.found', { count, number: formatNumber(count, locale) })
}
