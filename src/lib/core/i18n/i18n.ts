import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInstance, type i18n } from 'i18next'
import { config } from '../config/config.ts'
import { DEFAULT_LOCALE, FALLBACK_LOCALE, formatBytes, isLocale, LOCALES, type Locale } from '../shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '../shared/text/strings.ts'

const FOLDER = path.resolve('public/locales')
const i18nConfig: { i18nextServer: object } = createRequire(path.resolve('package.json'))('./astro-i18next.config.cjs')

/**
 * The translation function of a language: `t('course:list.title')`, `t('course:lessons', { count: 3 })`. It is bound to
 * the language, so concurrent requests in two languages do not affect each other.
 */
export function getTranslator(locale: Locale): Translate {
  return translatorFor(getI18n(), locale)
}

/** The flat dictionary of whole namespaces, for an island (see core/shared/text/strings.ts). */
export function stringsFor(locale: Locale, ...namespaces: string[]): Strings {
  const key = `${locale} ${namespaces.join(' ')}`
  const known = config.production ? dictionaries.get(key) : undefined
  if (known) return known
  const strings = Object.assign({}, ...namespaces.map((name) => flatten(`${name}:`, bundle(locale, name))))
  dictionaries.set(key, strings)
  return strings
}

type Tree = { [key: string]: string | Tree }

const dictionaries = new Map<string, Strings>()
const translators = new Map<Locale, Translate>()
let loaded: i18n | undefined

// In development, a changed text is shown at the next request.
function getI18n(): i18n {
  if (loaded && config.environment !== 'development') return loaded
  translators.clear()
  const resources = Object.fromEntries(LOCALES.map((locale) => [locale, readLocale(locale)]))
  loaded = createInstance()
  loaded.init({
    ...i18nConfig.i18nextServer,
    lng: DEFAULT_LOCALE,
    fallbackLng: FALLBACK_LOCALE,
    ns: Object.keys(resources[DEFAULT_LOCALE] ?? {}),
    defaultNS: 'shell',
    resources,
    showSupportNotice: false,
  } as Parameters<i18n['init']>[0])
  // `{{size, bytes}}` is formatted here, because the language is not available where a Refusal is thrown.
  const formatSize = (bytes: unknown, lng?: string) => formatBytes(Number(bytes), isLocale(lng) ? lng : DEFAULT_LOCALE)
  loaded.services.formatter?.add('bytes', formatSize)
  return loaded
}

function translatorFor(i18n: i18n, locale: Locale): Translate {
  const known = translators.get(locale)
  if (known) return known
  const t = i18n.getFixedT(locale)
  // Most texts of a page have no variables; i18next takes about 10 microseconds to resolve a key each time.
  const plainTexts = new Map<string, string>()
  const fillPlain = createTranslator(stringsFor(locale, ...Object.keys(i18n.getDataByLanguage(locale) ?? {})), locale)
  const translate: Translate = (key, variables) => {
    if (variables) {
      const filled = fillPlain(key, variables)
      // The rest needs i18next: formats, fallback to the other language, and special keys.
      return filled === key || filled.includes('{{') ? t(key, variables) : filled
    }
    const text = plainTexts.get(key) ?? t(key, {})
    plainTexts.set(key, text)
    return text
  }
  translators.set(locale, translate)
  return translate
}

function readLocale(locale: Locale): Record<string, Tree> {
  const files = fs.readdirSync(path.join(FOLDER, locale)).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(fs.readFileSync(path.join(FOLDER, locale, name), 'utf8'))]),
  )
}

function bundle(locale: Locale, namespace: string): Tree {
  return getI18n().getResourceBundle(locale, namespace) ?? {}
}

function flatten(prefix: string, tree: Tree): Strings {
  const flat: Strings = {}
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat[prefix + key] = value
    else Object.assign(flat, flatten(`${prefix}${key}.`, value))
  }
  return flat
}
