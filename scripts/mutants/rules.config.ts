import { defineConfig } from 'vitest/config'
import { findTestsWithoutDatabase } from '../../tests/setup/run/without-database.ts'

/** Tests of rules only. Rules are pure, so neither a database nor a worker process per file is needed. */
export default defineConfig({
  test: {
    name: 'rules',
    setupFiles: ['tests/setup/run/no-database.ts'],
    include: findTestsWithoutDatabase(process.cwd()),
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
})
