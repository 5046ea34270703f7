import { copyScript, scriptChecks } from '#lib/autowebinar/autowebinar.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filmChecks } from '#lib/masterclass/masterclass.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { WORKSHOP_ACCESS, WORKSHOP_ROLES } from '#lib/workshop/schema.ts'
import * as door from '#lib/workshop/workshop.ts'
import { textOf } from '../../course/_transfer/posted.ts'
import { autoActs } from '../_automated/auto-acts.ts'
import { itemActs } from '../_items/item-acts.ts'
import { masterclassActs } from '../_masterclass-acts.ts'
import { registrationActs } from '../register/_acts.ts'
import { baseIn } from './base.ts'
import { settingsActs } from './settings-acts.ts'
import { startOf } from './start-of.ts'

/** What the forms of an event's pages do; each gives the path to show next. */
export function editActs(actor: Actor, workshopId: string, here: URL) {
  const page = async (tab: string, said: string) => {
    const { type } = await door.getWorkshop(actor, { workshopId })
    return `${editPath(type, workshopId)}?${new URLSearchParams(tab === 'facts' ? { said } : { tab, said })}`
  }
  const then = (done: Promise<unknown>, tab: string, said: string) => done.then(() => page(tab, said))
  return {
    save: async (form: FormData) => {
      const before = await door.getWorkshop(actor, { workshopId })
      const dated = before.type === 'webinar'
      await door.saveWorkshop(actor, {
        workshopId,
        version: Number(textOf(form, 'version')) || 1,
        base: baseIn(form),
        title: textOf(form, 'title'),
        // A browser sends other line ends than it was given.
        description: textOf(form, 'description').replaceAll('\r\n', '\n'),
        coverFileId: form.has('noCover') ? null : textOf(form, 'coverFileId') || null,
        language: textOf(form, 'language') === 'en' ? 'en' : 'uk',
        startAt: dated ? startOf(form, actor.tenantTimeZone) : (before.startAt?.toISOString() ?? null),
        timeZone: dated ? textOf(form, 'timeZone') : before.timeZone,
        plannedMinutes: Number(textOf(form, 'plannedMinutes')) || before.plannedMinutes,
        access: WORKSHOP_ACCESS.find((one) => one === textOf(form, 'access')) ?? before.access,
        source: before.source,
        slidesFileId: before.slidesFileId,
        ...(form.has('notify') ? { notify: textOf(form, 'notify') === 'yes' } : {}),
      })
      return page('facts', 'saved')
    },
    slides: async (form: FormData) => {
      const { startAt, ...before } = await door.getWorkshop(actor, { workshopId })
      await door.saveWorkshop(actor, {
        workshopId,
        version: Number(textOf(form, 'version')) || 1,
        base: baseIn(form),
        title: before.title,
        description: before.description,
        coverFileId: before.coverFileId,
        language: before.language,
        startAt: startAt?.toISOString() ?? null,
        timeZone: before.timeZone,
        access: before.access,
        plannedMinutes: before.plannedMinutes,
        source: before.source,
        slidesFileId: form.has('noSlides') ? null : textOf(form, 'slidesFileId') || null,
      })
      return page('slides', 'saved')
    },
    staff: async (form: FormData) => {
      const staff = WORKSHOP_ROLES.flatMap((role) => form.getAll(role).map((id) => ({ memberId: String(id), role })))
      await door.setStaff(actor, { workshopId, staff })
      return page('speakers', 'saved')
    },

    publish: () => then(door.publishWorkshop(actor, { workshopId }, [scriptChecks, filmChecks]), 'facts', 'published'),
    unpublish: () => then(door.unpublishWorkshop(actor, { workshopId }), 'settings', 'unpublished'),
    cancel: (form: FormData) =>
      then(door.cancelWorkshop(actor, { workshopId, notify: form.has('notify') }), 'settings', 'canceled'),
    archive: () => then(door.archiveWorkshop(actor, { workshopId }), 'settings', 'archived'),
    restore: () => then(door.restoreWorkshop(actor, { workshopId }), 'settings', 'restored'),
    duplicate: async () => {
      const { type } = await door.getWorkshop(actor, { workshopId })
      const copy = await door.duplicateWorkshop(actor, { workshopId }, copyScript)
      return `${editPath(type, copy.workshopId)}?said=copied`
    },

    ...autoActs(actor, workshopId),
    ...registrationActs(actor, workshopId, here),
    ...settingsActs(actor, workshopId, page),
    ...itemActs(actor, workshopId, page),
    ...masterclassActs(actor, workshopId, page),
  }
}
