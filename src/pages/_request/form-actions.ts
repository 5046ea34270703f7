import type { AstroGlobal } from 'astro'
import type { FieldErrors } from '#lib/core/http/api/issues.ts'
import { readForm } from '#lib/core/http/form.ts'
import { findAction, runForm, typedIn } from './form-outcome.ts'

export interface FormResult {
  /** The redirect target after success. */
  to: string | null
  /** Status of the page that shows the refusal. */
  status: number
  /** The refusal of the whole form, as text. */
  message: string | null
  errors: FieldErrors
  /** The typed values, to fill the form again. */
  typed: Record<string, string>
  /** All values of each field, for fields with several values. */
  values: Record<string, string[]>
  /** The action that was refused. */
  intent: string | null
}

/** A form action: returns the path to redirect to, or null to render the page again with the typed values. */
export type FormActions = Record<string, (form: FormData) => Promise<string | null>>

const NOTHING: FormResult = { to: null, status: 200, message: null, errors: {}, typed: {}, values: {}, intent: null }

/**
 * Runs the action in the field `intent` of a form of this page. Refusals are returned as messages, with the typed values;
 * refusals with a code of `errorPages` are thrown.
 */
export async function runFormAction(
  { request, locals }: Pick<AstroGlobal, 'request' | 'locals'>,
  actions: FormActions,
  errorPages: readonly string[] = ERROR_PAGES,
): Promise<FormResult> {
  if (request.method !== 'POST') return NOTHING
  const form = await readForm(request)
  const intent = String(form.get('intent') ?? '')
  const run = findAction(actions, intent)
  const { done: to, refused } = await runForm({ locals }, form, () => run(form), errorPages)
  if (refused) {
    const { status, summary: message, fields: errors, typed, values } = refused
    return { to: null, status, message, errors, typed, values, intent }
  }
  return to === null ? { ...NOTHING, ...typedIn(form), intent } : { ...NOTHING, to }
}

const ERROR_PAGES: readonly string[] = ['unauthorized', 'forbidden', 'not_found', 'bad_origin']

/** A form's field as text. */
export const formText = (form: FormData, name: string): string => String(form.get(name) ?? '')

/** The number in a field, or null when the field is empty; NaN for other text. */
export function formNumber(form: FormData, name: string): number | null {
  const typed = formText(form, name).trim()
  return typed === '' ? null : Number(typed)
}
