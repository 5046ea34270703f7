import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { matchesIndexedText } from '#lib/core/db/search.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { MessageQuery } from './query-rules.ts'

/** A condition of a search: a message has one of these entries in `chat_word`. */
export interface SearchTerm extends Record<string, unknown> {
  alternatives: string[]
  /** Messages with one of them in the school, at most MAX_COUNTED. */
  count: number
}

/** Longer words that begin with a typed one, and words that are similar to it. */
const MAX_PREFIXED = 1000
const MAX_SIMILAR = 12
const MIN_SIMILARITY = 0.3
const MIN_SIMILAR_LENGTH = 4
const MAX_AUTHORS = 20
const MAX_COUNTED = 1000

/** The terms of a search with the words of the school that they match. */
export async function expandTerms(tx: Tx, actor: Actor, query: MessageQuery): Promise<SearchTerm[]> {
  const fixed = query.has.map((part) => sql`select array[${`has:${part}`}] as alternatives`)
  if (query.from !== null) fixed.push(sql`select array(${authorsNamed(actor, query.from)}) as alternatives`)
  const words = query.words.map(
    // Of "C++" and "C", which "C++" contains, the first is meant.
    (word) => sql`select ${alternatives} as alternatives from unnest(search_words(${word})) typed(word)
      where not array[typed.word || '++', typed.word || '#'] && search_words(${word})`,
  )
  const { rows } = await tx.execute<SearchTerm>(sql`
    select term.alternatives, (select count(*)::int from (select 1 from chat_word w
      where w.tenant_id = current_tenant() and w.word = any(term.alternatives) limit ${MAX_COUNTED}) counted) as count
    from (${sql.join([...fixed, ...words], sql` union all `)}) term`)
  return rows
}

/** The last code point: no text that begins with a word sorts after the word with it. */
const LAST = '\u{10ffff}'

/**
 * The words of the school for `typed.word`. The typed word itself is always one of them. Numbers have no similar words.
 * `ascii_letters`, because pg_trgm ignores other letters where LC_CTYPE is C.
 */
const alternatives: SQL = sql`(
  with prefixed as (select v.word from chat_vocabulary v where v.tenant_id = current_tenant()
      and v.word ~>=~ typed.word and v.word ~<~ (typed.word || ${LAST}) order by v.word using ~<~ limit ${MAX_PREFIXED}),
    alike as (select v.word from chat_vocabulary v where v.tenant_id = current_tenant()
      and not exists (select 1 from prefixed) and length(typed.word) >= ${MIN_SIMILAR_LENGTH}
      and length(v.word) between length(typed.word) - 2 and length(typed.word) + 3
      and typed.word !~ '[0-9]' and v.word !~ '[0-9]'
      and similarity(ascii_letters(v.word), ascii_letters(typed.word)) >= ${MIN_SIMILARITY}
      order by similarity(ascii_letters(v.word), ascii_letters(typed.word)) desc, v.word limit ${MAX_SIMILAR})
  select array_agg(word) from (select typed.word union select word from prefixed union select word from alike) every)`

/** The entries of the authors whose name contains the text. */
function authorsNamed(actor: Actor, text: string): SQL {
  if (ME.has(text.toLowerCase())) return sql`select ${`from:${actor.membershipId}`}`
  const isNamed = matchesIndexedText(text, sql`u.search`, sql`u.search_ascii`) ?? sql`false`
  return sql`select 'from:' || m.id::text from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = current_tenant() and ${isNamed} limit ${MAX_AUTHORS}`
}

const ME: ReadonlySet<string> = new Set(['me', 'мене', 'я'])
