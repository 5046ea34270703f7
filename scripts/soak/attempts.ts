import { spawn } from 'node:child_process'
import path from 'node:path'

const RUNS = '320'

/**
 * The chaos tests of attempts with all their seeds; `npm test` runs the first ones only. Returns whether no answer was
 * lost.
 */
export function soakAttempts(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, CHAOS_RUNS: RUNS }
  const args = ['scripts/test.ts', 'unit', 'attempt-chaos']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
