/** What the product needs is not there: the database or the object store does not answer. Try again later. */
export class Unavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Unavailable'
  }
}

// Of the system (connections), of PostgreSQL (shutting down, starting, out of connections) and of S3's SDK.
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
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
// node-postgres gives these no code.
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/
const DEEPEST = 5

/** Whether an error, or what caused it, says that the database or the object store does not answer. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > DEEPEST) return false
  if (error instanceof Unavailable || LOST.test(error.message) || CODES.has(error.name)) return true
  const { code, syscall, $metadata } = error as Error & { code?: unknown; syscall?: unknown; $metadata?: object }
  if (CODES.has(String(code)) || (code === 'ENOENT' && syscall === 'connect')) return true
  if (Number(Reflect.get(Object($metadata), 'httpStatusCode')) >= 500) return true
  return isUnavailable(error.cause, depth + 1)
}
