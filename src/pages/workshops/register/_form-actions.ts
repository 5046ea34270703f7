import { Refusal } from '#lib/core/http/refusal.ts'
import { requestNextEventEmail } from '#lib/registration/next-event-request.ts'
import {
  acceptOffer,
  cancelOwnRegistration,
  editOwnRegistration,
  setReminders,
} from '#lib/registration/own-registration.ts'
import {
  type RegistrationResult,
  type RegistrationVisitor,
  registerActor,
  registerForEvent,
} from '#lib/registration/registration.ts'
import type { FormAnswers } from '#lib/registration/schema.ts'
import {
  EditOwnRegistration,
  NextEventRequest,
  RegisterForEvent,
  RegisterMyself,
  SetReminders,
} from '#lib/registration/schema.ts'
import { type FormActions, formText } from '../../_request/form-actions.ts'

interface Page {
  visitor: RegistrationVisitor
  workshopId: string
  /** Key of the personal link that opened the page. */
  key: string | null
}

/** The forms of the registration page by their field `intent`; each returns the path to show next. */
export function registrationForms(page: Page, url: URL): FormActions {
  const { visitor, workshopId } = page
  const here = `/workshops/register/${workshopId}`
  return {
    async register(form) {
      // Honeypot: programs fill every field, people do not see this one. Such requests are ignored silently.
      if (formText(form, 'website')) return `${here}?sent=confirmed`
      const done = await registerForEvent(
        visitor,
        RegisterForEvent.parse({ workshopId, ...personOf(form), ...sourceOf(form, url) }),
      )
      return resultPath(here, done)
    },
    async myself(form) {
      const { actor } = visitor
      if (!actor) throw new Refusal('unauthorized')
      const { answers, timeZone, ...person } = personOf(form)
      const input = RegisterMyself.parse({
        workshopId,
        answers,
        ...sessionStartIn(person),
        ...(timeZone ? { timeZone } : {}),
      })
      return resultPath(here, await registerActor({ ...visitor, actor }, input))
    },
    async requestNextEvent(form) {
      const input = { workshopId, email: formText(form, 'email'), timeZone: formText(form, 'timeZone') }
      if (!formText(form, 'website')) await requestNextEventEmail(visitor, NextEventRequest.parse(input))
      return `${here}?requested`
    },
    ...(page.key === null ? {} : ownForms(visitor.tenantId, { workshopId, key: page.key })),
  }
}

/** Refusals that are shown as the error page; a session that has ended meanwhile is reported next to the typed text. */
export const REGISTRATION_ERROR_PAGES: readonly string[] = ['not_found']

function ownForms(tenantId: string, own: { workshopId: string; key: string }): FormActions {
  const here = `/workshops/register/${own.workshopId}?key=${own.key}`
  const remind = async (on: boolean) => {
    await setReminders(tenantId, SetReminders.parse({ ...own, on }))
    return `${here}#reminders`
  }
  return {
    async cancel() {
      await cancelOwnRegistration(tenantId, own)
      return here
    },
    async accept() {
      await acceptOffer(tenantId, own)
      return here
    },
    async edit(form) {
      const { name, phone, answers, timeZone } = personOf(form)
      await editOwnRegistration(
        tenantId,
        EditOwnRegistration.parse({ ...own, name, phone, answers, ...(timeZone ? { timeZone } : {}) }),
      )
      return `${here}&saved`
    },
    stop: () => remind(false),
    start: () => remind(true),
  }
}

function resultPath(here: string, { key, state, pass }: RegistrationResult): string {
  return `${here}?${new URLSearchParams(key ? { key } : { sent: state, ...(pass ? { pass } : {}) })}`
}

const sessionStartIn = ({ sessionStart }: { sessionStart?: string }) => (sessionStart ? { sessionStart } : {})

function personOf(form: FormData) {
  const answers: [string, string | string[]][] = []
  for (const field of new Set([...form.keys()].filter((name) => name.startsWith('answers.')))) {
    const values = form
      .getAll(field)
      .map(String)
      .filter((value) => value !== '')
    const [value = ''] = values
    answers.push([field.slice('answers.'.length), values.length > 1 ? values : value])
  }
  const sessionStart = formText(form, 'sessionStart')
  return {
    email: formText(form, 'email'),
    name: formText(form, 'name'),
    phone: formText(form, 'phone'),
    answers: Object.fromEntries(answers) satisfies FormAnswers,
    marketing: form.has('marketing'),
    timeZone: formText(form, 'timeZone') || undefined,
    ...(sessionStart ? { sessionStart } : {}),
  }
}

// Set by the script; without it those of the URL are used.
function sourceOf(form: FormData, url: URL): { source: Record<string, string> } {
  const fields = [...url.searchParams, ...[...form].map(([name, value]) => [name, String(value)] as const)]
  const known = fields.filter(([name, value]) => /^(utm_[a-z]{1,20}|referrer)$/.test(name) && value !== '')
  return { source: Object.fromEntries(known.map(([name, value]) => [name, value.slice(0, 200)])) }
}
