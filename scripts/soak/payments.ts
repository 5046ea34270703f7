import { spawn } from 'node:child_process'
import path from 'node:path'

const RUNS = '10000'
/** Each run has a server process and a database server of its own. */
const CONCURRENT_RUNS = 2

interface Run {
  name: string
  testFile: string
  env: Record<string, string>
}

const PROVIDERS = ['liqpay', 'wayforpay', 'monobank', 'stripe']
const CALLBACK_RUNS: Run[] = PROVIDERS.map((provider) => ({
  name: `${RUNS} sequences of callbacks of ${provider}`,
  testFile: 'callback-sequences',
  env: { PAYMENT_PROVIDER: provider },
}))
const SUBSCRIPTION_RUN: Run = {
  name: '1000 sequences of charges of a subscription',
  testFile: 'charge-sequences',
  env: {},
}

/**
 * 10,000 random sequences of callbacks of each payment provider, and 1,000 of a subscription; `npm test` runs some. Each
 * provider runs with a database of its own, two of them at a time. Returns whether access always followed what was paid
 * and not returned.
 */
export async function soakPayments(): Promise<boolean> {
  const waiting = [...CALLBACK_RUNS, SUBSCRIPTION_RUN]
  const results: string[] = []
  let hasFailed = false
  const runNext = async (): Promise<void> => {
    const run = waiting.shift()
    if (!run) return
    const since = performance.now()
    const isPassed = await runTest(run)
    hasFailed ||= !isPassed
    const seconds = ((performance.now() - since) / 1000).toFixed(0)
    results.push(`${run.name}: ${isPassed ? 'no failure' : 'FAILED'}, ${seconds} s`)
    await runNext()
  }
  await Promise.all(Array.from({ length: CONCURRENT_RUNS }, runNext))
  console.log(`\n${results.join('\n')}`)
  return !hasFailed
}

function runTest({ testFile, env }: Run): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', testFile], {
      cwd,
      env: { ...process.env, ...env, PAYMENT_RUNS: RUNS },
      stdio: 'inherit',
    })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
