import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { type ChatActor, isReadable } from '../access.ts'
import { REPLY_PREVIEW_LENGTH } from '../message/messages.ts'
import { type TitleRow, titleColumns, titleJoins, titleOfConversation } from '../title.ts'
import type { HeldReplyView, ScheduledMessageView } from './schema.ts'

/** More than SCHEDULED_LIMIT: replies by email may wait too. */
const MAX_LISTED = 200

interface ScheduledRow extends Omit<HeldReplyView, 'title' | 'sendAt'>, TitleRow, Record<string, unknown> {
  sendAt: string
}

/** Planned messages of the actor, the next one first; `condition`: of the row `q` of `chat_scheduled_message`. */
export async function selectScheduled(tx: Tx, actor: ChatActor, condition: SQL): Promise<ScheduledMessageView[]> {
  const messages = await selectOf(tx, actor, sql`q.author_id = ${actor.membershipId} and ${condition}`)
  return messages.map(({ author: _, ...message }) => message)
}

/**
 * Replies of others by email that wait in conversations that the actor, a team member, may read; `condition` as above.
 */
export function selectHeldReplies(tx: Tx, actor: ChatActor, condition: SQL): Promise<HeldReplyView[]> {
  const isHeld = sql`q.failure = 'unverified' and q.author_id <> ${actor.membershipId} and ${isReadable(actor)}`
  return selectOf(tx, actor, sql`${isHeld} and ${condition}`)
}

async function selectOf(tx: Tx, actor: ChatActor, condition: SQL): Promise<HeldReplyView[]> {
  const { rows } = await tx.execute<ScheduledRow>(sql`
    select q.id as "messageId", q.conversation_id as "conversationId", q.body, q.is_voice as "isVoice",
      q.send_at as "sendAt", q.failure, ${personNameIn('au')} as author, c.kind, ${titleColumns},
      coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name, 'kind', s.kind, 'size', s.size)
          order by f.position)
        from chat_file f join file s on s.tenant_id = f.tenant_id and s.id = f.file_id and s.deleted_at is null
        where f.tenant_id = q.tenant_id and f.scheduled_id = q.id), '[]') as files,
      (select json_build_object('seq', r.seq, 'threadSeq', coalesce(r.thread_seq, r.seq), 'author', ${personNameIn('ru')},
          'body', left(r.body, ${REPLY_PREVIEW_LENGTH}))
        from chat_message r join membership rm on rm.tenant_id = r.tenant_id and rm.id = r.author_id
          join "user" ru on ru.id = rm.user_id
        where r.tenant_id = q.tenant_id and r.conversation_id = q.conversation_id and r.seq = q.reply_to_seq
          and ${isReadable(actor)}) as reply
    from chat_scheduled_message q
      join membership am on am.tenant_id = q.tenant_id and am.id = q.author_id join "user" au on au.id = am.user_id
      join chat_conversation c on c.tenant_id = q.tenant_id and c.id = q.conversation_id ${titleJoins(actor)}
    where q.tenant_id = current_tenant() and ${condition}
    order by q.send_at, q.id limit ${MAX_LISTED}`)
  return rows.map(({ messageId, conversationId, body, reply, isVoice, files, sendAt, failure, author, ...row }) => {
    const { title } = titleOfConversation(row)
    return { messageId, conversationId, title, body, reply, isVoice, files, sendAt: new Date(sendAt), failure, author }
  })
}
