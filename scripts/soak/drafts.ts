import { spawn } from 'node:child_process'
import path from 'node:path'

/** Seeds from 1 up: of the draft layer with the server's functions, and of whole browsers with the built product. */
const RUNS = { CHAOS_RUNS: '300', BROWSER_CHAOS_RUNS: '24' }

/** The chaos tests of drafts with all their seeds; `npm test` takes the first ones only. Gives whether no word was lost. */
export function soakDrafts(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, ...RUNS }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'e2e', 'chaos'], { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
