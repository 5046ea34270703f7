import { readAutowebinarChecks } from '#lib/autowebinar/auto-session.ts'
import { copyAutowebinar } from '#lib/autowebinar/autowebinar.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { WORKSHOP_ACCESS, WORKSHOP_ROLES } from '#lib/core/shared/event/live-event.ts'
import { readMasterclassChecks } from '#lib/masterclass/publish-checks.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { CancelWorkshop, SaveWorkshop, SetEventStaff } from '#lib/workshop/schema.ts'
import { duplicateWorkshop } from '#lib/workshop/settings/duplicate.ts'
import { archiveWorkshop, cancelWorkshop, restoreWorkshop } from '#lib/workshop/settings/end.ts'
import { publishWorkshop, unpublishWorkshop } from '#lib/workshop/settings/publish.ts'
import { saveWorkshop } from '#lib/workshop/settings/save.ts'
import { setEventStaff } from '#lib/workshop/settings/staff.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { formText } from '../../_request/form-actions.ts'
import { automatedWebinarActions } from '../_automated/auto-actions.ts'
import { createItemActions } from '../_items/item-actions.ts'
import { masterclassActions } from '../_masterclass-actions.ts'
import { createRegistrationActions } from '../register/_staff-actions.ts'
import { readFormBase } from './form-base.ts'
import { eventSettingsActions } from './settings-actions.ts'
import { parseStart } from './start-time.ts'

/** Form actions of an event's pages; each returns the path to redirect to. */
export function eventEditActions(actor: Actor, workshopId: string, here: URL) {
  const page = async (tab: string, notice: string) => {
    const { type } = await getWorkshop(actor, { workshopId })
    return `${editPath(type, workshopId)}?${new URLSearchParams(tab === 'facts' ? { notice } : { tab, notice })}`
  }
  const then = (done: Promise<unknown>, tab: string, notice: string) => done.then(() => page(tab, notice))
  return {
    save: async (form: FormData) => {
      const before = await getWorkshop(actor, { workshopId })
      const dated = before.type === 'webinar'
      await saveWorkshop(
        actor,
        SaveWorkshop.parse({
          workshopId,
          version: Number(formText(form, 'version')) || 1,
          base: readFormBase(form),
          title: formText(form, 'title'),
          // Browsers normalize line ends.
          description: formText(form, 'description').replaceAll('\r\n', '\n'),
          coverFileId: form.has('noCover') ? null : formText(form, 'coverFileId') || null,
          language: formText(form, 'language') === 'en' ? 'en' : 'uk',
          startAt: dated ? parseStart(form, actor.tenantTimeZone) : (before.startAt?.toISOString() ?? null),
          timeZone: dated ? formText(form, 'timeZone') : before.timeZone,
          plannedMinutes: Number(formText(form, 'plannedMinutes')) || before.plannedMinutes,
          access: WORKSHOP_ACCESS.find((access) => access === formText(form, 'access')) ?? before.access,
          source: before.source,
          slidesFileId: before.slidesFileId,
          ...(form.has('notify') ? { notify: formText(form, 'notify') === 'yes' } : {}),
        }),
      )
      return page('facts', 'saved')
    },
    slides: async (form: FormData) => {
      const { startAt, ...before } = await getWorkshop(actor, { workshopId })
      await saveWorkshop(
        actor,
        SaveWorkshop.parse({
          workshopId,
          version: Number(formText(form, 'version')) || 1,
          base: readFormBase(form),
          title: before.title,
          description: before.description,
          coverFileId: before.coverFileId,
          language: before.language,
          startAt: startAt?.toISOString() ?? null,
          timeZone: before.timeZone,
          access: before.access,
          plannedMinutes: before.plannedMinutes,
          source: before.source,
          slidesFileId: form.has('noSlides') ? null : formText(form, 'slidesFileId') || null,
        }),
      )
      return page('slides', 'saved')
    },
    staff: async (form: FormData) => {
      const staff = WORKSHOP_ROLES.flatMap((role) => form.getAll(role).map((id) => ({ memberId: String(id), role })))
      await setEventStaff(actor, SetEventStaff.parse({ workshopId, staff }))
      return page('speakers', 'saved')
    },

    publish: () =>
      then(
        publishWorkshop(actor, { workshopId }, [readAutowebinarChecks, readMasterclassChecks]),
        'facts',
        'published',
      ),
    unpublish: () => then(unpublishWorkshop(actor, { workshopId }), 'settings', 'unpublished'),
    cancel: (form: FormData) =>
      then(
        cancelWorkshop(actor, CancelWorkshop.parse({ workshopId, notify: form.has('notify') })),
        'settings',
        'canceled',
      ),
    archive: () => then(archiveWorkshop(actor, { workshopId }), 'settings', 'archived'),
    restore: () => then(restoreWorkshop(actor, { workshopId }), 'settings', 'restored'),
    duplicate: async () => {
      const { type } = await getWorkshop(actor, { workshopId })
      const copy = await duplicateWorkshop(actor, { workshopId }, copyAutowebinar)
      return `${editPath(type, copy.workshopId)}?notice=copied`
    },

    ...automatedWebinarActions(actor, workshopId),
    ...createRegistrationActions(actor, workshopId, here),
    ...eventSettingsActions(actor, workshopId, page),
    ...createItemActions(actor, workshopId, page),
    ...masterclassActions(actor, workshopId, page),
  }
}
