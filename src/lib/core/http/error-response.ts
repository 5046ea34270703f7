import type { APIContext } from 'astro'
import { ZodError } from 'zod'
import { log } from '../log.ts'
import { findFullDisk, isServiceUnavailable } from '../service-unavailable.ts'
import { refusedFields, refusedMessage } from './api/issues.ts'
import { reportServerError } from './error-report.ts'
import { loggedPath } from './logged-path.ts'
import { Refusal } from './refusal.ts'

// Input is parsed with zod at the entry of a domain function; stored data by `parseStored`, whose error is a bug. The
// warning in the log identifies a page of the product that built an invalid input.
function refusalOfError(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (error instanceof ZodError) return new Refusal('invalid')
  return temporaryRefusal(error)
}

/** The refusal for an error of a database or object store that does not respond, or of a full disk; null for others. */
export function temporaryRefusal(error: unknown): Refusal | null {
  return fullDiskRefusal(error) ?? (isServiceUnavailable(error) ? unavailableRefusal() : null)
}

/** The refusal for an error of a full disk, or null: 507 for a file, 503 for a change that the database cannot save. */
export function fullDiskRefusal(cause: unknown): Refusal | null {
  const disk = findFullDisk(cause)
  if (disk === null) return null
  const [code, message] =
    disk === 'files' ? (['disk_full', 'disk_full'] as const) : (['unavailable', 'save_disk_full'] as const)
  return new Refusal(code, { message, retryAfterSeconds: FULL_DISK_RETRY_SECONDS }, { cause })
}

const FULL_DISK_RETRY_SECONDS = 60

const unavailableRefusal = (): Refusal => new Refusal('unavailable', { retryAfterSeconds: 5 })

/**
 * Turns an error of a page into its response: the sign-in page, /404, /500 with a message, or JSON under /v1.
 * Everything that is not a Refusal is a bug: it is logged and reported with the request's id, never shown.
 */
export async function createErrorResponse(context: APIContext, error: unknown): Promise<Response> {
  const { locals, url } = context
  const refusal = refusalOfError(error)
  const logFields = { err: error, requestId: locals.requestId, path: loggedPath(url.pathname) }
  if (!refusal) {
    log.error(logFields, 'request failed')
    reportServerError(error, locals.requestId)
  } else if (refusal !== error) log.warn(logFields, refusal.code)
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
  locals.failure = { status, message, code: refusal?.code ?? null }
  // A new request, because the body of a posted form cannot be read twice.
  const pageUrl = new URL(status === 404 || status === 410 ? '/404' : '/500', url)
  const page = await context.rewrite(new Request(pageUrl, { headers: context.request.headers }))
  for (const [name, value] of page.headers) headers.append(name, value)
  return new Response(page.body, { status, headers })
}
