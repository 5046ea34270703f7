import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { CreateWorkshop } from '#lib/workshop/schema.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import { formText } from '../_request/form-actions.ts'
import { parseStart } from './_settings/start-time.ts'

/** Form actions of a new event; returns the path of its edit page. */
export function createEventActions(actor: Actor, type: WorkshopType) {
  return {
    create: async (form: FormData) => {
      const { workshopId } = await createWorkshop(
        actor,
        CreateWorkshop.parse({
          type,
          title: formText(form, 'title'),
          language: formText(form, 'language') === 'en' ? 'en' : 'uk',
          timeZone: formText(form, 'timeZone') || actor.tenantTimeZone,
          startAt: parseStart(form, actor.tenantTimeZone),
          plannedMinutes: Number(formText(form, 'plannedMinutes')) || 60,
        }),
      )
      return editPath(type, workshopId)
    },
  }
}
