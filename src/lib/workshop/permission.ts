import { and, eq, isNull } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopRole } from '#lib/core/shared/event/live-event.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { canManageWorkshop, canModerate, canSeeWorkshops } from './rules.ts'
import { workshop, workshopStaff } from './table.ts'

/** Refuses with forbidden unless the verdict allows. */
export function requireEventPermission(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** When the plan has expired, staff can read everything and write nothing. */
export const requireWorkshopPlan = (actor: Actor): void => requirePlan(actor, 'workshop')

/** Event roles of the actor. */
export async function findEventRoles(tx: Tx, actor: Actor, workshopId: string): Promise<WorkshopRole[]> {
  const rows = await tx
    .select({ role: workshopStaff.role })
    .from(workshopStaff)
    .where(and(eq(workshopStaff.workshopId, workshopId), eq(workshopStaff.memberId, actor.membershipId)))
  return rows.map(({ role }) => role)
}

/** Requires permission to read the event as staff. Refuses with forbidden, not_found. */
export async function requireReadableWorkshop(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  requireEventPermission(canSeeWorkshops(actor))
  await requireExisting(tx, workshopId)
}

/** Requires permission to change the event. Refuses with not_found, forbidden, plan_inactive. */
export async function requireManagedWorkshop(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  await requireExisting(tx, workshopId)
  requireEventPermission(canManageWorkshop(actor, await findEventRoles(tx, actor, workshopId)))
  requireWorkshopPlan(actor)
}

/** Requires permission to moderate the event. Refuses like requireManagedWorkshop. */
export async function requireModeratedWorkshop(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  await requireExisting(tx, workshopId)
  requireEventPermission(canModerate(actor, await findEventRoles(tx, actor, workshopId)))
  requireWorkshopPlan(actor)
}

async function requireExisting(tx: Tx, workshopId: string): Promise<void> {
  const [row] = await tx
    .select({ id: workshop.id })
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
  if (!row) throw new Refusal('not_found')
}
