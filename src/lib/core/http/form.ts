import type { APIContext } from 'astro'
import { SIGN_IN_PAGE } from '../access/routes.ts'
import { isStorable } from '../shared/text/text.ts'
import { Refusal } from './refusal.ts'

/** Reads the form that was posted to a page. Refuses with wrong_type (no form) or invalid (text that the database cannot hold). */
export async function readForm(request: Request): Promise<FormData> {
  const form = await request.formData().catch((cause: unknown) => {
    throw new Refusal('wrong_type', {}, { cause })
  })
  for (const [name, value] of form) {
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value))) throw new Refusal('invalid')
  }
  return form
}

/** A form that was posted after the login session had ended: the sign-in page carries it and offers it again. */
export interface UnsentForm {
  /** Path and query to which the form was posted. */
  to: string
  /** Names and texts in the order of the form; files cannot be kept. */
  fields: [string, string][]
}

/** The forms of the sign-in page stay well below the limit of a request. */
const MAX_UNSENT_CHARACTERS = 400_000

/**
 * Keeps a form that was posted without a login session to a page that asks for it, and returns the request for the
 * sign-in page that is shown in its place; null for all other requests. Nothing is stored on the server.
 */
export async function keepUnsentForm({ locals, request, url }: APIContext): Promise<Request | null> {
  const { actor, failure, route } = locals
  if (failure || actor || request.method !== 'POST' || !route?.keepsUnsentForm) return null
  const form = await readForm(request)
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const unsentForm = { to: url.pathname + url.search, fields }
  if (JSON.stringify(unsentForm).length > MAX_UNSENT_CHARACTERS) return null
  locals.unsentForm = unsentForm
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  return new Request(new URL(SIGN_IN_PAGE, url), { headers })
}
