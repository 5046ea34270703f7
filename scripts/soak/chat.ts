import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * The chaos test of the chat with all its seeds; `npm test` runs the first ones only. CHAOS_RUNS changes their number.
 * Returns whether each message arrived once and in one order.
 */
export function soakChat(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { CHAOS_RUNS: '320', ...process.env }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', 'unit', 'chat-chaos'], { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
