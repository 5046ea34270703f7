import type { Tx } from '#lib/core/db/db.ts'
import { publishToEach } from '#lib/core/live/live.ts'
import { addCauses, type NotifiedMember, type RecipientPlan } from './delivery/recipients.ts'
import { sendOutside } from './delivery/send-outside.ts'
import { findListed, insertListed } from './insert.ts'
import { NOTIFICATION_KINDS, type NotificationChannel } from './kind-schema.ts'
import type { NewNotification } from './new-notification.ts'
import { type DeliveryPlan, resolveDelivery } from './settings/rules.ts'

/**
 * Notifies members in the transaction of the cause, so that they are notified if and only if it is committed. Each member
 * is notified by the channels and at the time that they have chosen (`resolveDelivery`); a cause is delivered once. Members who
 * are blocked or belong to another tenant are skipped.
 *
 * A new kind is one line in `kind-schema.ts` and its title in `notification.json` of both languages.
 * @param tx the transaction of the tenant in which the cause is stored
 */
export async function notify(tx: Tx, added: NewNotification, now = new Date()): Promise<void> {
  const members = [...new Set(added.memberIds)].sort()
  if (members.length === 0) return
  const topic = NOTIFICATION_KINDS[added.kind]
  const recipients = await addCauses(tx, { ...added, topic, members, now })
  if (recipients.length === 0) return
  const plans = recipients.map((recipient): RecipientPlan => ({ recipient, ...planOf(recipient, added, now) }))
  const isListedBefore = added.channels && !added.channels.includes('inApp') && added.groupKey
  const listed = isListedBefore
    ? await findListed(tx, isListedBefore, plans)
    : await insertListed(tx, added, plans, now)
  await sendOutside(tx, { ...added, topic, plans, listed, now })
  const changed = plans.filter(({ inApp }) => inApp !== 'none').map(({ recipient }) => recipient.memberId)
  await publishToEach(
    changed.map((memberId) => `notification:${memberId}`),
    {},
  )
}

function planOf(recipient: NotifiedMember, { kind, email, channels }: NewNotification, now: Date) {
  const { timeZone: zone, chosen, quiet, isMuted, reachable } = recipient
  const plan = resolveDelivery({ topic: NOTIFICATION_KINDS[kind], now, zone, chosen, quiet, isMuted, reachable })
  const isSent = (channel: NotificationChannel) =>
    (channel !== 'email' || email !== false) && (!channels || channels.includes(channel))
  return {
    inApp: isSent('inApp') ? plan.inApp : 'none',
    deliveries: plan.deliveries.filter(({ channel }) => isSent(channel)),
  } satisfies DeliveryPlan
}
