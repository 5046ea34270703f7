import type { AstroGlobal } from 'astro'
import type { z } from 'zod'
import { config } from '#lib/core/config/config.ts'
import { type FieldErrors, fieldErrors, refusedFields, refusedMessage } from '#lib/core/http/api/issues.ts'
import { DEVICE_COOKIE, deviceCookie, SECURE_ATTRIBUTES, tokenCookie } from '#lib/core/http/cookies.ts'
import { readForm } from '#lib/core/http/form.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { RequestOrigin, SignInResult } from '#lib/user/session.ts'

/** What a public form shows after it was refused: words beside the fields, and what was typed. */
export interface Refused {
  status: number
  message: string
  fields: FieldErrors
  typed: Record<string, string>
  /** Machine-readable extras of the refusal. */
  data: Record<string, unknown>
}

type Page = Pick<AstroGlobal, 'request' | 'locals'>

/** The form that was posted to this page, or null on a visit. */
export async function formOf({ request }: Page): Promise<Record<string, string> | null> {
  if (request.method !== 'POST') return null
  const form = await readForm(request)
  return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

export type Outcome<T> = { done: T; refused: null } | { done: null; refused: Refused | null }

/**
 * Runs the domain function of a public form with its checked input. Gives its answer, or what to show beside the
 * fields; passwords and codes are never shown again.
 */
export async function attemptForm<S extends z.ZodType, T>(
  { locals }: Page,
  schema: S,
  form: Record<string, string | string[]> | null,
  act: (input: z.output<S>) => Promise<T>,
): Promise<Outcome<T>> {
  if (!form) return { done: null, refused: null }
  const typed = Object.fromEntries(
    Object.entries(form).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && !/password|current|code/i.test(entry[0]),
    ),
  )
  const parsed = schema.safeParse(form)
  if (!parsed.success) {
    const fields = fieldErrors(locals.t, parsed.error.issues)
    return { done: null, refused: { status: 400, message: locals.t('errors:invalid'), fields, typed, data: {} } }
  }
  try {
    return { done: await act(parsed.data), refused: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, details } = error
    const fields = refusedFields(locals.t, error)
    const refused = { status, message: refusedMessage(locals.t, error), fields, typed, data: details.data ?? {} }
    return { done: null, refused }
  }
}

/** Who calls, as the domain functions of the user room want it. */
export function callerOf({ request, locals, cookies }: Page & Pick<AstroGlobal, 'cookies'>): RequestOrigin {
  const { address, locale, host } = locals
  const label = host.kind === 'school' ? host.subdomain : host.kind === 'go' ? 'go' : ''
  const device = cookies.get(DEVICE_COOKIE)?.value ?? null
  return { address, locale, host: label, device, userAgent: request.headers.get('user-agent') ?? '' }
}

/** After a form: see another page, with cookies. */
export function seeOther(location: string, ...cookies: string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** The signed-in browser goes where it belongs; a pending token is of no use any more. */
export function welcome({ token, device, redirect }: SignInResult): Response {
  return seeOther(redirect, tokenCookie(token), deviceCookie(device), pendingCookie(null))
}

export const PENDING_COOKIE = 'pending'

/** Keeps the pending token of a browser that waits for its e-mail to be confirmed; null takes it away. */
export function pendingCookie(pendingToken: string | null): string {
  const age = pendingToken ? 3600 : 0
  return `${PENDING_COOKIE}=${pendingToken ?? ''}; Domain=${config.baseDomain}; Path=/; Max-Age=${age}; ${SECURE_ATTRIBUTES}; SameSite=Lax`
}

/** Lets the front keep a page that shows the same to everybody: a visit without query and without any of our cookies. */
export function mayBeKept({ request, url, response }: Pick<AstroGlobal, 'request' | 'url' | 'response'>): void {
  if (request.method !== 'GET' || url.search !== '') return
  response.headers.set('cache-control', 'public, s-maxage=300')
}
