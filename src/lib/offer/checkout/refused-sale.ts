import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { keyedDigest } from '#lib/core/encryption.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mailboxOf } from '#lib/core/shared/text/mailbox.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { course } from '#lib/course/table.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'
import { requireOrderReader, visibleOrders } from '../order/permission.ts'
import { refusedSale } from '../order/table.ts'
import { offer } from '../table.ts'
import type { LeaveAddress } from './schema.ts'

/** Refused sales older than this are not counted. */
const COUNTED_DAYS = 30
const MAX_LISTED = 200
/** Addresses of refused buyers are kept for this long. */
const RETENTION_DAYS = 180

/** Whether an order was refused since the plan of the school takes no further student. */
export const isStudentLimit = (error: unknown): boolean =>
  error instanceof Refusal && (error.details.fields?.form?.includes('limit_student_count') ?? false)

/**
 * Stores that the checkout has turned a buyer away, without the address, and notifies the owner and the directors of the
 * number of such buyers. A buyer counts once for an offer.
 */
export async function recordRefusedSale(tenantId: string, input: { offerId: string; email: string }): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const [added] = await tx
      .insert(refusedSale)
      .values({ tenantId, offerId: input.offerId, buyerKey: buyerKeyOf(input) })
      .onConflictDoNothing()
      .returning({ id: refusedSale.id })
    if (!added) return
    const since = new Date(Date.now() - COUNTED_DAYS * DAY_MS)
    const total = await tx.$count(refusedSale, gt(refusedSale.createdAt, since))
    await notifyManagers(tx, {
      kind: 'sales_refused',
      key: `sales_refused/${added.id}`,
      groupKey: 'sales_refused',
      total,
      data: { subject: String(total) },
      link: '/orders',
    })
  })
}

/** Stores the address of a buyer whom the checkout has refused and who wants to be told. Refuses with not_found. */
export async function leaveAddress(tenantId: string, input: LeaveAddress): Promise<void> {
  const { offerId, name, email } = input
  const stored = await inTenant({ tenantId }, (tx) =>
    tx
      .update(refusedSale)
      .set({ name, email })
      .where(and(eq(refusedSale.offerId, offerId), eq(refusedSale.buyerKey, buyerKeyOf(input))))
      .returning({ id: refusedSale.id }),
  )
  if (stored.length === 0) throw new Refusal('not_found')
}

/** A buyer who was refused; the address only where the buyer has left it. */
export interface RefusedSale {
  id: string
  course: string
  offer: string
  name: string
  email: string
  createdAt: Date
}

/** The buyers who were refused since the plan takes no further student, newest first. Refuses with forbidden. */
export function listRefusedSales(actor: Actor): Promise<RefusedSale[]> {
  requireOrderReader(actor)
  return inTenant(actor, (tx) =>
    tx
      .select({
        id: refusedSale.id,
        course: course.title,
        offer: offer.name,
        name: refusedSale.name,
        email: refusedSale.email,
        createdAt: refusedSale.createdAt,
      })
      .from(refusedSale)
      .innerJoin(offer, and(eq(offer.tenantId, refusedSale.tenantId), eq(offer.id, refusedSale.offerId)))
      .innerJoin(course, and(eq(course.tenantId, offer.tenantId), eq(course.id, offer.courseId)))
      .where(and(sql`${refusedSale.tenantId} = current_tenant()`, visibleOrders(tx, actor, offer.courseId)))
      .orderBy(desc(refusedSale.createdAt), desc(refusedSale.id))
      .limit(MAX_LISTED),
  )
}

/** Deletes old refused sales with their addresses. Runs every night; returns how many. */
export function purgeRefusedSales(now = new Date()): Promise<number> {
  const dueSql = `select 1 from refused_sale where created_at < $1 - interval '${RETENTION_DAYS} days'`
  return forEachTenant({ job: 'offer.purgeRefusedSales', dueSql, now }, (tenantId) =>
    inTenant({ tenantId }, async (tx) => {
      const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
      const { rowCount } = await tx.delete(refusedSale).where(lt(refusedSale.createdAt, before))
      return rowCount ?? 0
    }),
  )
}

const buyerKeyOf = ({ offerId, email }: { offerId: string; email: string }): string =>
  keyedDigest('refused-sale', `${offerId} ${mailboxOf(email)}`).toString('base64url')
