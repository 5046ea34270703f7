import { defineConfig } from 'vitest/config'

/** Tests of a module on a real database, selected by the mutation tester. */
export default defineConfig({
  test: {
    name: 'module',
    include: ['tests/{lib,api}/**/*.test.ts'],
    globalSetup: ['tests/setup/run/global-setup.ts'],
    setupFiles: ['tests/setup/run/database.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
