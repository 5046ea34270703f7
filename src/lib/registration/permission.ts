import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findEventRoles, requireEventPermission, requireReadableWorkshop } from '#lib/workshop/permission.ts'
import { canManageWorkshop } from '#lib/workshop/rules.ts'

/**
 * Requires permission to see the registrants of an event and their emails: everybody who may change the event, whatever
 * the plan. Refuses with forbidden, not_found.
 */
export async function requireRegistrantAccess(tx: Tx, actor: Actor, workshopId: string): Promise<void> {
  await requireReadableWorkshop(tx, actor, workshopId)
  requireEventPermission(canManageWorkshop(actor, await findEventRoles(tx, actor, workshopId)))
}
