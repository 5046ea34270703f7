import { spawn } from 'node:child_process'
import path from 'node:path'

/** Number of seeds: of the draft layer with the server's functions, and of complete browsers with the built product. */
const RUNS = { CHAOS_RUNS: '300', BROWSER_CHAOS_RUNS: '24' }

/**
 * The chaos tests of drafts with all their seeds; `npm test` runs the first ones only. Returns whether no text was
 * lost.
 */
export function soakDrafts(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, ...RUNS }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'e2e', 'chaos'], { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
