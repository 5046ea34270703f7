import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationMessageView, MessagePage } from '../output-schema.ts'
import type { ListMessages } from '../schema.ts'

/**
 * A page of messages, in order: before or after a sequence number, around one, or the latest ones. Refuses with forbidden,
 * not_found.
 */
export async function listMessages(actor: Actor, input: ListMessages): Promise<MessagePage> {
  requireChat(actor)
  const { conversationId, before, after, around, limit } = input
  return inTenant(actor, async (tx) => {
    const { lastSeq } = await requireConversation(tx, actor, conversationId)
    if (after !== undefined)
      return { messages: await selectMessages(tx, conversationId, sql`w.seq > ${after}`, { limit }), lastSeq }
    const end = around === undefined ? (before ?? lastSeq + 1) : Math.min(around + Math.ceil(limit / 2), lastSeq + 1)
    const messages = await selectMessages(tx, conversationId, sql`w.seq < ${end}`, { limit, isLatestFirst: true })
    return { messages: messages.reverse(), lastSeq }
  })
}

/** One message. */
export async function selectMessage(
  tx: Tx,
  conversationId: string,
  seq: number,
): Promise<ConversationMessageView | undefined> {
  const [message] = await selectMessages(tx, conversationId, sql`w.seq = ${seq}`, { limit: 1 })
  return message
}

const nameOf = (user: SQL): SQL =>
  sql`coalesce(nullif(trim(${user}.first_name || ' ' || ${user}.last_name), ''), ${user}.email)`

const REPLY_PREVIEW_LENGTH = 160

interface MessageRow
  extends Record<string, unknown>,
    Omit<ConversationMessageView, 'createdAt' | 'editedAt' | 'deletedAt'> {
  createdAt: string
  editedAt: string | null
  deletedAt: string | null
}

async function selectMessages(
  tx: Tx,
  conversationId: string,
  condition: SQL,
  { limit, isLatestFirst = false }: { limit: number; isLatestFirst?: boolean },
): Promise<ConversationMessageView[]> {
  const { rows } = await tx.execute<MessageRow>(sql`
    select w.seq, w.id, w.author_id as "authorId", ${nameOf(sql`u`)} as author,
      m.account_type <> 'ACCOUNT_TYPE_STUDENT' as "isStaff", w.body,
      w.created_at as "createdAt", w.edited_at as "editedAt", w.deleted_at as "deletedAt",
      case when r.seq is not null then json_build_object('seq', r.seq, 'author', ${nameOf(sql`ru`)},
        'body', left(r.body, ${REPLY_PREVIEW_LENGTH})) end as reply
    from (select * from chat_message w where w.tenant_id = current_tenant() and w.conversation_id = ${conversationId}
        and ${condition} order by w.seq ${isLatestFirst ? sql`desc` : sql`asc`} limit ${limit}) w
      join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id
      join "user" u on u.id = m.user_id
      left join chat_message r on r.tenant_id = w.tenant_id and r.conversation_id = w.conversation_id
        and r.seq = w.reply_to_seq
      left join membership rm on rm.tenant_id = r.tenant_id and rm.id = r.author_id
      left join "user" ru on ru.id = rm.user_id
    order by w.seq ${isLatestFirst ? sql`desc` : sql`asc`}`)
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    editedAt: row.editedAt ? new Date(row.editedAt) : null,
    deletedAt: row.deletedAt ? new Date(row.deletedAt) : null,
  }))
}
