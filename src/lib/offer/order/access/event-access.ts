import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import { cancelBuyer, registerBuyer } from '#lib/registration/registrants/buyer-registration.ts'
import { PAID_STATES } from '../rules.ts'
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
  for (const workshopId of workshopIds.toSorted()) {
    const [other] = await tx
      .select({ id: salesOrder.id })
      .from(salesOrder)
      .where(
        and(
          ne(salesOrder.id, order.id),
          inArray(salesOrder.state, [...PAID_STATES]),
          or(
            eq(salesOrder.recipientEmail, email),
            and(sql`${salesOrder.recipientEmail} is null`, eq(salesOrder.email, email)),
          ),
          sql`${salesOrder.snapshot} #> '{settings,workshopIds}' ? ${workshopId}`,
        ),
      )
      .limit(1)
    if (!other) await cancelBuyer(tx, workshopId, email, new Date()).catch(nullIfRefused)
  }
}

const emailOf = ({ recipientEmail, email }: OrderRow): string => recipientEmail ?? email
