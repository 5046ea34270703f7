import { runTests } from './run-tests.ts'

const { CHAOS_RUNS = '320' } = process.env

/**
 * The chaos test of the chat with all its seeds; `npm test` runs the first ones only. CHAOS_RUNS changes their number.
 * Returns whether each message arrived once and in one order.
 */
export function soakChat(): Promise<boolean> {
  return runTests(['unit', 'chat-chaos'], { CHAOS_RUNS })
}
