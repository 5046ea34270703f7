import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessRule } from '#lib/course/schema.ts'

/** A rule in words: «28 листопада, 09:00 за Києвом», «після завершення попереднього уроку». `zone` is the reader's. */
export function ruleWords(rule: AccessRule, say: Translate, zone: string, locale: Locale): string {
  switch (rule.mode) {
    case 'open':
    case 'manual':
      return say(`outline:rule.said.${rule.mode}`)
    case 'date':
      return `${formatDateTime(rule.at, zone, locale)} ${zoneWords(zone, say)}`
    case 'afterStart': {
      const { days, time } = rule
      const said = days === 0 ? say('outline:rule.said.firstDay') : say('outline:rule.said.days', { count: days })
      return `${said}, ${time} ${zoneWords(rule.zone, say)}`
    }
    case 'afterPrevious': {
      const said = say(`outline:rule.said.${rule.of}.${rule.require}`)
      return rule.delayHours ? `${said}, ${say('outline:rule.said.delay', { count: rule.delayHours })}` : said
    }
    case 'all':
    case 'any': {
      const type = rule.mode === 'all' ? 'conjunction' : 'disjunction'
      const each = rule.rules.map((one) => ruleWords(one, say, zone, locale))
      return new Intl.ListFormat(locale, { type }).format(each)
    }
  }
}

/** «за Києвом»; of other zones the city's name. */
export function zoneWords(zone: string, say: Translate): string {
  if (zone === 'Europe/Kyiv') return say('outline:rule.inKyiv')
  return say('outline:rule.inZone', { zone: zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone })
}
