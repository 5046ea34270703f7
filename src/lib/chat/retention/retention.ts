import { and, eq, lt, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { removeFilesOfMessages } from '../file/attach.ts'
import { updateWaiting } from '../message/waiting.ts'
import { chatMention, chatMessage, chatMessageEdit, chatReaction, chatSetting } from '../table.ts'

const HAS_RETENTION = 'select 1 from chat_setting where retention_days is not null and $1::timestamptz is not null'
/** Messages that are deleted in one transaction, during which nobody writes in their conversation. */
const BATCH = 500

/**
 * Deletes the messages that are older than the school keeps them, with their files, reactions and earlier texts, and records
 * the number in the audit log. Periodic and idempotent; returns the number.
 */
export function deleteOldMessages(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'chat.deleteOldMessages', dueSql: HAS_RETENTION, now }, (tenantId) =>
    deleteInTenant(tenantId, now),
  )
}

async function deleteInTenant(tenantId: string, now: Date): Promise<number> {
  const { before, conversations } = await inTenant({ tenantId }, (tx) => listExpired(tx, now))
  if (!before) return 0
  let deleted = 0
  const idOf = ({ id }: { id: string }) => id
  const task = { job: 'chat.deleteOldMessages', tenantId, items: conversations, idOf }
  const failure = await forEachItem(task, async ({ id, keepFrom }) => {
    for (let count = BATCH; count === BATCH; ) {
      count = await inTenant({ tenantId }, (tx) => deleteBatch(tx, id, keepFrom))
      deleted += count
    }
  }).then(
    () => null,
    (error: unknown) => error,
  )
  if (deleted > 0)
    await inTenant({ tenantId }, (tx) =>
      recordAuditEntry(
        tx,
        { tenantId, membershipId: null },
        {
          action: 'chat.messages_deleted',
          objectId: tenantId,
          objectName: '',
          after: { messages: deleted, from: before.toISOString() },
        },
      ),
    )
  if (failure) throw failure
  return deleted
}

interface Expired {
  before: Date | null
  /** `keepFrom`: the first message that stays. */
  conversations: { id: string; keepFrom: number }[]
}

/** The conversations that begin with messages which are too old. Messages are deleted from the beginning only. */
async function listExpired(tx: Tx, now: Date): Promise<Expired> {
  const [setting] = await tx.select({ days: chatSetting.retentionDays }).from(chatSetting)
  if (!setting?.days) return { before: null, conversations: [] }
  const before = new Date(now.getTime() - setting.days * DAY_MS)
  const { rows } = await tx.execute<{ id: string; keepFrom: number }>(sql`
    select c.id, coalesce((select w.seq from chat_message w where w.tenant_id = c.tenant_id and w.conversation_id = c.id
      and w.created_at >= ${before} order by w.seq limit 1), c.last_seq + 1) as "keepFrom"
    from chat_conversation c where c.tenant_id = current_tenant() and c.first_seq <= c.last_seq
      and (select w.created_at from chat_message w where w.tenant_id = c.tenant_id and w.conversation_id = c.id
        order by w.seq limit 1) < ${before}`)
  return { before, conversations: rows }
}

async function deleteBatch(tx: Tx, conversationId: string, keepFrom: number): Promise<number> {
  const { rows } = await tx.execute<{ firstSeq: number }>(sql`select first_seq as "firstSeq" from chat_conversation
    where tenant_id = current_tenant() and id = ${conversationId} for update`)
  const firstSeq = rows[0]?.firstSeq ?? keepFrom
  const end = Math.min(firstSeq + BATCH, keepFrom)
  if (end <= firstSeq) return 0
  for (const table of [chatMessageEdit, chatReaction, chatMention])
    await tx.delete(table).where(and(eq(table.conversationId, conversationId), lt(table.seq, end)))
  await removeFilesOfMessages(tx, sql`f.conversation_id = ${conversationId} and f.seq < ${end}`)
  // A reply stays without the message that it answers.
  await tx.execute(sql`update chat_message set reply_to_seq = null where tenant_id = current_tenant()
    and conversation_id = ${conversationId} and reply_to_seq < ${end}`)
  const { rowCount } = await tx
    .delete(chatMessage)
    .where(and(eq(chatMessage.conversationId, conversationId), lt(chatMessage.seq, end)))
  await tx.execute(sql`update chat_conversation set first_seq = ${end} where tenant_id = current_tenant()
    and id = ${conversationId}`)
  await updateWaiting(tx, conversationId)
  return rowCount ?? 0
}
