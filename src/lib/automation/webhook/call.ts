import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { type PublicPostResult, postPublic } from '#lib/core/http/outgoing/post-public.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { automationRun } from '../table.ts'
import { readWebhookSecret, signWebhook } from './sign.ts'

/** A run whose webhook is called. */
export interface WebhookCall {
  tenantId: string
  automationId: string
  studentId: string
  cause: string
}

/** How long after each failure it is called again; after the last one it has failed. About 18 hours together. */
export const WEBHOOK_RETRY_MS = [5000, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS] as const
const TIMEOUT_MS = 10_000
/** How long a call waits for a receiver that does not answer the calls of other runs. */
const MAX_WAIT_MS = DAY_MS
/** The receiver does not want further requests. */
const GONE = 410

/** Enqueues a call in the surrounding transaction. */
export function enqueueWebhookCall(call: WebhookCall, startAfter?: Date): Promise<void> {
  const { tenantId, automationId, studentId, cause } = call
  const options = { singletonKey: `${automationId}/${studentId}/${cause}`, ...(startAfter && { startAfter }) }
  return enqueueJob('automation.callWebhook', { tenantId, automationId, studentId, cause }, options)
}

/**
 * Job handler: sends the signed request of a run and stores its result. A failed call is repeated at growing intervals. While
 * the receiver does not answer another call of the automation, the call waits for that one, so that many calls of a receiver
 * that is down do not delay those of other schools. The request of a run has always the same id, so that the receiver can
 * omit one that was sent twice because a process ended.
 */
export async function callWebhook(
  call: WebhookCall,
  { now = new Date(), isAllowed }: { now?: Date; isAllowed?: (address: string) => boolean } = {},
): Promise<void> {
  const request = await loadRequest(call, now)
  if (!request) return
  const { address, secret, previousSecret, isOn, body, sentSince, silentUntil } = request
  if (!isOn || !secret) return endCall(call, { result: 'failed', reason: isOn ? 'webhook_secret' : 'switched_off' })
  if (silentUntil) return waitForReceiver(call, { sentSince, silentUntil, now })
  const secrets = previousSecret ? [secret, previousSecret] : [secret]
  const headers = signWebhook(secrets, { id: requestIdOf(call), body, at: now })
  const result = await postPublic(address, { body, headers, timeoutMs: TIMEOUT_MS, ...(isAllowed && { isAllowed }) })
  await storeResult(call, result, now)
}

async function loadRequest(call: WebhookCall, now: Date) {
  return inTenant(call, async (tx) => {
    const { rows } = await tx.execute<StoredRequest>(sql`
      select a.title, a.trigger, a.webhook_address as address, a.webhook_secret as secret,
        case when a.previous_secret_until > ${now.toISOString()} then a.previous_webhook_secret end as previous_secret,
        a.on_since is not null and a.deleted_at is null and a.action = 'callWebhook' as is_on, r.subject, r.created_at,
        coalesce(r.resent_at, r.created_at) as sent_since,
        s.name, s.email,
        (select max(o.next_attempt_at) from automation_run o where o.tenant_id = r.tenant_id
          and o.automation_id = r.automation_id and o.result = 'pending' and o.reason = 'webhook_silent'
          and (o.student_id, o.cause) <> (r.student_id, r.cause) and o.next_attempt_at > ${now.toISOString()}) as silent_until
      from automation_run r
        join automation a on a.tenant_id = r.tenant_id and a.id = r.automation_id
        join student s on s.tenant_id = r.tenant_id and s.id = r.student_id
      where ${isRun(call)} and r.result = 'pending'`)
    const [row] = rows
    if (!row) return null
    return {
      address: row.address,
      secret: row.secret && readWebhookSecret(row.secret),
      isOn: row.is_on,
      previousSecret: row.previous_secret && readWebhookSecret(row.previous_secret),
      sentSince: new Date(row.sent_since),
      silentUntil: row.silent_until === null ? null : new Date(row.silent_until),
      body: JSON.stringify({
        type: `automation.${row.trigger}`,
        timestamp: new Date(row.created_at).toISOString(),
        data: {
          automation: { id: call.automationId, title: row.title },
          student: { id: call.studentId, name: row.name, email: row.email },
          subject: row.subject,
        },
      }),
    }
  })
}

// A type, because the driver requires an index signature.
type StoredRequest = {
  title: string
  trigger: string
  address: string
  secret: string | null
  previous_secret: string | null
  is_on: boolean
  subject: string
  created_at: string
  sent_since: string
  name: string
  email: string
  silent_until: string | null
}

const isRun = ({ automationId, studentId, cause }: WebhookCall) => sql`r.tenant_id = current_tenant()
  and r.automation_id = ${automationId} and r.student_id = ${studentId} and r.cause = ${cause}`

function requestIdOf({ tenantId, automationId, studentId, cause }: WebhookCall): string {
  const digest = createHash('sha256').update([tenantId, automationId, studentId, cause].join('/')).digest('base64url')
  return `msg_${digest.slice(0, 32)}`
}

async function storeResult(call: WebhookCall, result: PublicPostResult, now: Date): Promise<void> {
  const status = 'status' in result ? result.status : null
  const isDelivered = status !== null && status >= 200 && status < 300
  if (isDelivered) return endCall(call, { result: 'done', responseStatus: status, reason: null })
  const reason = 'error' in result ? `webhook_${result.error}` : 'webhook_refused'
  return inTenant(call, async (tx) => {
    const { rows } = await tx.execute<{ attempts: number }>(sql`select attempts from automation_run r
      where ${isRun(call)} and r.result = 'pending' for update`)
    const [row] = rows
    if (!row) return
    const waitMs = status === GONE ? undefined : WEBHOOK_RETRY_MS[row.attempts]
    const nextAttemptAt = waitMs === undefined ? null : new Date(now.getTime() + waitMs)
    await endCall(call, {
      result: nextAttemptAt ? 'pending' : 'failed',
      responseStatus: status,
      reason,
      nextAttemptAt,
    })
    if (nextAttemptAt) await enqueueWebhookCall(call, nextAttemptAt)
  })
}

async function waitForReceiver(
  call: WebhookCall,
  { sentSince, silentUntil, now }: { sentSince: Date; silentUntil: Date; now: Date },
): Promise<void> {
  if (now.getTime() - sentSince.getTime() > MAX_WAIT_MS)
    return endCall(call, { result: 'failed', reason: 'webhook_silent' })
  await inTenant(call, async (tx) => {
    await tx.update(automationRun).set({ nextAttemptAt: silentUntil }).where(isPendingRun(call))
    await enqueueWebhookCall(call, silentUntil)
  })
}

const isPendingRun = ({ automationId, studentId, cause }: WebhookCall) =>
  and(
    eq(automationRun.automationId, automationId),
    eq(automationRun.studentId, studentId),
    eq(automationRun.cause, cause),
    eq(automationRun.result, 'pending'),
  )

type CallResult = Pick<typeof automationRun.$inferInsert, 'result' | 'reason' | 'responseStatus' | 'nextAttemptAt'>

async function endCall(call: WebhookCall, { nextAttemptAt = null, ...result }: CallResult): Promise<void> {
  await inTenant(call, (tx) =>
    tx
      .update(automationRun)
      .set({ ...result, nextAttemptAt, attempts: sql`${automationRun.attempts} + 1` })
      .where(isPendingRun(call)),
  )
}
