import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInstance, type i18n } from 'i18next'
import { config } from '../config/config.ts'
import { DEFAULT_LOCALE, FALLBACK_LOCALE, formatBytes, isLocale, LOCALES, type Locale } from '../shared/locale.ts'
import type { Say, Strings } from '../shared/text/strings.ts'

const FOLDER = path.resolve('public/locales')
const shared: { i18nextServer: object } = createRequire(path.resolve('package.json'))('./astro-i18next.config.cjs')

/**
 * Words in one language: `t('course:list.title')`, `t('course:lessons', { count: 3 })`.
 * Fixed to its language, so that concurrent requests in two languages never mix.
 */
export function translator(locale: Locale): Say {
  return fixed(instance(), locale)
}

/** Flat dictionary of whole namespaces, to hand to an island (see core/shared/strings.ts). */
export function stringsFor(locale: Locale, ...namespaces: string[]): Strings {
  const key = `${locale} ${namespaces.join(' ')}`
  const known = config.production ? dictionaries.get(key) : undefined
  if (known) return known
  const made = Object.assign({}, ...namespaces.map((name) => flatten(`${name}:`, bundle(locale, name))))
  dictionaries.set(key, made)
  return made
}

type Tree = { [key: string]: string | Tree }

const dictionaries = new Map<string, Strings>()
const speakers = new Map<Locale, Say>()
let made: i18n | undefined

// While developing, a changed text shows on the next request.
function instance(): i18n {
  if (made && config.environment !== 'development') return made
  speakers.clear()
  const resources = Object.fromEntries(LOCALES.map((locale) => [locale, readLocale(locale)]))
  made = createInstance()
  made.init({
    ...shared.i18nextServer,
    lng: DEFAULT_LOCALE,
    fallbackLng: FALLBACK_LOCALE,
    ns: Object.keys(resources[DEFAULT_LOCALE] ?? {}),
    defaultNS: 'shell',
    resources,
    showSupportNotice: false,
  } as Parameters<i18n['init']>[0])
  // `{{size, bytes}}`: whoever refuses does not know in which language it will be said.
  const inWords = (bytes: unknown, lng?: string) => formatBytes(Number(bytes), isLocale(lng) ? lng : DEFAULT_LOCALE)
  made.services.formatter?.add('bytes', inWords)
  return made
}

function fixed(from: i18n, locale: Locale): Say {
  const known = speakers.get(locale)
  if (known) return known
  const t = from.getFixedT(locale)
  // Most words of a page have no variables; i18next resolves a key for about 10 microseconds every time.
  const plain = new Map<string, string>()
  const say: Say = (key, variables) => {
    if (variables) return t(key, variables)
    const text = plain.get(key) ?? t(key, {})
    plain.set(key, text)
    return text
  }
  speakers.set(locale, say)
  return say
}

function readLocale(locale: Locale): Record<string, Tree> {
  const files = fs.readdirSync(path.join(FOLDER, locale)).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(fs.readFileSync(path.join(FOLDER, locale, name), 'utf8'))]),
  )
}

function bundle(locale: Locale, namespace: string): Tree {
  return instance().getResourceBundle(locale, namespace) ?? {}
}

function flatten(prefix: string, tree: Tree): Strings {
  const flat: Strings = {}
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') flat[prefix + key] = value
    else Object.assign(flat, flatten(`${prefix}${key}.`, value))
  }
  return flat
}
