import type { Actor } from '#lib/core/shared/actor.ts'
import { EMAIL_KINDS } from '#lib/core/shared/event/live-event.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { recallBatch, saveEmailSettings, sendTestEmails } from '#lib/registration/email/reminder-schedule.ts'
import {
  approveRegistrations,
  cancelRegistrations,
  declineRegistrations,
  resendEmailOf,
  sendApology,
} from '#lib/registration/registrants/decisions.ts'
import { addRegistration, importRegistrations } from '#lib/registration/registrants/import.ts'
import type { EmailSettings } from '#lib/registration/schema.ts'
import {
  AddRegistration,
  ImportRegistrations,
  RecallEmails,
  RegistrationRef,
  SaveEmailSettings,
  SelectedRegistrations,
  SendTestEmails,
} from '#lib/registration/schema.ts'
import { formText } from '../../_request/form-actions.ts'

/**
 * Form actions of the tabs with registrants and emails; each returns the path to show next. `here`: the current page
 * with its query.
 */
export function createRegistrationActions(actor: Actor, workshopId: string, here: URL) {
  const back = (more: Record<string, string>, tab = 'people', registrationIds: readonly string[] = []) => {
    const preservedParams = [...here.searchParams].filter(([name]) => ['state', 'q'].includes(name))
    const chosenIds = registrationIds.map((id) => ['id', id])
    return `${here.pathname}?${new URLSearchParams([['tab', tab], ...preservedParams, ...Object.entries(more), ...chosenIds])}`
  }
  // The buttons of a row contain its id in the form's URL; the bulk bar sends the selected rows.
  const shownId = here.searchParams.get('one')
  const chosen = (form: FormData) => {
    return { workshopId, registrationIds: shownId ? [shownId] : form.getAll('registrationId').map(String) }
  }
  const decide = async (done: Promise<unknown>, notice: string) => {
    await done
    return back({ notice })
  }
  /** Actions that send emails which cannot be recalled require a confirmation. */
  const decideIfSure = (form: FormData, confirm: 'decline' | 'cancel', run: () => Promise<unknown>, notice: string) => {
    const { registrationIds } = chosen(form)
    if (form.has('sure') || registrationIds.length === 0) return decide(run(), notice)
    return Promise.resolve(back({ confirm }, 'people', registrationIds))
  }
  return {
    'registration.approve': (form: FormData) =>
      decide(approveRegistrations(actor, SelectedRegistrations.parse(chosen(form))), 'approved'),
    'registration.decline': (form: FormData) =>
      decideIfSure(
        form,
        'decline',
        () => declineRegistrations(actor, SelectedRegistrations.parse(chosen(form))),
        'declined',
      ),
    'registration.cancel': (form: FormData) =>
      decideIfSure(
        form,
        'cancel',
        () => cancelRegistrations(actor, SelectedRegistrations.parse(chosen(form))),
        'canceled',
      ),
    'registration.resend': () =>
      decide(resendEmailOf(actor, RegistrationRef.parse({ workshopId, registrationId: shownId ?? '' })), 'resent'),
    'registration.add': async (form: FormData) => {
      const person = { email: formText(form, 'email'), name: formText(form, 'name') }
      const { outcome } = await addRegistration(actor, AddRegistration.parse({ workshopId, ...person }))
      return back({ notice: outcome === 'known' ? 'known' : 'added' })
    },
    'registration.import': async (form: FormData) => {
      const { lines, resetsAt } = await importRegistrations(
        actor,
        ImportRegistrations.parse({ workshopId, text: formText(form, 'text') }),
      )
      const count = (...outcomes: string[]) => lines.filter(({ outcome }) => outcomes.includes(outcome)).length
      const wrong = lines.filter(({ outcome }) => outcome === 'invalid').map(({ line }) => line)
      const outcome = { added: `${count('added', 'confirmed')}`, known: `${count('known', 'twice')}` }
      const later: Record<string, string> = resetsAt
        ? { later: `${count('later')}`, until: resetsAt.toISOString() }
        : {}
      return back({ ...outcome, ...later, ...(wrong.length > 0 ? { wrong: wrong.slice(0, 50).join(', ') } : {}) })
    },
    'registration.saveEmails': async (form: FormData) => {
      await saveEmailSettings(actor, SaveEmailSettings.parse({ workshopId, emails: readEmailSettings(form) }))
      return back({ notice: 'saved' }, 'emails')
    },
    'registration.sendTest': async () => {
      const { sent } = await sendTestEmails(actor, SendTestEmails.parse({ workshopId }))
      return back({ tested: String(sent) }, 'emails')
    },
    'registration.recall': async (form: FormData) => {
      const { recalled } = await recallBatch(
        actor,
        RecallEmails.parse({ workshopId, batchId: formText(form, 'batchId') }),
      )
      return back({ recalled: String(recalled) }, 'emails')
    },
    'registration.apologize': async () => {
      await sendApology(actor, { workshopId })
      return back({ notice: 'apologized' }, 'emails')
    },
  }
}

function readEmailSettings(form: FormData): EmailSettings {
  const words = (kind: string, part: string) =>
    Object.fromEntries(LOCALES.map((locale) => [locale, formText(form, `${kind}.${part}.${locale}`)])) as Record<
      (typeof LOCALES)[number],
      string
    >
  const shown = EMAIL_KINDS.filter((kind) => form.has(`${kind}.subject.uk`))
  return Object.fromEntries(
    shown.map((kind) => {
      // The confirmation follows an action and cannot be turned off.
      const on = kind === 'confirmed' || form.has(`${kind}.on`)
      return [kind, { on, subject: words(kind, 'subject'), text: words(kind, 'text') }]
    }),
  )
}
