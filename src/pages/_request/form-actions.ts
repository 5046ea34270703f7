import type { AstroGlobal } from 'astro'
import type { FieldErrors } from '#lib/core/http/api/issues.ts'
import { readForm } from '#lib/core/http/form.ts'
import { findAction, runForm, typedIn } from './form-outcome.ts'

export interface FormResult {
  /** Where to go after a success. */
  to: string | null
  /** Status of the page that shows what was refused. */
  status: number
  /** What was refused as a whole, in words. */
  message: string | null
  errors: FieldErrors
  /** What was typed, to fill the form again. */
  typed: Record<string, string>
  /** All values of each field, for fields with several of them. */
  values: Record<string, string[]>
  /** The action that was refused. */
  act: string | null
}

/** What a form action does; returns the path to show next, or null to show the page again with the typed values. */
export type FormActions = Record<string, (form: FormData) => Promise<string | null>>

const NOTHING: FormResult = { to: null, status: 200, message: null, errors: {}, typed: {}, values: {}, act: null }

/**
 * Runs the action that a form of this page names in its field `act`. What the product refuses is returned as messages, with
 * what was typed; refusals with a code of `errorPages` are thrown.
 */
export async function runFormAction(
  { request, locals }: Pick<AstroGlobal, 'request' | 'locals'>,
  acts: FormActions,
  errorPages: readonly string[] = ERROR_PAGES,
): Promise<FormResult> {
  if (request.method !== 'POST') return NOTHING
  const form = await readForm(request)
  const act = String(form.get('act') ?? '')
  const run = findAction(acts, act)
  const { done: to, refused } = await runForm({ locals }, form, () => run(form), errorPages)
  if (refused) {
    const { status, summary: message, fields: errors, typed, values } = refused
    return { to: null, status, message, errors, typed, values, act }
  }
  return to === null ? { ...NOTHING, ...typedIn(form), act } : { ...NOTHING, to }
}

const ERROR_PAGES: readonly string[] = ['unauthorized', 'forbidden', 'not_found', 'bad_origin']

/** A form's field as text. */
export const formText = (form: FormData, name: string): string => String(form.get(name) ?? '')
