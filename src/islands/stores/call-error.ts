import { ORPCError } from '@orpc/client'

/** A server fault is permanent after this number of attempts. */
export const MAX_SERVER_ERROR_ATTEMPTS = 3

/** The error of an API call as the server sent it: `{ code, message, fields }` and the status. */
export class CallError extends Error {
  readonly code: string
  /** The HTTP status; 0 without a connection. */
  readonly status: number
  readonly fields: Record<string, string[]>
  /** Additional data, e.g. the newer version of a text. */
  readonly data: Record<string, unknown>

  constructor(code: string, status: number, message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.name = 'CallError'
    this.code = code
    this.status = status
    this.data = data
    this.fields = errorFields(data.fields)
  }

  static from(error: unknown): CallError {
    if (error instanceof CallError) return error
    if (error instanceof ORPCError) return new CallError(error.code, error.status, error.message, recordOf(error.data))
    return new CallError('unreachable', 0, '')
  }

  /** A later attempt can succeed: no connection, or the server is busy or starting. */
  get temporary(): boolean {
    return TEMPORARY.has(this.status)
  }

  /** A server fault, temporary or permanent. */
  get broken(): boolean {
    return this.status >= 500 && this.status !== INSUFFICIENT_STORAGE && !this.temporary
  }

  /** Whether a call that has failed `attempts` times may be retried automatically. */
  mayRetry(attempts: number): boolean {
    return this.temporary || (this.broken && attempts < MAX_SERVER_ERROR_ATTEMPTS)
  }

  /** No refusal that a form or page shows itself: no connection, or a bug on the server. */
  get unexpected(): boolean {
    return this.status === 0 || (this.status >= 500 && this.status !== INSUFFICIENT_STORAGE)
  }
}

const TEMPORARY: ReadonlySet<number> = new Set([0, 408, 425, 429, 502, 503, 504])
/** 507 Insufficient Storage (RFC 4918): a refusal with its own message. */
const INSUFFICIENT_STORAGE = 507

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function errorFields(value: unknown): Record<string, string[]> {
  const pairs = Object.entries(recordOf(value)).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1]))
  return Object.fromEntries(pairs.map(([name, messages]) => [name, messages.map(String)]))
}
