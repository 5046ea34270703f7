import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { Email } from '../shared/text/email.ts'

const MAX_WORDS = 8

/**
 * Condition of a search as people expect it: every word of the query occurs in one of the columns. Case, the kind of
 * apostrophe (', ’, ʼ) and the notation of an email address make no difference; `%` and `_` mean themselves. The columns
 * must not be null.
 * @returns undefined, thus no condition, for a query without words.
 */
export function matchesSearch(query: string, ...columns: readonly SQLWrapper[]): SQL | undefined {
  return matchesSearchText(query, sql`search_text(${sql.join([...columns], sql` || ' ' || `)})`)
}

/** The same on a text that `search_text` has made already. */
export function matchesSearchText(query: string, text: SQLWrapper): SQL | undefined {
  return matchesWords(query, (word) => sql`${text} like search_text(${containing(word)})`)
}

/**
 * The same on such a text beside the same text in ASCII letters (`ascii_letters`), which has a trigram index: `pg_trgm`
 * knows no other letters in a database whose LC_CTYPE is C. The text itself is compared too, in a form that the planner
 * does not take for a second condition as selective as the first.
 */
export function matchesIndexedText(query: string, text: SQLWrapper, ascii: SQLWrapper): SQL | undefined {
  return matchesWords(query, (word) => {
    const pattern = sql`search_text(${containing(word)})`
    return sql`${ascii} like ascii_letters(${pattern}) and case when ${text} like ${pattern} then true end`
  })
}

// One condition a word and not `like all (…)`, which no trigram index answers.
function matchesWords(query: string, matchWord: (word: string) => SQL): SQL | undefined {
  const words = query.trim().split(/\s+/, MAX_WORDS).filter(Boolean)
  if (words.length === 0) return undefined
  return sql.join(
    words.map((word) => sql`(${sql.join(notationsOf(word).map(matchWord), sql` or `)})`),
    sql` and `,
  )
}

/** A word, and the form in which an email address is stored: `xn--…` for an internationalised domain. */
function notationsOf(word: string): string[] {
  const stored = word.includes('@') ? Email.safeParse(word).data : undefined
  return stored && stored !== word ? [word, stored] : [word]
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
