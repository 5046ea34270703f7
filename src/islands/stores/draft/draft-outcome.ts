import { CallError } from '../call-error.ts'
import type { SaveOutcome } from './draft-settings.ts'

/**
 * Converts the error of a save to the outcome for a draft. On a conflict, `newer` reads the newer text from the error
 * data, which also has its `version` and its author `by`; without such a text the outcome is `refused`.
 */
export function saveOutcomeOf<T>(
  error: unknown,
  newer: (data: Record<string, unknown>) => T | undefined,
): SaveOutcome<T> {
  const failure = CallError.from(error)
  if (failure.status === 401) return { kind: 'signedOut' }
  if (failure.status === 409) {
    const value = newer(failure.data)
    const version = Number(failure.data.version)
    const by = typeof failure.data.by === 'string' && failure.data.by !== '' ? failure.data.by : undefined
    if (value !== undefined && Number.isInteger(version)) return { kind: 'conflict', version, value, by }
  }
  if (failure.temporary) return { kind: 'offline' }
  if (failure.broken) return { kind: 'failed' }
  return { kind: 'refused', message: failure.message }
}
