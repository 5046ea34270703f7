import { runTests } from './run-tests.ts'

const { LOCK_SECONDS = '60', LOCK_MAX_WAIT_MS = '500', LOCK_ORDERS = '200' } = process.env

/**
 * A minute of concurrent operations of one school that take its locks; `npm test` runs two seconds. Prints the longest wait
 * for each lock, and what it waited for. Returns whether no wait was longer than half a second.
 */
export function soakLocks(): Promise<boolean> {
  return runTests(['unit', 'lock-waits'], { LOCK_SECONDS, LOCK_MAX_WAIT_MS, LOCK_ORDERS })
}
