import type { AstroGlobal } from 'astro'
import { ZodError } from 'zod'
import { type FieldErrors, fieldErrors, refusedFields, refusedMessage } from '#lib/core/http/api/issues.ts'
import { readForm } from '#lib/core/http/form.ts'
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
import type { Answers } from '#lib/registration/schema.ts'

/** State of a form after a refusal. */
export interface Refused {
  status: number
  act: string
  message: string
  fields: FieldErrors
  typed: Record<string, string[]>
}

export type FormOutcome = { to: string; refused: null } | { to: null; refused: Refused | null }

interface Page {
  visitor: RegistrationVisitor
  workshopId: string
  /** Key of the personal link that opened the page. */
  key: string | null
}

/** Handles a form of the page. Returns the path to show next, or the errors with the submitted values. */
export async function handleForm(
  { request, locals, url }: Pick<AstroGlobal, 'request' | 'locals' | 'url'>,
  page: Page,
): Promise<FormOutcome> {
  if (request.method !== 'POST') return { to: null, refused: null }
  const form = await readForm(request)
  const act = String(form.get('act') ?? '')
  try {
    return { to: await runAction(act, form, page, url), refused: null }
  } catch (error) {
    if (error instanceof ZodError) {
      const fields = fieldErrors(locals.t, error.issues)
      return {
        to: null,
        refused: { status: 400, act, message: locals.t('errors:invalid'), fields, typed: typedIn(form) },
      }
    }
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    const fields = refusedFields(locals.t, error)
    const message = fields.form?.[0] ?? refusedMessage(locals.t, error)
    return { to: null, refused: { status: error.status, act, message, fields, typed: typedIn(form) } }
  }
}

async function runAction(act: string, form: FormData, page: Page, url: URL): Promise<string> {
  const { visitor, workshopId, key } = page
  const here = `/workshops/register/${workshopId}`
  // Honeypot: bots fill every field, people do not see this one. Such requests are ignored silently.
  if (act === 'register' && text(form, 'website')) return `${here}?sent=confirmed`
  if (act === 'register') {
    const done = await registerForEvent(visitor, { workshopId, ...personOf(form), ...sourceOf(form, url) })
    return resultPath(here, done)
  }
  if (act === 'myself') {
    const { actor } = visitor
    if (!actor) throw new Refusal('unauthorized')
    const { answers, timeZone, ...person } = personOf(form)
    const zone = timeZone ? { timeZone } : {}
    const done = await registerActor({ ...visitor, actor }, { workshopId, answers, ...sessionStartIn(person), ...zone })
    return resultPath(here, done)
  }
  if (act === 'requestNextEvent') {
    if (!text(form, 'website'))
      await requestNextEventEmail(visitor, { workshopId, email: text(form, 'email'), timeZone: text(form, 'timeZone') })
    return `${here}?requested`
  }
  if (key === null) throw new Refusal('invalid')
  return runOwn(act, form, { visitor, workshopId, key })
}

function resultPath(here: string, { key, state, pass }: RegistrationResult): string {
  return `${here}?${new URLSearchParams(key ? { key } : { sent: state, ...(pass ? { pass } : {}) })}`
}

async function runOwn(
  act: string,
  form: FormData,
  { visitor, workshopId, key }: Page & { key: string },
): Promise<string> {
  const { tenantId } = visitor
  const own = { workshopId, key }
  const here = `/workshops/register/${workshopId}?key=${key}`
  switch (act) {
    case 'cancel':
      await cancelOwnRegistration(tenantId, own)
      return here
    case 'accept':
      await acceptOffer(tenantId, own)
      return here
    case 'edit': {
      const { name, phone, answers, timeZone } = personOf(form)
      await editOwnRegistration(tenantId, { ...own, name, phone, answers, ...(timeZone ? { timeZone } : {}) })
      return `${here}&saved`
    }
    case 'stop':
    case 'start':
      await setReminders(tenantId, { ...own, on: act === 'start' })
      return `${here}#reminders`
    default:
      throw new Refusal('invalid')
  }
}

const sessionStartIn = ({ sessionStart }: { sessionStart?: string }) => (sessionStart ? { sessionStart } : {})

const text = (form: FormData, name: string): string => String(form.get(name) ?? '')

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
  const sessionStart = text(form, 'sessionStart')
  return {
    email: text(form, 'email'),
    name: text(form, 'name'),
    phone: text(form, 'phone'),
    answers: Object.fromEntries(answers) satisfies Answers,
    marketing: form.has('marketing'),
    timeZone: text(form, 'timeZone') || undefined,
    ...(sessionStart ? { sessionStart } : {}),
  }
}

// The script writes them into the form; without it those of the address are still there.
function sourceOf(form: FormData, url: URL): { source: Record<string, string> } {
  const fields = [...url.searchParams, ...[...form].map(([name, value]) => [name, String(value)] as const)]
  const known = fields.filter(([name, value]) => /^(utm_[a-z]{1,20}|referrer)$/.test(name) && value !== '')
  return { source: Object.fromEntries(known.map(([name, value]) => [name, value.slice(0, 200)])) }
}

function typedIn(form: FormData): Record<string, string[]> {
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name).map(String)]))
}
