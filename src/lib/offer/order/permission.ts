import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { courseStaff } from '#lib/course/table.ts'
import { canReadOrders, canRefundOrders } from '../rules.ts'
import { salesOrder } from './table.ts'

/** Refuses with forbidden unless the actor may see orders. */
export function requireOrderReader(actor: Actor): void {
  const { allow, reason } = canReadOrders(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
}

/** Refuses with forbidden unless the actor may return money, and with plan_inactive while the plan has expired. */
export function requireOrderManager(actor: Actor): void {
  const { allow, reason } = canRefundOrders(actor)
  if (!allow) throw new Refusal('forbidden', { data: { reason } })
  requirePlan(actor, 'lms')
}

/** Condition: orders that the actor may see, by the column of their course. Experts see those of their courses. */
export function visibleOrders(tx: Tx, actor: Actor, courseId: AnyPgColumn = salesOrder.courseId): SQL | undefined {
  if (hasRole(actor, ['OWNER', 'DIRECTOR'])) return undefined
  const own = tx
    .select({ id: courseStaff.courseId })
    .from(courseStaff)
    .where(and(eq(courseStaff.memberId, actor.membershipId), eq(courseStaff.role, 'expert')))
  return inArray(courseId, own)
}
