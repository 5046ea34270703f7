import type { AstroGlobal } from 'astro'
import { ZodError, type z } from 'zod'
import { config } from '#lib/core/config/config.ts'
import { type FieldErrors, fieldErrors, refusedFields, refusedMessage } from '#lib/core/http/api/issues.ts'
import { DEVICE_COOKIE, deviceCookie, SECURE_ATTRIBUTES, tokenCookie } from '#lib/core/http/cookies.ts'
import { fullDiskRefusal } from '#lib/core/http/error-response.ts'
import { readForm } from '#lib/core/http/form.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { log } from '#lib/core/log.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import type { RequestOrigin, SignInResult } from '#lib/user/session.ts'

type FormValues = FormData | Record<string, string | string[]>

/** The data of a refused form: messages next to the fields, and the typed values. */
export interface RefusedForm {
  status: number
  message: string
  /** The reason as one text: that of the whole form if there is one, otherwise `message`. */
  summary: string
  fields: FieldErrors
  typed: Record<string, string>
  /** All values of each field, for fields with several values. */
  values: Record<string, string[]>
  /** Machine-readable data of the refusal. */
  data: Record<string, unknown>
}

type Page = Pick<AstroGlobal, 'request' | 'locals'>

/** The form that was posted to this page, or null for a GET request. */
export async function readPostedForm({ request }: Page): Promise<Record<string, string> | null> {
  if (request.method !== 'POST') return null
  const form = await readForm(request)
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

export type FormOutcome<T> = { done: T; refused: null } | { done: null; refused: RefusedForm | null }

/**
 * Runs the function of a form. Returns its result, or the data to display when the input is invalid or refused.
 * Refusals with a code of `errorPages` and bugs are thrown, for the error pages.
 */
export async function runForm<T>(
  { locals }: Pick<Page, 'locals'>,
  form: FormValues,
  run: () => Promise<T>,
  errorPages: readonly string[] = [],
): Promise<{ done: T; refused: null } | { done: null; refused: RefusedForm }> {
  try {
    return { done: await run(), refused: null }
  } catch (error) {
    const reason = describeRefusal(locals.t, error, form, errorPages)
    if (!reason) throw error
    return { done: null, refused: { ...reason, ...typedIn(form) } }
  }
}

/** The action in the field `intent` of a form. Refuses with invalid when the page has no such action. */
export function findAction<Action>(actions: Record<string, Action>, name: string): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (!action) throw new Refusal('invalid')
  return action
}

function describeRefusal(
  t: Translate,
  error: unknown,
  form: FormValues,
  errorPages: readonly string[],
): Omit<RefusedForm, 'typed' | 'values'> | null {
  if (error instanceof ZodError) {
    const message = t('errors:invalid')
    return { status: 400, message, summary: message, fields: fieldErrors(t, error.issues, form), data: {} }
  }
  // With a full disk the page can still be read, so the form is shown again with the typed values.
  const refusal = error instanceof Refusal ? error : fullDiskRefusal(error)
  if (refusal === null || errorPages.includes(refusal.code)) return null
  if (refusal !== error) log.error({ err: error }, 'the disk is full')
  const { status, details } = refusal
  const fields = refusedFields(t, refusal)
  const message = refusedMessage(t, refusal)
  return { status, message, summary: fields.form?.[0] ?? message, fields, data: details.data ?? {} }
}

/** The values of a form by field, without files: the last one of each field, and all of them. */
export function typedIn(form: FormValues): Pick<RefusedForm, 'typed' | 'values'> {
  const values = new Map<string, string[]>()
  for (const [name, value] of form instanceof FormData ? form : Object.entries(form)) {
    const texts = [value].flat().filter((text) => typeof text === 'string')
    if (texts.length > 0) values.set(name, [...(values.get(name) ?? []), ...texts])
  }
  const typed = [...values].map(([name, texts]) => [name, texts.at(-1) ?? ''] as const)
  return { typed: Object.fromEntries(typed), values: Object.fromEntries(values) }
}

/**
 * Runs the domain function of a form with its parsed input. Returns its result, or the data to display next to the
 * fields; passwords and codes are never displayed again.
 */
export async function attemptForm<S extends z.ZodType, T>(
  page: Pick<Page, 'locals'>,
  schema: S,
  form: Record<string, string | string[]> | null,
  run: (input: z.output<S>) => Promise<T>,
): Promise<FormOutcome<T>> {
  if (!form) return { done: null, refused: null }
  const outcome = await runForm(page, form, async () => run(schema.parse(form)))
  if (!outcome.refused) return outcome
  const { typed, values } = outcome.refused
  return { done: null, refused: { ...outcome.refused, typed: withoutSecrets(typed), values: withoutSecrets(values) } }
}

function withoutSecrets<T>(fields: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !/password|current|code/i.test(name)))
}

/** Address, language, host and device of a request, for the domain functions of the user module. */
export function requestOriginOf({ request, locals, cookies }: Page & Pick<AstroGlobal, 'cookies'>): RequestOrigin {
  const { address, locale, host } = locals
  const label = host.kind === 'school' ? host.subdomain : host.kind === 'go' ? 'go' : ''
  const device = cookies.get(DEVICE_COOKIE)?.value ?? null
  return { address, locale, host: label, device, userAgent: request.headers.get('user-agent') ?? '' }
}

/** Redirects after a form, and sets cookies. */
export function seeOther(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** Redirects a browser that has signed in to its start page, and removes the pending token. */
export function redirectSignedIn(signedIn: SignInResult): Response {
  return seeOther(signedIn.redirect, ...signedInCookies(signedIn))
}

/** The cookies of a browser that has signed in. */
export const signedInCookies = ({ token, device }: Pick<SignInResult, 'token' | 'device'>): string[] => [
  tokenCookie(token),
  ...(device === null ? [] : [deviceCookie(device)]),
  pendingCookie(null),
]

export const PENDING_COOKIE = 'pending'

/** Sets the cookie with the token of a sign-up whose email address is not yet confirmed; null removes it. */
export function pendingCookie(pendingToken: string | null): string {
  const age = pendingToken ? HOUR_SECONDS : 0
  return `${PENDING_COOKIE}=${pendingToken ?? ''}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
}

/** Allows the HTTP server to cache a page that is equal for every visitor: one without a query. */
export function allowPageCache({ request, url, response }: Pick<AstroGlobal, 'request' | 'url' | 'response'>): void {
  if (request.method !== 'GET' || url.search !== '') return
  response.headers.set('cache-control', 'public, s-maxage=300')
}
