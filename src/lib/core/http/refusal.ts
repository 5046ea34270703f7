/**
 * Every expected failure, with its HTTP status by code. Its message is `errors:<code>` in the language of the request.
 */
export const REFUSALS = {
  invalid: 400,
  invalid_invitation: 400,
  unauthorized: 401,
  plan_inactive: 402,
  forbidden: 403,
  bad_origin: 403,
  read_only: 403,
  suspended: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  wrong_type: 415,
  unprocessable: 422,
  credentials: 422,
  second_factor: 422,
  not_ready: 422,
  too_many: 429,
  broadcast_down: 503,
  broadcast_full: 503,
  unavailable: 503,
  disk_full: 507,
} as const
export type RefusalCode = keyof typeof REFUSALS

export interface RefusalDetails {
  /** Field name to keys of the `errors` namespace, e.g. `{ email: ['email_taken'] }`. */
  fields?: Record<string, string[]>
  /** Key of `errors` for the message, when the message of the code does not apply. */
  message?: string
  /** Variables of the messages, e.g. `{ seconds: 40 }`. */
  variables?: Record<string, string | number>
  /** Additional data for the client, e.g. the newer version of a draft. */
  data?: Record<string, unknown>
  retryAfterSeconds?: number
}

/** Thrown by domain functions; caught by the API handler and the middleware, nowhere else. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'Refusal'
    this.code = code
    this.status = REFUSALS[code]
    this.details = details
  }
}

/**
 * A request that is valid but not possible now, with a message for the whole form.
 * `key` and `variables`: message of the namespace `errors` and its variables.
 */
export const formRefusal = (key: string, variables?: RefusalDetails['variables']): Refusal =>
  new Refusal('unprocessable', { fields: { form: [key] }, variables })

/** For `.catch(nullIfRefused)`: a Refusal becomes null, any other error is thrown again. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
