import { router } from '#lib/api.ts'
import { handleApiRequest } from '#lib/core/http/api/handler.ts'
import { refusedFields, refusedMessage } from '#lib/core/http/api/issues.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

export interface Reply {
  status: number
  body: Record<string, unknown>
  cookies: string[]
  headers: Headers
}

interface CallOptions {
  /** An object is sent as JSON, a text unchanged. */
  body?: unknown
  type?: string
  actor?: Actor | null
  token?: string | null
  locale?: Locale
  address?: string
  /** The Cookie header. */
  cookie?: string
}

/** One call of the API handler, as the middleware calls it: `requestApi('POST', 'user/login', { body })`. */
export async function requestApi(
  method: string,
  call: string,
  {
    body,
    type = 'application/json',
    actor = null,
    token = null,
    locale = 'uk',
    address = '10.9.0.1',
    cookie,
  }: CallOptions = {},
): Promise<Reply> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request(`http://kafedra.localhost:4321/v1/module/${call}`, {
    method,
    headers: { 'content-type': type, accept: 'application/json', ...(cookie ? { cookie } : {}) },
    ...(payload !== undefined && method !== 'GET' && method !== 'HEAD' ? { body: payload } : {}),
  })
  const t = getTranslator(locale)
  const locals = { actor, token, locale, t, requestId: 'test', address }
  const context = { request, locals } as Parameters<typeof handleApiRequest>[1]
  try {
    const answer = await handleApiRequest(router, context)
    const { status, headers } = answer
    return { status, body: await answer.json(), cookies: headers.getSetCookie(), headers }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const body = { code: error.code, message: refusedMessage(t, error), fields: refusedFields(t, error) }
    return { status: error.status, body: body, cookies: [], headers: new Headers() }
  }
}
