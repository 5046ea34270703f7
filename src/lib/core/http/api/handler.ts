import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { type AnyRouter, ORPCError, onError, ValidationError } from '@orpc/server'
import type { APIContext } from 'astro'
import type { z } from 'zod'
import { config } from '../../config/config.ts'
import { log } from '../../log.ts'
import { isStorableWithin } from '../../shared/text/text.ts'
import { cookieOf, DEVICE_COOKIE, deviceCookie, tokenCookie } from '../cookies.ts'
import { reportServerError } from '../error-report.ts'
import { temporaryRefusal } from '../error-response.ts'
import { Refusal } from '../refusal.ts'
import { fieldErrors, refusedFields, refusedMessage } from './issues.ts'
import type { ApiContext } from './procedure.ts'

const MAX_BODY_BYTES = 1024 * 1024
const BODY_TYPES = /^(application\/json|application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/**
 * Handles a request of the API. A plain HTML form may be posted too: when the output has a `redirect`, the browser is
 * redirected there. Errors are sent as `{ code, message, fields }` in the language of the request.
 */
export async function handleApiRequest(router: AnyRouter, { request, locals }: APIContext): Promise<Response> {
  const cookies: string[] = []
  const context: CallContext = {
    actor: locals.actor,
    token: locals.token,
    locale: locals.locale,
    t: locals.t,
    requestId: locals.requestId,
    address: locals.address,
    userAgent: request.headers.get('user-agent') ?? '',
    device: cookieOf(request.headers.get('cookie'), DEVICE_COOKIE),
    setToken: (token) => cookies.push(tokenCookie(token)),
    setDevice: (device) => void (device !== null && cookies.push(deviceCookie(device))),
  }
  checkBody(request)
  const { matched, response } = await handlerOf(router).handle(request, { prefix: '/v1', context })
  if (!matched) throw new Refusal('not_found')
  const result = wantsPage(request) ? await toRedirect(response) : response
  result.headers.set('cache-control', 'no-store')
  if (context.retryAfterSeconds) result.headers.set('retry-after', String(context.retryAfterSeconds))
  for (const cookie of cookies) result.headers.append('set-cookie', cookie)
  return result
}

/** The context of one call, and the response headers of a refusal. */
interface CallContext extends ApiContext {
  retryAfterSeconds?: number | undefined
  /** The input has been read: a later failure is not caused by the request's body. */
  isDecoded?: boolean
}

const handlers = new WeakMap<AnyRouter, OpenAPIHandler<CallContext>>()

function handlerOf(router: AnyRouter): OpenAPIHandler<CallContext> {
  const known = handlers.get(router) ?? makeHandler(router)
  handlers.set(router, known)
  return known
}

function makeHandler(router: AnyRouter): OpenAPIHandler<CallContext> {
  return new OpenAPIHandler(router as never, {
    clientInterceptors: [
      onError((error, { context }) => toApiError(error, context as CallContext)),
      ({ input, context, next }) => {
        Object.assign(context, { isDecoded: true })
        if (!isStorableWithin(input)) throw new Refusal('invalid')
        return next()
      },
      ({ context, next }) => next().catch((error) => sendDespiteMismatch(error, context as CallContext)),
    ],
    interceptors: [onError((error, { context }) => refuseUnreadable(error, context))],
    customErrorResponseBodyEncoder: (error) => {
      const { fields = {}, ...more } = (error.data ?? {}) as { fields?: object }
      return { code: error.code, message: error.message, fields, ...more }
    },
  })
}

/**
 * A result that does not match the declared output is a defect, which must not fail a call whose changes are committed:
 * it is logged, reported and sent. In tests it fails.
 */
function sendDespiteMismatch(error: unknown, { requestId }: CallContext): unknown {
  const isMismatch = error instanceof ORPCError && error.code === 'INTERNAL_SERVER_ERROR'
  if (!isMismatch || !(error.cause instanceof ValidationError) || config.environment === 'test') throw error
  const { cause } = error
  log.error({ requestId, issues: cause.issues }, 'a result does not match its declared output')
  reportServerError(cause, requestId)
  return cause.data
}

function toApiError(error: unknown, context: CallContext): never {
  const { t, requestId } = context
  if (error instanceof Refusal) {
    context.retryAfterSeconds = error.details.retryAfterSeconds
    const data = { ...error.details.data, fields: refusedFields(t, error) }
    throw new ORPCError(error.code, { status: error.status, message: refusedMessage(t, error), data, cause: error })
  }
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    const cause = error.cause instanceof ValidationError ? error.cause : null
    const data = { fields: fieldErrors(t, (cause?.issues ?? []) as z.core.$ZodIssue[], cause?.data) }
    throw new ORPCError('invalid', { status: 400, message: t('errors:invalid'), data, cause: error.cause })
  }
  log.error({ err: error, requestId }, 'call failed')
  const temporary = temporaryRefusal(error)
  if (temporary) return toApiError(temporary, context)
  reportServerError(error, requestId)
  throw new ORPCError('internal', { status: 500, message: t('errors:generic'), data: { fields: {} } })
}

// Errors of procedures have been converted before. The rest is a body that does not match its content type or, after the
// input was decoded, an output that cannot be encoded.
function refuseUnreadable(cause: unknown, { t, requestId, isDecoded }: CallContext): void {
  if (cause instanceof ORPCError && cause.code !== 'BAD_REQUEST') return
  if (isDecoded) {
    log.error({ err: cause, requestId }, 'a response could not be encoded')
    reportServerError(cause, requestId)
    throw new ORPCError('internal', { status: 500, message: t('errors:generic'), data: { fields: {} }, cause })
  }
  throw new ORPCError('invalid', { status: 400, message: t('errors:invalid'), data: { fields: {} }, cause })
}

function checkBody(request: Request): void {
  if (request.method !== 'POST') return
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) throw new Refusal('too_large')
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

async function toRedirect(response: Response): Promise<Response> {
  const body: unknown = await response.json()
  if (response.ok && typeof body === 'object' && body !== null && 'redirect' in body) {
    return new Response(null, { status: 303, headers: { location: String(body.redirect) } })
  }
  return Response.json(body, { status: response.status })
}
