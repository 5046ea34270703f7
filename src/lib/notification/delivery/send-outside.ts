import type { Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { defaultEmail, type EmailSchool, withUnsubscribe } from '../compose.ts'
import type { ListedNotification } from '../insert.ts'
import { isTimeBound, type NotificationTopic } from '../kind-schema.ts'
import { type NewNotification, totalFor } from '../new-notification.ts'
import { endOfQuiet, isWithinDailyCap, nextDailyDigest, type PlannedDelivery } from '../settings/rules.ts'
import { countEmails } from './email-count.ts'
import type { NotifiedMember, RecipientPlan } from './recipients.ts'
import { loadEmailSchool } from './school.ts'
import { notificationDelivery } from './table.ts'

interface Outgoing extends NewNotification {
  topic: NotificationTopic
  plans: readonly RecipientPlan[]
  listed: ReadonlyMap<string, ListedNotification>
  now: Date
}

/** Sends the immediate emails of a notification, and stores what is delivered by other channels or later. */
export async function sendOutside(tx: Tx, outgoing: Outgoing): Promise<void> {
  const { plans, now } = outgoing
  const planned = plans.flatMap(({ recipient, deliveries }) => deliveries.map((delivery) => ({ recipient, delivery })))
  if (planned.length === 0) return
  const emails = planned.filter(({ delivery }) => delivery.channel === 'email' && delivery.frequency === 'immediate')
  const overCap = await takeFromCap(tx, emails)
  const isOverCap = isTimeBound(outgoing.topic) ? new Set<string>() : overCap
  const sent = emails.filter(({ recipient }) => !isOverCap.has(recipient.memberId))
  const stored = planned
    .filter((entry) => !sent.includes(entry))
    .map((entry) => (emails.includes(entry) ? { ...entry, delivery: overflowOf(entry.recipient, now) } : entry))
  const school = await loadEmailSchool(tx)
  if (!school) return
  await Promise.all([
    ...sent.map((entry) => sendOneEmail(outgoing, school, entry)),
    storeDeliveries(tx, school.tenantId, outgoing, stored),
  ])
}

interface PlannedEntry {
  recipient: NotifiedMember
  delivery: PlannedDelivery
}

/** Counts emails, and returns the members who have reached their daily cap. */
async function takeFromCap(tx: Tx, emails: readonly PlannedEntry[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const counts = await countEmails(
    tx,
    emails.map(({ recipient, delivery }) => ({
      memberId: recipient.memberId,
      day: localDay(delivery.at, recipient.timeZone),
    })),
  )
  const over = emails.filter(({ recipient }) => {
    const before = (counts.get(recipient.memberId) ?? 1) - 1
    return !isWithinDailyCap(before, recipient.dailyCap)
  })
  return new Set(over.map(({ recipient }) => recipient.memberId))
}

function overflowOf({ timeZone, quiet }: NotifiedMember, now: Date): PlannedDelivery {
  const at = endOfQuiet(nextDailyDigest(now, timeZone), timeZone, quiet)
  return { channel: 'email', frequency: 'daily', at }
}

function sendOneEmail(outgoing: Outgoing, school: EmailSchool, { recipient, delivery }: PlannedEntry): Promise<void> {
  const { kind, data, link, key, email, topic, listed, now } = outgoing
  const count = listed.get(recipient.memberId)?.count ?? totalFor(outgoing, recipient.memberId) ?? 1
  const composed = email ? email(recipient) : defaultEmail(school, recipient, { kind, data, link, count })
  return sendEmail({
    ...withUnsubscribe(school, recipient, composed, [topic]),
    onceKey: `${key}/${recipient.memberId}`,
    ...(delivery.at > now && { sendAfter: delivery.at }),
  })
}

async function storeDeliveries(
  tx: Tx,
  tenantId: string,
  outgoing: Outgoing,
  entries: readonly PlannedEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const { kind, data, link, key, groupKey, listed, now, expiresAt = null } = outgoing
  await tx
    .insert(notificationDelivery)
    .values(
      entries.map(({ recipient, delivery }) => ({
        tenantId,
        memberId: recipient.memberId,
        channel: delivery.channel,
        frequency: delivery.frequency,
        key,
        kind,
        data,
        link,
        groupKey: groupKey ?? null,
        count: listed.get(recipient.memberId)?.count ?? totalFor(outgoing, recipient.memberId) ?? 1,
        notificationId: listed.get(recipient.memberId)?.id ?? null,
        dueAt: delivery.at,
        expiresAt,
      })),
    )
    .onConflictDoNothing()
  for (const channel of ['push', 'telegram'] as const) {
    const memberIds = entries
      .filter(({ delivery }) => delivery.channel === channel && delivery.at <= now)
      .map(({ recipient }) => recipient.memberId)
    if (memberIds.length > 0) await enqueueJob('notification.deliver', { tenantId, channel, memberIds })
  }
}
