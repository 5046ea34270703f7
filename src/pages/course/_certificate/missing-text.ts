import type { MissingRequirement } from '#lib/certificate/rule/qualify.ts'
import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** A condition of a certificate that is not met, as text. */
export function missingText(missing: MissingRequirement, t: Translate, locale: Locale, timeZone: string): string {
  switch (missing.key) {
    case 'completion':
      return t('certificate:missing.completion', { percent: missing.percent, needed: missing.needed })
    case 'tasks':
      return t('certificate:missing.tasks', { count: missing.count })
    case 'test':
      return missing.score === null || missing.needed === null
        ? t('certificate:missing.test')
        : t('certificate:missing.testScore', { score: missing.score, needed: missing.needed })
    case 'deadline':
      return t('certificate:missing.deadline', { at: formatDateTime(missing.at, timeZone, locale) })
    case 'access':
      return t('certificate:missing.access')
  }
}
