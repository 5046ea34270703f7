import { spawn } from 'node:child_process'
import path from 'node:path'

/** Runs `npm test` with these arguments and additional environment variables. Returns whether all tests passed. */
export function runTests(args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'inherit',
    })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
