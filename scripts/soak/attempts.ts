import { spawn } from 'node:child_process'
import path from 'node:path'

/** Seeds from 1 up: of the client's code with the server's functions, and of whole browsers with the built product. */
const RUNS = { CHAOS_RUNS: '320', BROWSER_CHAOS_RUNS: '24' }

/**
 * The chaos tests of attempts with all their seeds; `npm test` runs the first ones only. CHAOS_RUNS and
 * BROWSER_CHAOS_RUNS change their numbers. Returns whether no answer was lost.
 */
export function soakAttempts(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...RUNS, ...process.env }
  const args = ['scripts/test.ts', 'unit', 'e2e', 'attempt-chaos', 'attempt-interruptions']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
