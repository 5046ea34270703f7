import type { Config } from '../config/config.ts'
import { log } from '../log.ts'
import { backoffMs } from '../shared/backoff.ts'
import { MINUTE_MS } from '../shared/time.ts'

export type LanguageService = NonNullable<Config['ai']>

/** Reason of a failure; also a key of storage strings. */
export type LanguageServiceFailure = 'key_refused' | 'model_refused' | 'busy' | 'unavailable' | 'timed_out' | 'nonsense'

/** `isPermanent`: a retry cannot help. The message omits the response, which may contain part of the key. */
export class LanguageServiceError extends Error {
  readonly failure: LanguageServiceFailure
  readonly isPermanent: boolean

  constructor(failure: LanguageServiceFailure, detail: string) {
    super(`${failure}: ${detail}`)
    this.name = 'LanguageServiceError'
    this.failure = failure
    this.isPermanent = failure === 'key_refused' || failure === 'model_refused'
  }
}

export interface LanguageRequest {
  /** Path below the base URL, e.g. `/chat/completions`; without a body the method is GET. */
  path: string
  /** Called for each attempt. */
  body?: () => FormData | string
  /** Timeout of one attempt in milliseconds. */
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Maximum number of attempts; 3 by default. */
  maxAttempts?: number
}

/** Failures that are retried immediately; others are left to a later job or to the user. */
const TEMPORARY_FAILURES = new Set<LanguageServiceFailure>(['busy', 'unavailable'])
const MAX_RESPONSE_CHARS = 8 * 1024 * 1024
const RETRY = { firstMs: 1000, maxMs: MINUTE_MS }

/**
 * Sends a request to the service of `AI_BASE_URL` (`/audio/transcriptions`, `/chat/completions`) and returns the parsed
 * JSON. A busy or failing service is retried after `Retry-After`, at most a minute. Throws LanguageServiceError, or the
 * reason of `signal`.
 */
export async function requestLanguageService(machine: LanguageService, request: LanguageRequest): Promise<unknown> {
  const { maxAttempts = 3, signal } = request
  for (let attempt = 1; ; attempt++) {
    const { value, failure, waitMs } = await sendOnce(machine, request)
    if (!failure) return value
    signal?.throwIfAborted()
    log.warn({ path: request.path, attempt, failure: failure.message }, 'The language service gave no answer')
    if (!TEMPORARY_FAILURES.has(failure.failure) || attempt >= maxAttempts) throw failure
    await sleep(waitMs ?? backoffMs(attempt, RETRY), signal)
  }
}

interface Attempt {
  value?: unknown
  failure?: LanguageServiceError
  /** Delay before a retry, when the service states one. */
  waitMs?: number | undefined
}

async function sendOnce(
  { baseUrl, key }: LanguageService,
  { path, body, timeoutMs, signal }: LanguageRequest,
): Promise<Attempt> {
  const sent = body?.()
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
        ...(typeof sent === 'string' && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent }),
      // The key must not be sent to another host.
      redirect: 'error',
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
    if (!answer.ok)
      return { failure: errorOfStatus(answer.status), waitMs: retryAfterMs(answer.headers.get('retry-after')) }
    return parseResponse(await readLimitedText(answer))
  } catch (error) {
    if (late.aborted) return { failure: new LanguageServiceError('timed_out', `no answer in ${timeoutMs / 1000} s`) }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const detail = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection broke'
    return { failure: new LanguageServiceError('unavailable', detail) }
  }
}

function errorOfStatus(status: number): LanguageServiceError {
  if (status === 401 || status === 403) return new LanguageServiceError('key_refused', String(status))
  if (status === 429) return new LanguageServiceError('busy', String(status))
  return new LanguageServiceError(status < 500 ? 'model_refused' : 'unavailable', String(status))
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(RETRY.maxMs, Math.max(0, wait))
}

async function readLimitedText(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_RESPONSE_CHARS) return ''
  }
  return text
}

function parseResponse(text: string): Attempt {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { failure: new LanguageServiceError('nonsense', 'the answer is no JSON') }
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
