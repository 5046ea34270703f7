import type { Locale } from '../locale.ts'
import type { MessageKey } from './message-key.ts'

/** A flat dictionary of one or more namespaces: `course:list.title` to text. */
export type Strings = Record<string, string>
export type Variables = Record<string, string | number>
export type Translate = (key: MessageKey, variables?: Variables) => string

const SELECTOR = new Map<Locale, Intl.PluralRules>()

/**
 * Speaks from a dictionary in the browser: `{{name}}` is filled in, `count` picks the CLDR plural form.
 * The messages are those of i18next (JSON v4), which stays on the server to keep pages small.
 */
export function createTranslator(strings: Strings, locale: Locale): Translate {
  return (key, variables) => {
    const text = variables?.count === undefined ? strings[key] : strings[plural(key, variables.count, locale)]
    return fill(text ?? strings[key] ?? key, variables)
  }
}

function plural(key: string, count: string | number, locale: Locale): string {
  const rules = SELECTOR.get(locale) ?? new Intl.PluralRules(locale)
  SELECTOR.set(locale, rules)
  return `${key}_${rules.select(Number(count))}`
}

function fill(text: string, variables: Variables | undefined): string {
  if (!variables) return text
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(variables[name] ?? whole))
}
