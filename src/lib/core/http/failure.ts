import type { APIContext } from 'astro'
import { ZodError } from 'zod'
import { log } from '../log.ts'
import { isUnavailable } from '../unavailable.ts'
import { refusedFields, refusedMessage } from './api/issues.ts'
import { Refusal } from './refusal.ts'
import { report } from './sentry.ts'

// Input is parsed with zod at the entry of a domain function, and what is stored by `parseStored`, whose error is a bug.
// The warning shows a page of ours that put a wrong input together.
function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (error instanceof ZodError) return new Refusal('invalid')
  return isUnavailable(error) ? unavailable() : null
}

/** What is said while the database or the object store does not answer. */
export const unavailable = (): Refusal => new Refusal('unavailable', { retryAfterSeconds: 5 })

/**
 * Turns what a page threw into its answer: the sign-in page, /404, /500 with words, or JSON under /v1.
 * Everything that is not a Refusal is a bug: logged and reported with the request's id, never shown.
 */
export async function answerFailure(context: APIContext, error: unknown): Promise<Response> {
  const { locals, url } = context
  const refusal = refusalOf(error)
  const about = { err: error, requestId: locals.requestId, path: url.pathname }
  if (!refusal) {
    log.error(about, 'request failed')
    report(error, locals.requestId)
  } else if (refusal !== error) log.warn(about, refusal.code)
  const status = refusal?.status ?? 500
  const seconds = refusal?.details.retryAfterSeconds
  const headers = new Headers(seconds === undefined ? {} : { 'retry-after': String(seconds) })
  const message = refusal ? refusedMessage(locals.t, refusal) : locals.t('errors:generic')
  if (url.pathname.startsWith('/v1/')) {
    const fields = refusal ? refusedFields(locals.t, refusal) : {}
    return Response.json(
      { code: refusal?.code ?? 'internal', message, fields, ...refusal?.details.data },
      { status, headers },
    )
  }
  locals.failure = { status, message }
  // A request of its own: a form that was posted cannot be read twice.
  const page = new URL(status === 404 || status === 410 ? '/404' : '/500', url)
  const answer = await context.rewrite(new Request(page, { headers: context.request.headers }))
  for (const [name, value] of answer.headers) headers.append(name, value)
  return new Response(answer.body, { status, headers })
}
