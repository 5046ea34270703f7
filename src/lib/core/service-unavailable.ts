/** The database or the object store does not respond; a later attempt may succeed. */
export class ServiceUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Unavailable'
  }
}

// System errors of connections, PostgreSQL error codes (shutdown, start-up, too many connections) and errors of the S3 SDK.
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'TimeoutError',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
])
// Errors of node-postgres without a code.
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/
const MAX_CAUSE_DEPTH = 5

/** How a disk is full: `files` of this product, or the `database`, which cannot save. */
export type FullDisk = 'files' | 'database'

// ENOSPC and EDQUOT of the system, 53100 of PostgreSQL.
const FULL_DISK_CODES = new Map<unknown, FullDisk>([
  ['ENOSPC', 'files'],
  ['EDQUOT', 'files'],
  ['53100', 'database'],
])

/** Which disk an error, or one of its causes, reports as full; null for another error. */
export function findFullDisk(error: unknown, depth = 0): FullDisk | null {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return null
  return FULL_DISK_CODES.get(Reflect.get(error, 'code')) ?? findFullDisk(error.cause, depth + 1)
}

/** Whether an error, or one of its causes, means that the database or the object store does not respond. */
export function isServiceUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSE_DEPTH) return false
  if (error instanceof ServiceUnavailable || CONNECTION_LOST.test(error.message) || UNAVAILABLE_CODES.has(error.name))
    return true
  const { code, syscall, $metadata } = error as Error & { code?: unknown; syscall?: unknown; $metadata?: object }
  if (UNAVAILABLE_CODES.has(String(code)) || (code === 'ENOENT' && syscall === 'connect')) return true
  if (Number(Reflect.get(Object($metadata), 'httpStatusCode')) >= 500) return true
  return isServiceUnavailable(error.cause, depth + 1)
}

/** Whether a later attempt may succeed where this one failed, whatever it was about. */
export const isTemporaryFailure = (error: unknown): boolean =>
  isServiceUnavailable(error) || findFullDisk(error) !== null
