import { defineConfig } from 'vitest/config'

/** Tests of rules alone. Rules are pure: neither a database nor a worker process for each file is needed. */
export default defineConfig({
  test: {
    name: 'rules',
    include: ['tests/lib/*/**/*rules.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
  },
})
