import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { backoffMs } from '#lib/core/shared/backoff.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { membership, user } from '#lib/user/table.ts'
import { NOTIFICATION_KINDS } from '../kind-schema.ts'
import { sendPush } from '../push/send-push.ts'
import { frequencyOf, type OutgoingChannel } from '../settings/rules.ts'
import { loadPreferences } from '../settings/settings.ts'
import { notification } from '../table.ts'
import { sendTelegram } from '../telegram/send-telegram.ts'
import type { DeliveryResult, DueDelivery, Receiver } from './delivery-result.ts'
import { sendDigest } from './digest.ts'
import { loadEmailSchool } from './school.ts'
import { notificationDelivery } from './table.ts'

/** What waits is tried this often, over about two days. */
const MAX_ATTEMPTS = 12
const RETRY = { firstMs: MINUTE_MS, maxMs: 8 * HOUR_MS, jitter: 0.2 }
const MAX_ROWS = 200

interface DeliverJob {
  tenantId: string
  channel: OutgoingChannel
  memberIds: string[]
}

/** Delivers what is due for members by a channel. Idempotent: what was delivered is not waiting any more. */
export async function deliverTo({ tenantId, channel, memberIds }: DeliverJob, now = new Date()): Promise<number> {
  const task = { job: 'notification.deliver', tenantId, items: memberIds, idOf: (memberId: string) => memberId }
  return forEachItem(task, async (memberId) => Number(await deliverToMember({ tenantId, channel, memberId }, now)))
}

/**
 * Delivers everything that is due: digests, what waited for the end of quiet hours, repeated attempts, and what a
 * process that was killed has left. Runs every minute; returns the number of messages.
 */
export function deliverDue(now = new Date()): Promise<number> {
  const dueSql = `select 1 from notification_delivery where state = 'waiting' and due_at <= $1`
  return forEachTenant({ job: 'notification.deliverDue', dueSql, now }, async (tenantId) => {
    const due = await inTenant({ tenantId }, (tx) =>
      tx
        .selectDistinct({ memberId: notificationDelivery.memberId, channel: notificationDelivery.channel })
        .from(notificationDelivery)
        .where(isDue(now)),
    )
    const idOf = ({ memberId, channel }: (typeof due)[number]) => `${memberId} ${channel}`
    return forEachItem({ job: 'notification.deliverDue', tenantId, items: due, idOf }, async (delivery) =>
      Number(await deliverToMember({ tenantId, ...delivery }, now)),
    )
  })
}

const isDue = (now: Date) =>
  and(
    eq(notificationDelivery.tenantId, sql`current_tenant()`),
    eq(notificationDelivery.state, 'waiting'),
    lte(notificationDelivery.dueAt, now),
  )

// The rows are locked until the result is stored, so that only one process delivers them; when the process ends before,
// they are waiting again.
function deliverToMember(
  { tenantId, channel, memberId }: { tenantId: string; channel: OutgoingChannel; memberId: string },
  now: Date,
): Promise<boolean> {
  return inTenant({ tenantId }, async (tx) => {
    const locked = await tx
      .select()
      .from(notificationDelivery)
      .where(and(isDue(now), eq(notificationDelivery.memberId, memberId), eq(notificationDelivery.channel, channel)))
      .orderBy(asc(notificationDelivery.createdAt), asc(notificationDelivery.id))
      .limit(MAX_ROWS)
      .for('update', { skipLocked: true })
    if (locked.length === 0) return false
    const current = locked.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    const wanted = await selectWanted(tx, { tenantId, channel, memberId }, current)
    await end(
      tx,
      locked.filter((row) => !wanted.includes(row)),
      { outcome: 'skipped' },
      now,
    )
    if (wanted.length === 0) return false
    const [school, receiver] = await Promise.all([loadEmailSchool(tx), loadReceiver(tx, memberId)])
    const result: DeliveryResult =
      school && receiver
        ? await sendByChannel(tx, { channel, school, receiver, rows: wanted, now })
        : { outcome: 'skipped' }
    await end(tx, wanted, result, now)
    return result.outcome === 'sent'
  })
}

type Row = typeof notificationDelivery.$inferSelect

interface Message {
  channel: OutgoingChannel
  school: NonNullable<Awaited<ReturnType<typeof loadEmailSchool>>>
  receiver: Receiver
  rows: DueDelivery[]
  now: Date
}

function sendByChannel(tx: Tx, { channel, ...message }: Message): Promise<DeliveryResult> {
  if (channel === 'email') return sendDigest(tx, message)
  return channel === 'push' ? sendPush(tx, message) : sendTelegram(tx, message)
}

/** What was neither read meanwhile nor turned off. */
async function selectWanted(
  tx: Tx,
  { tenantId, channel, memberId }: { tenantId: string; channel: OutgoingChannel; memberId: string },
  rows: readonly Row[],
): Promise<Row[]> {
  const listedIds = rows.flatMap(({ notificationId }) => notificationId ?? [])
  const [read, preferences] = await Promise.all([
    listedIds.length === 0
      ? []
      : tx
          .select({ id: notification.id })
          .from(notification)
          .where(
            and(
              eq(notification.tenantId, tenantId),
              inArray(notification.id, listedIds),
              sql`(${notification.readAt} is not null or ${notification.archivedAt} is not null)`,
            ),
          ),
    loadPreferences(tx, { tenantId, memberId }),
  ])
  const readIds = new Set(read.map(({ id }) => id))
  return rows.filter((row) => {
    const topic = NOTIFICATION_KINDS[row.kind]
    const chosen = preferences.find((choice) => choice.topic === topic && choice.channel === channel)
    const isOff = frequencyOf(topic, channel, chosen?.frequency) === 'off'
    return !isOff && !(row.notificationId && readIds.has(row.notificationId))
  })
}

async function loadReceiver(tx: Tx, memberId: string): Promise<Receiver | null> {
  const [row] = await tx
    .select({
      memberId: membership.id,
      accountType: membership.accountType,
      email: user.email,
      firstName: user.firstName,
      locale: user.locale,
      timeZone: user.timeZone,
      blockedAt: membership.blockedAt,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, memberId)))
  return row && !row.blockedAt ? row : null
}

async function end(tx: Tx, rows: readonly DueDelivery[], result: DeliveryResult, now: Date): Promise<void> {
  if (rows.length === 0) return
  const attempts = Math.max(...rows.map((row) => row.attempts)) + 1
  await tx
    .update(notificationDelivery)
    .set(deliveryValues(result, attempts, now))
    .where(
      and(
        eq(notificationDelivery.tenantId, sql`current_tenant()`),
        inArray(
          notificationDelivery.id,
          rows.map(({ id }) => id),
        ),
      ),
    )
}

function deliveryValues(result: DeliveryResult, attempts: number, now: Date) {
  if (result.outcome === 'postponed') return { dueAt: result.until }
  if (result.outcome !== 'retry') return { state: result.outcome, endedAt: now, attempts, error: null }
  const { error, receivedBy, retryAfterMs } = result
  if (attempts >= MAX_ATTEMPTS) return { state: 'failed' as const, endedAt: now, attempts, error }
  const waitMs = retryAfterMs ?? backoffMs(attempts, RETRY)
  return { dueAt: new Date(now.getTime() + waitMs), attempts, error, ...(receivedBy && { receivedBy }) }
}
