import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { requireAllowed } from '#lib/workshop/permission.ts'
import { canManageWorkshop } from '#lib/workshop/rules.ts'
import { getWorkshop, type WorkshopView } from '#lib/workshop/workshop.ts'

/** The event of an edit page. Refuses with not_found where the address names another type, with forbidden to others. */
export async function openEvent(actor: Actor, workshopId: string, type: WorkshopType): Promise<WorkshopView> {
  const found = await getWorkshop(actor, { workshopId })
  if (found.type !== type) throw new Refusal('not_found')
  requireAllowed(canManageWorkshop(actor, found.mine))
  return found
}
