import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/** A conversation that waits for an answer since an instant, in microseconds since 1970. */
interface WaitingConversation {
  conversationId: string
  since: string
}

const sinceMicros = sql`(extract(epoch from c.waiting_since) * 1000000)::bigint::text`

/**
 * Locks a conversation. Returns whether it still waits for the answer to what was asked at that instant: nobody has
 * answered or closed it since, in no process.
 */
export async function lockWaiting(tx: Tx, { conversationId, since }: WaitingConversation): Promise<boolean> {
  const { rows } = await tx.execute<{ since: string | null }>(sql`select ${sinceMicros} as since
    from chat_conversation c where c.tenant_id = current_tenant() and c.id = ${conversationId} for update`)
  return rows[0]?.since === since
}

/** Closes a conversation without an answer until the student writes again. False when it does not wait any more. */
export async function closeWaiting(tx: Tx, waiting: WaitingConversation): Promise<boolean> {
  if (!(await lockWaiting(tx, waiting))) return false
  await tx.execute(sql`update chat_conversation set waiting_since = null
    where tenant_id = current_tenant() and id = ${waiting.conversationId}`)
  return true
}

/** Reverts `closeWaiting`: the conversation waits since the first message of a student after the last one of the team. */
export async function reopenWaiting(tx: Tx, conversationId: string): Promise<void> {
  await tx.execute(sql`update chat_conversation c set waiting_since = ${firstUnanswered}
    where c.tenant_id = current_tenant() and c.id = ${conversationId} and c.waiting_since is null`)
}

/** Computes again since when a conversation waits, after one of its messages was deleted. */
export async function updateWaiting(tx: Tx, conversationId: string): Promise<void> {
  await tx.execute(sql`update chat_conversation c set waiting_since = ${firstUnanswered}
    where c.tenant_id = current_tenant() and c.id = ${conversationId} and c.waiting_since is not null`)
}

const isStudent = (alias: string) => sql`exists (select 1 from membership m where m.tenant_id = current_tenant()
  and m.id = ${sql.raw(alias)}.author_id and m.account_type = 'ACCOUNT_TYPE_STUDENT')`

// The last answer is found first: as a part of the condition on `seq` it would prevent the use of the index.
const firstUnanswered = sql`(select first.created_at from (select coalesce((select s.seq
    from chat_message s where s.tenant_id = c.tenant_id and s.conversation_id = c.id and s.deleted_at is null
      and not ${isStudent('s')} order by s.seq desc limit 1), 0) as seq offset 0) answered
  cross join lateral (select w.created_at from chat_message w where w.tenant_id = c.tenant_id
    and w.conversation_id = c.id and w.deleted_at is null and ${isStudent('w')} and w.seq > answered.seq
    order by w.seq limit 1) first)`
