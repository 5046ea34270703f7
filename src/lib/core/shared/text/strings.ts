import type { Locale } from '../locale.ts'
import type { MessageKey } from './message-key.ts'

/** A flat dictionary of one or more namespaces: `course:list.title` to text. */
export type Strings = Record<string, string>
type Variables = Record<string, string | number>
/** The translation function `t`. */
export type Translate = (key: MessageKey, variables?: Variables) => string

const PLURAL_RULES = new Map<Locale, Intl.PluralRules>()

/**
 * Creates the translation function of the browser: `{{name}}` is interpolated, `count` selects the CLDR plural form. The
 * format is that of i18next (JSON v4), which runs only on the server to keep pages small.
 */
export function createTranslator(strings: Strings, locale: Locale): Translate {
  return (key, variables) => {
    const text = variables?.count === undefined ? strings[key] : strings[pluralKey(key, variables.count, locale)]
    return interpolate(text ?? strings[key] ?? key, variables)
  }
}

function pluralKey(key: string, count: string | number, locale: Locale): string {
  const rules = PLURAL_RULES.get(locale) ?? new Intl.PluralRules(locale)
  PLURAL_RULES.set(locale, rules)
  return `${key}_${rules.select(Number(count))}`
}

// A value that ends with a period, such as «24 грудня 2026 р.», also ends the sentence.
function interpolate(text: string, variables: Variables | undefined): string {
  if (!variables) return text
  return text.replace(/(\{\{(\w+)\}\})(\.(?!\.))?/g, (_match, placeholder: string, name: string, period = '') => {
    const value = String(variables[name] ?? placeholder)
    return value.endsWith('.') ? value : `${value}${period}`
  })
}
