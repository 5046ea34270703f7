import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { notify } from '#lib/notification/notify.ts'
import { membership } from '#lib/user/table.ts'
import type { ChatActor } from '../access.ts'
import { requireChat } from '../chat.ts'
import { isFileMissing, removeFilesOfMessages } from '../file/attach.ts'
import { messagePlainText } from '../message/markdown-rules.ts'
import { postMessage } from '../message/send.ts'
import { KEEP_FAILED_DAYS, type ScheduledFailure, type ScheduledMessageView } from './schema.ts'
import { selectScheduled } from './select-scheduled.ts'
import { chatScheduledMessage as scheduled } from './table.ts'

interface DueScheduledMessage {
  tenantId: string
  messageId: string
  now: Date
}

/**
 * Job handler: sends a planned message that is due with its files, once, and deletes it in the same transaction. Nothing
 * happens when it was canceled, moved or sent. When it cannot be sent any more, the reason is stored, and its author is notified.
 */
export async function sendScheduled(
  { tenantId, messageId }: { tenantId: string; messageId: string },
  now = new Date(),
): Promise<void> {
  const due = { tenantId, messageId, now }
  try {
    await inTenant({ tenantId }, (tx) => sendDue(tx, due))
  } catch (error) {
    const failure = failureOfSending(error)
    if (!failure) throw error
    await inTenant({ tenantId }, (tx) => keepUnsent(tx, due, failure))
  }
}

/** SQL condition of the message that is due. */
const isDueMessage = ({ messageId, now }: DueScheduledMessage): SQL | undefined =>
  and(eq(scheduled.id, messageId), lte(scheduled.sendAt, now), sql`${scheduled.failure} is null`)

async function sendDue(tx: Tx, dueMessage: DueScheduledMessage): Promise<void> {
  const { tenantId } = dueMessage
  const [due] = await tx.select().from(scheduled).where(isDueMessage(dueMessage)).for('update')
  if (due) await postScheduled(tx, tenantId, due)
}

/**
 * Sends a planned message with its files as its author, and deletes the plan. The caller has locked its row. Refuses as
 * `postMessage` does, and with forbidden or plan_inactive when the author may not write any more.
 */
export async function postScheduled(tx: Tx, tenantId: string, due: typeof scheduled.$inferSelect): Promise<void> {
  const { id: messageId, conversationId, body, isVoice, mentions, replyToSeq, authorId } = due
  const actor = await loadAuthor(tx, tenantId, authorId)
  requireChat(actor)
  const { rows: files } = await tx.execute<{ id: string }>(sql`select f.file_id as id from chat_file f
    where f.tenant_id = current_tenant() and f.scheduled_id = ${messageId} order by f.position`)
  const message = {
    conversationId,
    messageId,
    body,
    isVoice,
    mentions,
    fileIds: files.map(({ id }) => id),
    ...(replyToSeq === null ? {} : { replyTo: replyToSeq }),
  }
  await postMessage(actor, message, { scheduledId: messageId })
  await tx.delete(scheduled).where(eq(scheduled.id, messageId))
}

async function loadAuthor(tx: Tx, tenantId: string, membershipId: string): Promise<ChatActor> {
  const [member] = await tx
    .select({ accountType: membership.accountType, roles: membership.roles, blockedAt: membership.blockedAt })
    .from(membership)
    .where(and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, membershipId)))
  if (!member || member.blockedAt) throw new Refusal('forbidden')
  if (member.accountType !== 'ACCOUNT_TYPE_STUDENT') {
    const { plans } = await getTenantPlans(tx)
    if (!plans.some(({ group, state }) => group === 'lms' && state === 'current')) throw new Refusal('plan_inactive')
  }
  return { tenantId, membershipId, roles: effectiveRoles(member.accountType, member.roles) }
}

function failureOfSending(error: unknown): ScheduledFailure | null {
  if (!(error instanceof Refusal)) return null
  if (isFileMissing(error)) return 'file_missing'
  if (error.code === 'plan_inactive') return 'plan_inactive'
  return error.code === 'forbidden' || error.code === 'not_found' ? 'forbidden' : null
}

/** Stores why a message was not sent, and notifies its author. */
async function keepUnsent(tx: Tx, due: DueScheduledMessage, failure: ScheduledFailure): Promise<void> {
  const { tenantId, messageId } = due
  const [unsent] = await tx
    .update(scheduled)
    .set({ failure })
    .where(isDueMessage(due))
    .returning({ membershipId: scheduled.authorId, sendAt: scheduled.sendAt })
  if (!unsent) return
  const { membershipId, sendAt } = unsent
  const [message] = await selectScheduled(tx, { tenantId, membershipId, roles: [] }, sql`q.id = ${messageId}`)
  await notify(tx, {
    kind: 'chat_not_sent',
    memberIds: [membershipId],
    key: `chat_not_sent/${messageId}/${sendAt.getTime()}`,
    data: { subject: nameOfUnsent(message) },
    link: '/chat?view=scheduled',
  })
}

/** The conversation, or what the message begins with. */
function nameOfUnsent(message: ScheduledMessageView | undefined): string {
  const text = messagePlainText(message?.body ?? '').slice(0, 60)
  return message?.title ?? (text || (message?.files[0]?.name ?? ''))
}

const FAILED_LONG_AGO =
  "select 1 from chat_scheduled_message where failure is not null and send_at < $1::timestamptz - interval '30 days'"

/** Deletes planned messages that could not be sent, with their files, after KEEP_FAILED_DAYS. Returns their number. */
export function removeUnsentMessages(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - KEEP_FAILED_DAYS * DAY_MS)
  return forEachTenant({ job: 'chat.removeUnsent', dueSql: FAILED_LONG_AGO, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const isOld = sql`failure is not null and send_at < ${before}`
      const old = sql`select id from chat_scheduled_message where tenant_id = current_tenant() and ${isOld} for update`
      const { rows } = await tx.execute<{ id: string }>(old)
      const ids = sql.param(rows.map(({ id }) => id))
      await removeFilesOfMessages(tx, sql`f.scheduled_id = any(${ids}::uuid[])`)
      await tx.execute(
        sql`delete from chat_scheduled_message where tenant_id = current_tenant() and id = any(${ids}::uuid[])`,
      )
      return rows.length
    }),
  )
}
