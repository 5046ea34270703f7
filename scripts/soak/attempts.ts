import { runTests } from './run-tests.ts'

/** Seeds from 1 up: of the client's code with the server's functions, and of whole browsers with the built product. */
const { CHAOS_RUNS = '320', BROWSER_CHAOS_RUNS = '24' } = process.env

/**
 * The chaos tests of attempts with all their seeds; `npm test` runs the first ones only. CHAOS_RUNS and
 * BROWSER_CHAOS_RUNS change their numbers. Returns whether no answer was lost.
 */
export function soakAttempts(): Promise<boolean> {
  return runTests(['unit', 'e2e', 'attempt-chaos', 'attempt-interruptions'], { CHAOS_RUNS, BROWSER_CHAOS_RUNS })
}
