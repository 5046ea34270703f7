import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { IdKey, InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { MessageRow, OutgoingMessageView } from './output-schema.ts'
import { canManageOutbox, canSeeMessage } from './rules.ts'
import type { GetMessage, ListOutgoingMessages, OutboxFilter } from './schema.ts'

export interface OutgoingMessagePage {
  items: MessageRow[]
  next: string | null
}

/** Outgoing messages of the school, the newest first. Refuses with forbidden, invalid (cursor). */
export function listOutgoingMessages(actor: Actor, input: ListOutgoingMessages): Promise<OutgoingMessagePage> {
  if (!canManageOutbox(actor).allow) throw new Refusal('forbidden')
  return inTenant(actor, (tx) => loadOutgoingMessages(tx, input))
}

/** The same in a transaction; the caller checks the permission. */
export async function loadOutgoingMessages(tx: Tx, input: ListOutgoingMessages): Promise<OutgoingMessagePage> {
  const { filter, q, objectId, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  const conditions = [
    sql`m.tenant_id = current_tenant()`,
    filter ? FILTERS[filter] : undefined,
    objectId ? sql`m.object_id = ${objectId}` : undefined,
    searchCondition(q),
    after ? sql`(m.created_at, m.id) < ${rowOfKey(after)}` : undefined,
  ].filter((condition) => condition !== undefined)
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select ${COLUMNS}, ${microsecondsOf(sql`m.created_at`)} as micros
    from ${FROM} where ${sql.join(conditions, sql` and `)}
    order by m.created_at desc, m.id desc limit ${limit + 1}`)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map((row) => parseStored(MessageRow, row)),
    next: last ? writeCursor(InstantKey, { at: String(last.micros), id: String(last.id) }) : null,
  }
}

const RECIPIENT_PAGE_SIZE = 50

/** A message with a page of its recipients. Refuses with not_found, invalid (cursor). */
export function getOutgoingMessage(actor: Actor, input: GetMessage): Promise<OutgoingMessageView> {
  const { messageId, state, q, cursor } = input
  const after = readCursor(IdKey, cursor)
  return inTenant(actor, async (tx) => {
    const conditions = [
      sql`r.tenant_id = current_tenant() and r.message_id = ${messageId}`,
      state ? sql`r.state = ${state}` : undefined,
      matchesSearch(q, sql`r.name`, sql`r.email`),
      after ? sql`r.id > ${after.id}::uuid` : undefined,
    ].filter((condition) => condition !== undefined)
    const [message, languages, page] = await Promise.all([
      requireVisibleMessage(tx, actor, messageId),
      tx.execute<{ locale: string; recipients: number }>(sql`
        select locale, count(*)::int as recipients from outgoing_recipient
        where tenant_id = current_tenant() and message_id = ${messageId} group by locale order by locale desc`),
      tx.execute<Record<string, unknown>>(sql`
        select r.id, r.email, r.name, r.locale, r.state, r.reason from outgoing_recipient r
        where ${sql.join(conditions, sql` and `)} order by r.id limit ${RECIPIENT_PAGE_SIZE + 1}`),
    ])
    const last = page.rows.length > RECIPIENT_PAGE_SIZE ? page.rows[RECIPIENT_PAGE_SIZE - 1] : undefined
    return parseStored(OutgoingMessageView, {
      message,
      languages: languages.rows,
      recipients: page.rows.slice(0, RECIPIENT_PAGE_SIZE),
      next: last ? writeCursor(IdKey, { id: String(last.id) }) : null,
    })
  })
}

/** A message of the school, for those who may see it. Refuses with not_found. */
export async function requireVisibleMessage(tx: Tx, actor: Actor, messageId: string): Promise<MessageRow> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select ${COLUMNS} from ${FROM} where m.tenant_id = current_tenant() and m.id = ${messageId}`)
  const message = rows[0] && parseStored(MessageRow, rows[0])
  if (!message || !canSeeMessage(actor, message).allow) throw new Refusal('not_found')
  return message
}

const FROM = sql`outgoing_message m
  left join membership a on a.tenant_id = m.tenant_id and a.id = m.by left join "user" u on u.id = a.user_id`

const COLUMNS = sql`m.id, m.kind, m.state, m.subject, m.text, m.template, m.object_type as "objectType",
  m.object_id as "objectId", m.revision, m.by as "authorId", ${personNameIn('u')} as author,
  m.recipient_count as "recipientCount", m.sent_count as "sentCount", m.delivered_count as "deliveredCount",
  m.bounced_count as "bouncedCount", m.failed_count as "failedCount", m.created_at as "createdAt",
  m.send_at as "sendAt", m.sent_at as "sentAt"`

const FILTERS: Record<OutboxFilter, SQL> = {
  planned: sql`m.state in ('draft', 'held', 'scheduled')`,
  sent: sql`m.state in ('sending', 'sent')`,
  delivered: sql`m.delivered_count > 0`,
  bounced: sql`m.bounced_count > 0`,
  recalled: sql`m.state = 'recalled'`,
}

/** Matches words of subject and text, or a recipient by the complete email address. */
function searchCondition(q: string): SQL | undefined {
  const words = matchesSearch(q, sql`m.subject`, sql`m.text`)
  if (!words || !q.includes('@')) return words
  return sql`(${words} or exists (select 1 from outgoing_recipient r where r.tenant_id = current_tenant()
    and r.message_id = m.id and r.email = lower(${q})))`
}
