import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { Email } from '../shared/text/email.ts'
import { phoneQuery } from '../shared/text/phone.ts'

const MAX_WORDS = 8

/**
 * SQL condition of a search: every word of the query occurs in one of the columns. Case, the kind of apostrophe (', ’,
 * ʼ), the composition of letters (NFC or NFD) and the notation of an email address are ignored; `%` and `_` are literal. The columns must not be null.
 * @returns undefined, hence no condition, for a query without words.
 */
export function matchesSearch(query: string, ...columns: readonly SQLWrapper[]): SQL | undefined {
  return matchesSearchText(query, sql`search_text(${sql.join([...columns], sql` || ' ' || `)})`)
}

/** The same condition on a text that was normalized by `search_text`. */
export function matchesSearchText(query: string, text: SQLWrapper): SQL | undefined {
  return matchesWords(query, (word) => sql`${text} like search_text(${containing(word)})`)
}

/**
 * The same condition on a normalized text and its transliteration to ASCII (`ascii_letters`), which has a trigram
 * index: `pg_trgm` ignores non-ASCII letters in a database whose LC_CTYPE is C. The text itself is compared too, in a
 * form for which the planner does not assume a second selective condition.
 */
export function matchesIndexedText(query: string, text: SQLWrapper, ascii: SQLWrapper): SQL | undefined {
  return matchesWords(query, (word) => {
    const pattern = sql`search_text(${containing(word)})`
    return sql`${ascii} like ascii_letters(${pattern}) and case when ${text} like ${pattern} then true end`
  })
}

// One condition per word instead of `like all (…)`, which cannot use a trigram index.
function matchesWords(query: string, matchWord: (word: string) => SQL): SQL | undefined {
  const words = query.normalize().trim().split(/\s+/, MAX_WORDS).filter(Boolean)
  if (words.length === 0) return undefined
  return sql.join(
    words.map((word) => sql`(${sql.join(notationsOf(word).map(matchWord), sql` or `)})`),
    sql` and `,
  )
}

/**
 * SQL condition of a search by phone: a column, which may be null, holds this phone in whatever spelling, or contains
 * these digits. Undefined for a query that is no phone.
 */
export function matchesPhone(query: string, phone: SQLWrapper): SQL | undefined {
  const digits = phoneQuery(query)
  if (!digits) return undefined
  const key = sql`phone_key(${phone})`
  // `like` instead of `=`, which cannot use a trigram index.
  if ('key' in digits) return sql`${key} like ${digits.key}`
  const part = sql`${key} like ${containing(digits.part)}`
  return digits.beginning ? sql`(${part} or ${key} like ${`${digits.beginning}%`})` : part
}

/** Either of two conditions of a search; undefined, hence no condition, when the first is. */
export const matchesEither = (first: SQL | undefined, second: SQL | undefined): SQL | undefined =>
  first && second ? sql`(${first} or ${second})` : first

/** A word, and the form in which an email address is stored: `xn--…` for an internationalised domain. */
function notationsOf(word: string): string[] {
  const stored = word.includes('@') ? Email.safeParse(word).data : undefined
  return stored && stored !== word ? [word, stored] : [word]
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
