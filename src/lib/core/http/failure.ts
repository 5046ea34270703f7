import type { APIContext } from 'astro'
import { ZodError } from 'zod'
import { log } from '../log.ts'
import { refusedFields, refusedMessage } from './issues.ts'
import { Refusal } from './refusal.ts'
import { report } from './sentry.ts'

/**
 * Turns what a page threw into its answer: the sign-in page, /404, /500 with words, or JSON under /v1.
 * Everything that is not a Refusal is a bug: logged and reported with the request's id, never shown.
 */
export async function answerFailure(context: APIContext, error: unknown): Promise<Response> {
  const { locals, url } = context
  // A page's own query goes through zod too: what it refuses is the visitor's mistake, not a bug.
  const known = error instanceof ZodError ? new Refusal('invalid') : error
  const refusal = known instanceof Refusal ? known : null
  if (!refusal) {
    log.error({ err: error, requestId: locals.requestId, path: url.pathname }, 'request failed')
    report(error, locals.requestId)
  }
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
