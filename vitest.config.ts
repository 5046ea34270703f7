import { getViteConfig } from 'astro/config'
import { defineConfig } from 'vitest/config'
import { findTestsWithoutDatabase } from './tests/setup/run/without-database.ts'

const timeouts = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  // A test that passes only when it is retried is reported as flaky (docs/decisions/133).
  retry: 1,
}
const withDatabase = {
  ...timeouts,
  globalSetup: ['tests/setup/run/global-setup.ts'],
  setupFiles: ['tests/setup/run/database.ts'],
}
const testsWithoutDatabase = findTestsWithoutDatabase(import.meta.dirname)

export default getViteConfig(
  defineConfig({
    test: {
      pool: 'forks',
      maxWorkers: 2,
      // Each process would load hundreds of modules of these packages (docs/decisions/490).
      deps: {
        optimizer: {
          ssr: {
            enabled: true,
            include: ['drizzle-orm', 'drizzle-orm/pg-core', 'drizzle-orm/node-postgres', 'stripe', 'zod'],
          },
        },
      },
      projects: [
        {
          extends: true,
          // Each file reads all sources, while a type check of all files may be running.
          test: {
            ...withDatabase,
            testTimeout: 60_000,
            name: 'architecture',
            include: ['tests/architecture/**/*.test.ts'],
          },
        },
        {
          extends: true,
          test: {
            ...withDatabase,
            name: 'unit',
            include: ['tests/{lib,api,pages,islands,layouts,scripts,setup}/**/*.test.{ts,tsx}'],
            exclude: testsWithoutDatabase,
          },
        },
        {
          extends: true,
          // The files of one worker share a process, which loads each source once.
          test: {
            ...timeouts,
            name: 'unit-without-database',
            setupFiles: ['tests/setup/run/no-database.ts'],
            include: testsWithoutDatabase,
            isolate: false,
          },
        },
      ],
    },
  }),
)
