import { FALLBACK_LOCALE, isLocale, LOCALES, type Locale } from '../shared/locale.ts'

/** Limits of a header of unusual length. */
const MAX_HEADER_CHARS = 500
const MAX_LANGUAGES = 20

/**
 * The language that a page in `current` offers to a browser with this Accept-Language (RFC 9110, 12.5.4): the first of its
 * languages that the installation supports, or the fallback if it supports none of them. Null when the page is in that
 * language already, or when the browser names no language. The result has few values, so that it can be part of the key
 * of a cached page.
 */
export function offeredLocale(acceptLanguage: string | null | undefined, current: Locale): Locale | null {
  const languages = parseLanguages(acceptLanguage ?? '')
  if (languages.length === 0) return null
  const preferred = languages.find(isLocale) ?? FALLBACK_LOCALE
  return preferred === current || !LOCALES.includes(preferred) ? null : preferred
}

/** Primary subtags, the preferred one first, without the wildcard. */
function parseLanguages(header: string): string[] {
  const ranges = header.slice(0, MAX_HEADER_CHARS).split(',', MAX_LANGUAGES)
  const weighted = ranges.flatMap((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const language = /^([a-z]{2,8})(?:-|$)/.exec(tag)?.[1]
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    return language && weight > 0 ? [{ language, weight }] : []
  })
  return weighted.sort((a, b) => b.weight - a.weight).map(({ language }) => language)
}
