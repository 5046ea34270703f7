import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { CreateWorkshop } from '#lib/workshop/schema.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import { textOf } from '../course/_transfer/posted.ts'
import { parseStart } from './_settings/start-time.ts'

/** What the short form of a new event does; gives the path of its edit page. */
export function createActs(actor: Actor, type: WorkshopType) {
  return {
    create: async (form: FormData) => {
      const { workshopId } = await createWorkshop(
        actor,
        CreateWorkshop.parse({
          type,
          title: textOf(form, 'title'),
          language: textOf(form, 'language') === 'en' ? 'en' : 'uk',
          timeZone: textOf(form, 'timeZone') || actor.tenantTimeZone,
          startAt: parseStart(form, actor.tenantTimeZone),
          plannedMinutes: Number(textOf(form, 'plannedMinutes')) || 60,
        }),
      )
      return editPath(type, workshopId)
    },
  }
}
