import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type ChatActor, requireConversation } from '../access.ts'
import { requireChat } from '../chat.ts'
import type { ConversationMessageView, MessagePage } from '../output-schema.ts'
import type { ListMessages, MessageRef } from '../schema.ts'

/**
 * A page of messages, in order: before or after a sequence number, around one, or the latest ones. Refuses with forbidden,
 * not_found.
 */
export async function listMessages(actor: Actor, input: ListMessages): Promise<MessagePage> {
  requireChat(actor)
  const { conversationId, before, after, around, limit } = input
  return inTenant(actor, async (tx) => {
    const { firstSeq, lastSeq } = await requireConversation(tx, actor, conversationId)
    if (after !== undefined)
      return {
        messages: await selectMessages(tx, actor, conversationId, { condition: sql`w.seq > ${after}`, limit }),
        firstSeq,
        lastSeq,
      }
    const end = around === undefined ? (before ?? lastSeq + 1) : Math.min(around + Math.ceil(limit / 2), lastSeq + 1)
    const condition = sql`w.seq < ${end}`
    const messages = await selectMessages(tx, actor, conversationId, { condition, limit, isLatestFirst: true })
    return { messages: messages.reverse(), firstSeq, lastSeq }
  })
}

/** One message, as the actor sees it. */
export async function selectMessage(
  tx: Tx,
  actor: ChatActor,
  { conversationId, seq }: MessageRef,
): Promise<ConversationMessageView | undefined> {
  const [message] = await selectMessages(tx, actor, conversationId, { condition: sql`w.seq = ${seq}`, limit: 1 })
  return message
}

/**
 * Messages with these ids that were written after a sequence number in this transaction, by their ids. The bound keeps the
 * statement from searching the conversation while it is locked.
 */
export async function selectNewMessages(
  tx: Tx,
  actor: ChatActor,
  { conversationId, afterSeq, ids }: { conversationId: string; afterSeq: number; ids: readonly string[] },
): Promise<Map<string, ConversationMessageView>> {
  if (ids.length === 0) return new Map()
  const condition = sql`w.seq > ${afterSeq} and w.id = any(${sql.param([...ids])}::uuid[])`
  const messages = await selectMessages(tx, actor, conversationId, { condition, limit: ids.length })
  return new Map(messages.map((message) => [message.id, message]))
}

/** Characters of a message that its replies show. */
export const REPLY_PREVIEW_LENGTH = 160

interface MessageRow
  extends Record<string, unknown>,
    Omit<ConversationMessageView, 'createdAt' | 'editedAt' | 'deletedAt'> {
  createdAt: string
  editedAt: string | null
  deletedAt: string | null
}

interface Selection {
  /** Of the message `w`. */
  condition: SQL
  limit: number
  isLatestFirst?: boolean
}

/** Messages of a conversation, as the actor sees them. The caller has checked the permission. */
export async function selectMessages(
  tx: Tx,
  actor: ChatActor,
  conversationId: string,
  { condition, limit, isLatestFirst = false }: Selection,
): Promise<ConversationMessageView[]> {
  const order = isLatestFirst ? sql`desc` : sql`asc`
  const ofMessage = (alias: string) => {
    const table = sql.raw(alias)
    return sql`${table}.tenant_id = w.tenant_id and ${table}.conversation_id = w.conversation_id and ${table}.seq = w.seq`
  }
  const { rows } = await tx.execute<MessageRow>(sql`
    select w.seq, w.id, w.author_id as "authorId", ${personNameIn('u')} as author,
      m.account_type <> 'ACCOUNT_TYPE_STUDENT' as "isStaff", w.body,
      w.created_at as "createdAt", w.edited_at as "editedAt", w.deleted_at as "deletedAt",
      w.attachment, case when w.attachment = 'none' then '[]'::json else coalesce((select json_agg(json_build_object(
          'id', s.id, 'name', s.name, 'kind', s.kind, 'size', s.size, 'width', s.width, 'height', s.height)
          order by o.position)
        from chat_file o join file s on s.tenant_id = o.tenant_id and s.id = o.file_id and s.deleted_at is null
        where ${ofMessage('o')}), '[]') end as files,
      w.thread_seq as "threadSeq", (select count(*)::int from chat_message t where t.tenant_id = w.tenant_id
        and t.conversation_id = w.conversation_id and t.thread_seq = coalesce(w.thread_seq, w.seq)) as "replyCount",
      w.pinned_at is not null as "isPinned", w.mentions_all as "mentionsAll", ${personNameIn('fu')} as "forwardedFrom",
      coalesce((select json_agg(json_build_object('memberId', o.member_id, 'name', ${personNameIn('ou')}))
        from chat_mention o join membership om on om.tenant_id = o.tenant_id and om.id = o.member_id
          join "user" ou on ou.id = om.user_id where ${ofMessage('o')}), '[]') as mentions,
      coalesce((select json_agg(json_build_object('reaction', each.reaction, 'count', each.count) order by each.first)
        from (select o.reaction, count(*) as count, min(o.created_at) as first from chat_reaction o
          where ${ofMessage('o')} group by o.reaction) each), '[]') as reactions,
      array(select o.reaction from chat_reaction o where ${ofMessage('o')}
        and o.member_id = ${actor.membershipId}) as "ownReactions",
      case when w.reply_to_seq is not null then (select json_build_object('seq', r.seq, 'author', ${personNameIn('ru')},
          'body', left(r.body, ${REPLY_PREVIEW_LENGTH}))
        from chat_message r left join membership rm on rm.tenant_id = r.tenant_id and rm.id = r.author_id
          left join "user" ru on ru.id = rm.user_id
        where r.tenant_id = w.tenant_id and r.conversation_id = w.conversation_id and r.seq = w.reply_to_seq) end as reply
    from (select * from chat_message w where w.tenant_id = current_tenant() and w.conversation_id = ${conversationId}
        and ${condition} order by w.seq ${order} limit ${limit}) w
      join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id
      join "user" u on u.id = m.user_id
      left join membership fm on fm.tenant_id = w.tenant_id and fm.id = w.forwarded_author_id
      left join "user" fu on fu.id = fm.user_id
    order by w.seq ${order}`)
  return rows.map((row) => ({
    ...row,
    createdAt: new Date(row.createdAt),
    editedAt: row.editedAt ? new Date(row.editedAt) : null,
    deletedAt: row.deletedAt ? new Date(row.deletedAt) : null,
  }))
}
