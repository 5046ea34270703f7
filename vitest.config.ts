import { getViteConfig } from 'astro/config'
import { defineConfig } from 'vitest/config'

const shared = {
  globalSetup: ['tests/setup/global-setup.ts'],
  setupFiles: ['tests/setup/database.ts'],
  testTimeout: 20_000,
  hookTimeout: 30_000,
  // A test that passes only when it is retried is reported as flaky (docs/decisions/133).
  retry: 1,
}

export default getViteConfig(
  defineConfig({
    test: {
      pool: 'forks',
      maxWorkers: 2,
      projects: [
        {
          extends: true,
          // Each file reads all sources, while a type check of all files may be running.
          test: { ...shared, testTimeout: 60_000, name: 'architecture', include: ['tests/architecture/**/*.test.ts'] },
        },
        {
          extends: true,
          test: {
            ...shared,
            name: 'unit',
            include: ['tests/{lib,api,pages,islands,layouts,scripts,setup}/**/*.test.{ts,tsx}'],
          },
        },
      ],
    },
  }),
)
