import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * The unit tests on another PostgreSQL than the one from npm, by default version 15 of Debian. Returns whether all
 * passed. `npm test` runs the migrations and a sample of the statements there.
 */
export function soakPostgres(binaries = '/usr/lib/postgresql/15'): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const env = { ...process.env, TEST_POSTGRES: binaries }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/test.ts', 'unit'], { cwd, env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
