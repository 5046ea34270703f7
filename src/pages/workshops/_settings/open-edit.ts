import type { AstroGlobal } from 'astro'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { runFormAction } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { readManagedEvent } from '../_open-event.ts'
import { eventEditActions } from './edit-actions.ts'

/**
 * The data of the edit page of an event, after running its forms; `to` is their redirect target. Refuses like
 * openEvent.
 */
export async function openEdit(astro: AstroGlobal, actor: Actor, type: WorkshopType) {
  const { t } = astro.locals
  const workshopId = parseId(astro.params.id)
  const form = await runFormAction(astro, eventEditActions(actor, workshopId, astro.url))
  if (form.to) return { to: form.to }
  astro.response.status = form.status
  const workshop = await readManagedEvent(actor, workshopId, type)
  const crumbs = [
    { label: t('workshop:list.title'), href: '/workshops' },
    { label: workshop.title, href: null },
  ]
  return { to: null, form, workshop, crumbs }
}
