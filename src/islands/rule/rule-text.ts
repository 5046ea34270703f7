import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessRule } from '#lib/course/schema.ts'

/** A rule as text: «28 листопада, 09:00 за Києвом», «після завершення попереднього уроку». `zone` is the reader's. */
export function formatRule(rule: AccessRule, t: Translate, zone: string, locale: Locale): string {
  switch (rule.mode) {
    case 'open':
    case 'manual':
      return t(`outline:rule.text.${rule.mode}`)
    case 'date':
      return `${formatDateTime(rule.at, zone, locale)} ${formatRuleZone(zone, t)}`
    case 'afterStart': {
      const { days, time } = rule
      const text = days === 0 ? t('outline:rule.text.firstDay') : t('outline:rule.text.days', { count: days })
      return `${text}, ${time} ${formatRuleZone(rule.zone, t)}`
    }
    case 'afterPrevious': {
      const text = t(`outline:rule.text.${rule.of}.${rule.require}`)
      return rule.delayHours ? `${text}, ${t('outline:rule.text.delay', { count: rule.delayHours })}` : text
    }
    case 'all':
    case 'any': {
      const type = rule.mode === 'all' ? 'conjunction' : 'disjunction'
      const conditionTexts = rule.rules.map((condition) => formatRule(condition, t, zone, locale))
      return new Intl.ListFormat(locale, { type }).format(conditionTexts)
    }
  }
}

/** «за Києвом»; for other zones the name of the city. */
export function formatRuleZone(zone: string, t: Translate): string {
  if (zone === 'Europe/Kyiv') return t('outline:rule.inKyiv')
  return t('outline:rule.inZone', { zone: zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone })
}
