import { reportServerError } from '#lib/core/http/error-report.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { log } from '#lib/core/log.ts'
import { isTemporaryFailure } from '#lib/core/service-unavailable.ts'

const SINGLE_FILE_REFUSALS = new Set(['invalid', 'wrong_type', 'too_large'])

/**
 * For imports of many files: returns when only this file cannot be stored, so that the others are continued. Throws the
 * error when it concerns all of them: a full storage or disk, an expired plan, a database or store that does not respond.
 */
export function requireSingleFileFailure(error: unknown, fileName: string): void {
  if (error instanceof Refusal) {
    if (SINGLE_FILE_REFUSALS.has(error.code)) return
    throw error
  }
  if (isTemporaryFailure(error)) throw error
  log.error({ err: error, fileName }, 'A file of an import could not be stored')
  reportServerError(error, 'file of an import')
}
