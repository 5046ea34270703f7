import type { RefusalCode, RefusalDetails } from '../http/refusal.ts'

/** A call that a worker process executes. */
export interface WorkerCall {
  /** Path of the module from the root of the project, e.g. `src/lib/storage/caption/worker.ts`. */
  file: string
  /** Its exported function. */
  name: string
  input: unknown
  /** Input field that a refusal names. */
  field: string
}

export interface RefusedTask {
  code: RefusalCode
  details: RefusalDetails
}

/** A result that can be cloned: structured cloning drops the class and the fields of an error. */
export type WorkerReply = { value: unknown } | { refusal: RefusedTask } | { defect: string }

/** The refusal of an input that exceeds the time, memory or stack of a parser. */
export function tooComplex(field: string): RefusedTask {
  return { code: 'unprocessable', details: { fields: { [field]: ['parse_too_complex'] } } }
}
