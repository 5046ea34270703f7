import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canManageWorkshop } from '#lib/workshop/rules.ts'
import { getWorkshop, type WorkshopView } from '#lib/workshop/workshop.ts'

/**
 * Loads the event of an edit page. Refuses with not_found where the URL names another type, with forbidden without
 * permission.
 */
export async function readManagedEvent(actor: Actor, workshopId: string, type: WorkshopType): Promise<WorkshopView> {
  const workshop = await getWorkshop(actor, { workshopId })
  if (workshop.type !== type) throw new Refusal('not_found')
  requireEventPermission(canManageWorkshop(actor, workshop.ownRoles))
  return workshop
}
