import { runTests } from './run-tests.ts'

/**
 * The unit tests on another PostgreSQL than the one from npm, by default version 15 of Debian. Returns whether all
 * passed. `npm test` runs the migrations and a sample of the statements there.
 */
export function soakPostgres(binaries = '/usr/lib/postgresql/15'): Promise<boolean> {
  return runTests(['unit'], { TEST_POSTGRES: binaries })
}
