import { spawn } from 'node:child_process'
import path from 'node:path'

const RUNS = '10000'

/**
 * 10,000 random sequences of callbacks of each payment provider, and 1,000 of a subscription; `npm test` runs some. Returns whether access always
 * followed what was paid and not returned.
 */
export function soakPayments(): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, PAYMENT_RUNS: RUNS }
  const args = ['scripts/test.ts', 'unit', 'callback-sequences', 'charge-sequences']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
