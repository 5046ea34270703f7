import { defineConfig } from 'vitest/config'

/** Tests of rules only. Rules are pure, so neither a database nor a worker process per file is needed. */
export default defineConfig({
  test: {
    name: 'rules',
    include: ['tests/lib/*/**/*rules.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
})
