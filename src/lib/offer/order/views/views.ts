import { and, asc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { OrderViewId, SaveOrderView } from '../order-schema.ts'
import { requireOrderReader } from '../permission.ts'
import { orderView } from '../table.ts'

const MAX_VIEWS = 30

/** A saved view of the list of orders. */
export interface OrderView {
  id: string
  name: string
  /** The query of the list's URL, without `?`. */
  query: string
}

/** The views of the list of orders that the actor has saved, by name. Refuses with forbidden. */
export function listOrderViews(actor: Actor): Promise<OrderView[]> {
  requireOrderReader(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({ id: orderView.id, name: orderView.name, query: orderView.query })
      .from(orderView)
      .where(eq(orderView.memberId, actor.membershipId))
      .orderBy(asc(orderView.name)),
  )
}

/**
 * Saves a view of the list of orders under a name, replacing the actor's view of the same name. Refuses with forbidden and,
 * for more than 30, unprocessable (too_many_views).
 */
export async function saveOrderView(actor: Actor, { name, query }: SaveOrderView): Promise<{ viewId: string }> {
  requireOrderReader(actor)
  return inTenant(actor, async (tx) => {
    const [saved] = await tx
      .insert(orderView)
      .values({ tenantId: actor.tenantId, memberId: actor.membershipId, name, query })
      .onConflictDoUpdate({ target: [orderView.tenantId, orderView.memberId, orderView.name], set: { query } })
      .returning({ viewId: orderView.id })
    const count = await tx.$count(orderView, eq(orderView.memberId, actor.membershipId))
    if (!saved || count > MAX_VIEWS) throw new Refusal('unprocessable', { fields: { name: ['too_many_views'] } })
    return saved
  })
}

/** Deletes a view of the actor. Refuses with forbidden, not_found. */
export async function deleteOrderView(actor: Actor, { viewId }: OrderViewId): Promise<void> {
  requireOrderReader(actor)
  const deleted = await inTenant(actor, (tx) =>
    tx
      .delete(orderView)
      .where(and(eq(orderView.id, viewId), eq(orderView.memberId, actor.membershipId)))
      .returning({ id: orderView.id }),
  )
  if (deleted.length === 0) throw new Refusal('not_found')
}
