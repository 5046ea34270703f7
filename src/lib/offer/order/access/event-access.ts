import { and, eq, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import { cancelBuyer, registerBuyer } from '#lib/registration/registrants/buyer-registration.ts'
import { isPaidAccess } from '../seats.ts'
import { salesOrder } from '../table.ts'

type OrderRow = typeof salesOrder.$inferSelect

/**
 * Registers the person of an order for the events that it includes, in the order of their ids, since their seats are
 * locked; an event that is gone is omitted.
 */
export async function registerForEvents(tx: Tx, order: OrderRow, workshopIds: readonly string[]): Promise<void> {
  const person = { email: emailOf(order), name: order.recipientName ?? order.buyerName, phone: order.phone }
  for (const workshopId of workshopIds.toSorted())
    await registerBuyer(tx, workshopId, person, new Date()).catch(nullIfRefused)
}

/** Cancels the registrations that an order has given, except for events that another paid order of the person includes. */
export async function cancelEvents(tx: Tx, order: OrderRow, workshopIds: readonly string[]): Promise<void> {
  const email = emailOf(order)
  for (const workshopId of await findOwnEvents(tx, order, workshopIds))
    await cancelBuyer(tx, workshopId, email, new Date()).catch(nullIfRefused)
}

/** The events of an order, by their ids, that no other paid order of the person includes. */
export async function findOwnEvents(tx: Tx, order: OrderRow, workshopIds: readonly string[]): Promise<string[]> {
  if (workshopIds.length === 0) return []
  const email = emailOf(order)
  const others = await tx
    .select({ workshopIds: sql<string[]>`${salesOrder.snapshot} #> '{settings,workshopIds}'` })
    .from(salesOrder)
    .where(
      and(
        ne(salesOrder.id, order.id),
        isPaidAccess(),
        or(
          eq(salesOrder.recipientEmail, email),
          and(sql`${salesOrder.recipientEmail} is null`, eq(salesOrder.email, email)),
        ),
        sql`${salesOrder.snapshot} #> '{settings,workshopIds}' ?| ${sql.param(`{${workshopIds.join(',')}}`)}::text[]`,
      ),
    )
  const included = new Set(others.flatMap((other) => other.workshopIds))
  return workshopIds.toSorted().filter((workshopId) => !included.has(workshopId))
}

/** The address of the person who gets the access of an order. */
export const emailOf = ({ recipientEmail, email }: Pick<OrderRow, 'recipientEmail' | 'email'>): string =>
  recipientEmail ?? email
