import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { temporary } from '../processes.ts'
import { DOMAIN, ROOT } from '../product.ts'

/**
 * Runs a program that calls domain functions on a database and prints its result as JSON. It is a separate process,
 * because modules read the configuration once, and an open pool would prevent PostgreSQL from stopping. `file` is relative to
 * this folder, `more` are environment variables.
 */
export async function runProgram<Result>(
  file: string,
  database: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
    timeout: 15 * 60_000,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      BASE_DOMAIN: DOMAIN,
      DATA_DIR: temporary('program'),
      DATABASE_URL: database,
      ...more,
    },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}
