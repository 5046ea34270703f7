import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { type AnyRouter, ORPCError, onError, ValidationError } from '@orpc/server'
import type { APIContext } from 'astro'
import type { z } from 'zod'
import { log } from '../../log.ts'
import { isStorableWithin } from '../../shared/text/text.ts'
import { isUnavailable } from '../../unavailable.ts'
import { cookieOf, DEVICE_COOKIE, deviceCookie, tokenCookie } from '../cookies.ts'
import { unavailable } from '../failure.ts'
import { Refusal } from '../refusal.ts'
import { report } from '../sentry.ts'
import { fieldErrors, refusedFields, refusedMessage } from './issues.ts'
import type { Context } from './procedure.ts'

const BODY_LIMIT = 1024 * 1024
const BODY_TYPES = /^(application\/json|application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/**
 * Answers one call of the API. A plain HTML form may post here too: when the answer names a `redirect`, the browser
 * is sent there. Errors leave as `{ code, message, fields }` in the caller's language.
 */
export async function answerCall(router: AnyRouter, { request, locals }: APIContext): Promise<Response> {
  const cookies: string[] = []
  const context: Call = {
    actor: locals.actor,
    token: locals.token,
    locale: locals.locale,
    t: locals.t,
    requestId: locals.requestId,
    address: locals.address,
    userAgent: request.headers.get('user-agent') ?? '',
    device: cookieOf(request.headers.get('cookie'), DEVICE_COOKIE),
    setToken: (token) => cookies.push(tokenCookie(token)),
    setDevice: (device) => cookies.push(deviceCookie(device)),
  }
  checkBody(request)
  const { matched, response } = await handlerOf(router).handle(request, { prefix: '/v1', context })
  if (!matched) throw new Refusal('not_found')
  const answer = wantsPage(request) ? await asPage(response) : response
  answer.headers.set('cache-control', 'no-store')
  if (context.retryAfterSeconds) answer.headers.set('retry-after', String(context.retryAfterSeconds))
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

/** The context of one call, and what its refusal adds to the answer's headers. */
interface Call extends Context {
  retryAfterSeconds?: number | undefined
  /** Its input has been read: what fails from now on is no fault of the request's body. */
  decoded?: boolean
}

const handlers = new WeakMap<AnyRouter, OpenAPIHandler<Call>>()

function handlerOf(router: AnyRouter): OpenAPIHandler<Call> {
  const known = handlers.get(router) ?? makeHandler(router)
  handlers.set(router, known)
  return known
}

function makeHandler(router: AnyRouter): OpenAPIHandler<Call> {
  return new OpenAPIHandler(router as never, {
    clientInterceptors: [
      onError((error, { context }) => translate(error, context as Call)),
      ({ input, context, next }) => {
        Object.assign(context, { decoded: true })
        if (!isStorableWithin(input)) throw new Refusal('invalid')
        return next()
      },
    ],
    interceptors: [onError((error, { context }) => refuseUnreadable(error, context))],
    customErrorResponseBodyEncoder: (error) => {
      const { fields = {}, ...more } = (error.data ?? {}) as { fields?: object }
      return { code: error.code, message: error.message, fields, ...more }
    },
  })
}

function translate(error: unknown, context: Call): never {
  const { t, requestId } = context
  if (error instanceof Refusal) {
    context.retryAfterSeconds = error.details.retryAfterSeconds
    const data = { ...error.details.data, fields: refusedFields(t, error) }
    throw new ORPCError(error.code, { status: error.status, message: refusedMessage(t, error), data, cause: error })
  }
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    const issues = error.cause instanceof ValidationError ? (error.cause.issues as z.core.$ZodIssue[]) : []
    const data = { fields: fieldErrors(t, issues) }
    throw new ORPCError('invalid', { status: 400, message: t('errors:invalid'), data, cause: error.cause })
  }
  log.error({ err: error, requestId }, 'call failed')
  if (isUnavailable(error)) return translate(unavailable(), context)
  report(error, requestId)
  throw new ORPCError('internal', { status: 500, message: t('errors:generic'), data: { fields: {} } })
}

// What procedures throw has been translated by now: the rest is a body that is not what its type says, or after that an
// answer of ours that cannot be written.
function refuseUnreadable(cause: unknown, { t, requestId, decoded }: Call): void {
  if (cause instanceof ORPCError && cause.code !== 'BAD_REQUEST') return
  if (decoded) {
    log.error({ err: cause, requestId }, 'an answer could not be written')
    report(cause, requestId)
    throw new ORPCError('internal', { status: 500, message: t('errors:generic'), data: { fields: {} }, cause })
  }
  throw new ORPCError('invalid', { status: 400, message: t('errors:invalid'), data: { fields: {} }, cause })
}

function checkBody(request: Request): void {
  if (request.method !== 'POST') return
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) throw new Refusal('too_large')
  const type = request.headers.get('content-type')
  if (request.body !== null && !(type && BODY_TYPES.test(type))) throw new Refusal('wrong_type')
}

function wantsPage(request: Request): boolean {
  const type = request.headers.get('content-type') ?? ''
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type) && accepts(request, 'text/html')
}

function accepts(request: Request, type: string): boolean {
  return (request.headers.get('accept') ?? '').includes(type)
}

async function asPage(response: Response): Promise<Response> {
  const body: unknown = await response.json()
  if (response.ok && typeof body === 'object' && body !== null && 'redirect' in body) {
    return new Response(null, { status: 303, headers: { location: String(body.redirect) } })
  }
  return Response.json(body, { status: response.status })
}
