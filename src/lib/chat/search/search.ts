import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays, instantOf } from '#lib/core/shared/time-zone.ts'
import { isReadable } from '../access.ts'
import { requireChat } from '../chat.ts'
import { messagePlainText } from '../message/markdown-rules.ts'
import type { FoundChatMessage, FoundChatMessages } from '../output-schema.ts'
import type { FindChatMessages } from '../schema.ts'
import { type TitleRow, titleColumns, titleJoins, titleOfConversation } from '../title.ts'
import { excerptOf } from './excerpt-rules.ts'
import { type MessageQuery, parseMessageQuery, problemOfQuery } from './query-rules.ts'
import { expandTerms, type SearchTerm } from './terms.ts'

/** The sort key of a message among those of all conversations; `at` in microseconds since 1970. */
const MessageKey = z.object({ at: z.string().regex(/^\d{1,16}$/), conversationId: z.uuid(), seq: z.int().min(0) })

/**
 * Messages of the conversations that the actor may read, which contain all words of the query, the newest first. A word
 * also finds longer words that begin with it and, when there is none, similar words. Refuses with forbidden, and with
 * invalid for a query without a word, author or kind of content, or with a value that cannot be read.
 */
export async function findChatMessages(actor: Actor, input: FindChatMessages): Promise<FoundChatMessages> {
  requireChat(actor)
  const query = parseMessageQuery(input.query, { timeZone: actor.timeZone, now: new Date() })
  const problem = problemOfQuery(query)
  if (problem) throw new Refusal('invalid', { fields: { query: [problem] } })
  const after = readCursor(MessageKey, input.cursor)
  return inTenant(actor, async (tx) => {
    const terms = await expandTerms(tx, actor, query)
    if (terms.some(({ alternatives }) => alternatives.length === 0)) return { items: [], next: null }
    const conditions = [
      conditionsOf(actor, query),
      ...(input.conversationId ? [sql`w.conversation_id = ${input.conversationId}`] : []),
    ]
    if (after)
      conditions.push(sql`(w.sent_at, w.conversation_id, w.seq)
        < (to_timestamp(${after.at}::numeric / 1000000), ${after.conversationId}::uuid, ${after.seq}::int)`)
    const rows = await selectFound(tx, actor, {
      terms,
      condition: sql.join(conditions, sql` and `),
      limit: input.limit + 1,
    })
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    const matches = new Set(terms.flatMap(({ alternatives }) => alternatives))
    return {
      items: page.map((row) => foundOf(row, matches)),
      next: rows.length > input.limit && last ? writeCursor(MessageKey, last) : null,
    }
  })
}

/** The condition about the entry `w` of a word and its conversation `c`, without the words. */
function conditionsOf(actor: Actor, query: MessageQuery): SQL {
  const { before, after } = query
  const conditions = [isReadable(actor)]
  if (before) conditions.push(sql`w.sent_at < ${instantOf(before, '00:00', actor.timeZone)}`)
  // The whole day is excluded.
  if (after) conditions.push(sql`w.sent_at >= ${addDays(instantOf(after, '00:00', actor.timeZone), 1, actor.timeZone)}`)
  if (query.in) conditions.push(sql`c.id = any(array(${conversationsNamed(actor, query.in)}))`)
  return sql.join(conditions, sql` and `)
}

/** The ids of the conversations whose title or place contains the text. */
function conversationsNamed(actor: Actor, text: string): SQL {
  const names = ['c.title', 'course.title', 'g.name', 'l.title', 'person.name'].map(
    (name) => sql`coalesce(${sql.raw(name)}, '')`,
  )
  return sql`select c.id from chat_conversation c ${titleJoins(actor)}
    where c.tenant_id = current_tenant() and ${isReadable(actor)} and ${matchesSearch(text, ...names) ?? sql`true`}`
}

interface FoundRow extends TitleRow, Record<string, unknown> {
  conversationId: string
  seq: number
  at: string
  body: string
  author: string
}

interface Selection {
  terms: readonly SearchTerm[]
  condition: SQL
  limit: number
}

/** The entries of the rarest term are read from the newest on; the other terms are looked up by their keys. */
async function selectFound(tx: Tx, actor: Actor, { terms, condition, limit }: Selection): Promise<FoundRow[]> {
  const [rarest, ...others] = terms.toSorted((a, b) => a.count - b.count)
  const both = others.map(
    ({ alternatives }) => sql`and exists (select 1 from chat_word o where o.tenant_id = w.tenant_id
      and o.word = any(${sql.param(alternatives)}::text[]) and o.sent_at = w.sent_at
      and o.conversation_id = w.conversation_id and o.seq = w.seq)`,
  )
  const { rows } = await tx.execute<FoundRow>(sql`
    with found as (
      select distinct hit.* from unnest(${sql.param(rarest?.alternatives ?? [])}::text[]) alternative(word)
        cross join lateral (select w.sent_at, w.conversation_id, w.seq from chat_word w
          join chat_conversation c on c.tenant_id = w.tenant_id and c.id = w.conversation_id
          where w.tenant_id = current_tenant() and w.word = alternative.word and ${condition}
            ${sql.join(both, sql` `)}
          order by w.sent_at desc, w.conversation_id desc, w.seq desc limit ${limit}) hit
      order by hit.sent_at desc, hit.conversation_id desc, hit.seq desc limit ${limit})
    select c.id as "conversationId", c.kind, ${titleColumns}, message.seq, message.body, ${personNameIn('author')} as author,
      (extract(epoch from found.sent_at) * 1000000)::bigint::text as at
    from found
      join chat_message message on message.tenant_id = current_tenant()
        and message.conversation_id = found.conversation_id and message.seq = found.seq
      join membership am on am.tenant_id = message.tenant_id and am.id = message.author_id
      join "user" author on author.id = am.user_id
      join chat_conversation c on c.tenant_id = message.tenant_id and c.id = message.conversation_id
      ${titleJoins(actor)}
    order by found.sent_at desc, found.conversation_id desc, found.seq desc`)
  return rows
}

function foundOf(row: FoundRow, matches: ReadonlySet<string>): FoundChatMessage {
  const { conversationId, kind, seq, author, at, body } = row
  const excerpt = excerptOf(messagePlainText(body), matches)
  return {
    conversationId,
    kind,
    ...titleOfConversation(row),
    seq,
    author,
    sentAt: new Date(Number(at) / 1000),
    excerpt,
  }
}
