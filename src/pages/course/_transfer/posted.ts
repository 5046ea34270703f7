import type { AstroGlobal } from 'astro'
import { ZodError } from 'zod'
import { type FieldErrors, fieldErrors, refusedFields, refusedMessage } from '#lib/core/http/api/issues.ts'
import { readForm } from '#lib/core/http/form.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

export interface Posted {
  /** Where to go after a success. */
  to: string | null
  /** Status of the page that shows what was refused. */
  status: number
  /** What was refused as a whole, in words. */
  message: string | null
  errors: FieldErrors
  /** What was typed, to fill the form again. */
  typed: Record<string, string>
  /** The act that was refused. */
  act: string | null
}

/** What a form's act does with it; gives the path to show next, or null to show the page again with what was typed. */
type Acts = Record<string, (form: FormData) => Promise<string | null>>

const NOTHING: Posted = { to: null, status: 200, message: null, errors: {}, typed: {}, act: null }

/**
 * Runs the act that a form of this page names in its field `act`. What the product refuses comes back in words, with
 * what was typed; a page, a permission or a session that is missing flies on to the error pages.
 */
export async function posted(
  { request, locals }: Pick<AstroGlobal, 'request' | 'locals'>,
  acts: Acts,
): Promise<Posted> {
  if (request.method !== 'POST') return NOTHING
  const form = await readForm(request)
  const act = String(form.get('act') ?? '')
  const run = Object.hasOwn(acts, act) ? acts[act] : undefined
  if (!run) throw new Refusal('invalid')
  const typed: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string') typed[name] = value
  try {
    const to = await run(form)
    return to === null ? { ...NOTHING, typed, act } : { ...NOTHING, to }
  } catch (error) {
    if (error instanceof ZodError) {
      const errors = fieldErrors(locals.t, error.issues)
      return { to: null, status: 400, message: locals.t('errors:invalid'), errors, typed, act }
    }
    if (!(error instanceof Refusal) || FLY.has(error.code)) throw error
    const errors = refusedFields(locals.t, error)
    const message = errors.form?.[0] ?? refusedMessage(locals.t, error)
    return { to: null, status: error.status, message, errors, typed, act }
  }
}

const FLY: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'not_found', 'bad_origin'])

/** A form's field as text. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')
