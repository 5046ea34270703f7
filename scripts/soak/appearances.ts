import { runTests } from './run-tests.ts'

/**
 * The accessibility and width of every screen at 390, 768 and 1440 px, in both languages and themes; `npm test` checks
 * each screen in one appearance. Returns whether there was no finding.
 */
export function soakAppearances(): Promise<boolean> {
  return runTests(['e2e', 'every-screen'], { ALL_APPEARANCES: '1' })
}
