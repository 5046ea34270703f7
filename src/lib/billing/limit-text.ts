import { formatBytes, formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Limit } from './plans.ts'

const GIGABYTE = 1024 ** 3

/** An amount of a limited object as text; null is unlimited. */
export function limitText(limit: Limit, value: number | null, t: Translate, locale: Locale): string {
  if (value === null) return t('billing:unlimited')
  return limit === 'disc' ? formatBytes(Math.round(value * GIGABYTE), locale) : formatNumber(value, locale)
}
