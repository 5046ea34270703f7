import { and, asc, eq, inArray } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubscribePush, UnsubscribePush } from './schema.ts'
import { pushSubscription } from './table.ts'

/** More browsers of one person replace the oldest. */
const MAX_SUBSCRIPTIONS = 20

/** Stores that a browser receives push messages for the actor; a repeated call replaces its keys. */
export function subscribePush(actor: Actor, { endpoint, keys }: SubscribePush): Promise<void> {
  return inTenant(actor, async (tx) => {
    const values = { sessionId: actor.sessionId, p256dh: keys.p256dh, auth: keys.auth, createdAt: new Date() }
    await tx
      .insert(pushSubscription)
      .values({ tenantId: actor.tenantId, memberId: actor.membershipId, endpoint, ...values })
      .onConflictDoUpdate({
        target: [pushSubscription.tenantId, pushSubscription.memberId, pushSubscription.endpoint],
        set: values,
      })
    const stored = await tx
      .select({ id: pushSubscription.id })
      .from(pushSubscription)
      .where(isOwnSubscription(actor))
      .orderBy(asc(pushSubscription.createdAt))
    const surplus = stored.slice(0, Math.max(0, stored.length - MAX_SUBSCRIPTIONS)).map(({ id }) => id)
    if (surplus.length > 0) await tx.delete(pushSubscription).where(inArray(pushSubscription.id, surplus))
  })
}

/** Ends the push messages of a browser; an unknown one changes nothing. */
export function unsubscribePush(actor: Actor, { endpoint }: UnsubscribePush): Promise<void> {
  return inTenant(actor, async (tx) => {
    await tx.delete(pushSubscription).where(and(isOwnSubscription(actor), eq(pushSubscription.endpoint, endpoint)))
  })
}

const isOwnSubscription = (actor: Actor) =>
  and(eq(pushSubscription.tenantId, actor.tenantId), eq(pushSubscription.memberId, actor.membershipId))
