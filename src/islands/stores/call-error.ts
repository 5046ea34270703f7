import { ORPCError } from '@orpc/client'

/** After so many tries a fault of the server is permanent. */
export const MAX_SERVER_ERROR_ATTEMPTS = 3

/** What a call of the API failed with, as the server said it: `{ code, message, fields }` and the status. */
export class CallError extends Error {
  readonly code: string
  /** The HTTP status; 0 when nothing was reached. */
  readonly status: number
  readonly fields: Record<string, string[]>
  /** Extras beside them, e.g. the newer version of a text. */
  readonly data: Record<string, unknown>

  constructor(code: string, status: number, message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CallError'
    this.code = code
    this.status = status
    this.data = data
    this.fields = fieldsOf(data.fields)
  }

  static from(error: unknown): CallError {
    if (error instanceof CallError) return error
    if (error instanceof ORPCError) return new CallError(error.code, error.status, error.message, recordOf(error.data))
    return new CallError('unreachable', 0, '')
  }

  /** Trying again later can succeed: nothing was reached, or the server says that it is busy or starting. */
  get temporary(): boolean {
    return TEMPORARY.has(this.status)
  }

  /** A fault of the server: it may have been the moment, or the same request fails for ever. */
  get broken(): boolean {
    return this.status >= 500 && this.status !== FULL && !this.temporary
  }

  /** Whether what failed `tries` times by now may be tried again by itself. */
  mayRetry(tries: number): boolean {
    return this.temporary || (this.broken && tries < MAX_SERVER_ERROR_ATTEMPTS)
  }

  /** Not one of the refusals that a form or page puts into words: nothing reached, or a bug on the other side. */
  get unexpected(): boolean {
    return this.status === 0 || (this.status >= 500 && this.status !== FULL)
  }
}

const TEMPORARY: ReadonlySet<number> = new Set([0, 408, 425, 429, 502, 503, 504])
/** No room for files (RFC 4918): a refusal with words of its own. */
const FULL = 507

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function fieldsOf(value: unknown): Record<string, string[]> {
  const pairs = Object.entries(recordOf(value)).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1]))
  return Object.fromEntries(pairs.map(([name, words]) => [name, words.map(String)]))
}
