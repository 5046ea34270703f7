import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

const MAX_WORDS = 8

/**
 * Condition of a search as people expect it: every word of the query occurs in one of the columns. Case and the kind of
 * apostrophe (', ’, ʼ) make no difference; `%` and `_` mean themselves. The columns must not be null.
 * @returns undefined, thus no condition, for a query without words.
 */
export function matchesSearch(query: string, ...columns: readonly SQLWrapper[]): SQL | undefined {
  const words = query.trim().split(/\s+/, MAX_WORDS).filter(Boolean)
  if (words.length === 0) return undefined
  const text = sql`search_text(${sql.join([...columns], sql` || ' ' || `)})`
  // One condition a word and not `like all (…)`, which no trigram index answers.
  return sql.join(
    words.map((word) => sql`${text} like search_text(${containing(word)})`),
    sql` and `,
  )
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
