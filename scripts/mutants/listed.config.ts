import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { LISTED_MUTANTS, MUTANT_VARIABLE, mutateSource } from './listed/listed-mutants.ts'

const mutant = LISTED_MUTANTS[Number(process.env[MUTANT_VARIABLE] ?? -1)]
const mutated = mutant && path.resolve(mutant.file)

/** Tests with the mutant that the environment names, which exists in the memory of the tests alone. */
export default defineConfig({
  plugins: [
    {
      name: 'listed-mutant',
      enforce: 'pre',
      transform: (source, id) => (mutant && id.split('?')[0] === mutated ? mutateSource(source, mutant) : null),
    },
  ],
  test: {
    include: ['tests/{lib,api}/**/*.test.ts'],
    globalSetup: ['tests/setup/run/global-setup.ts'],
    setupFiles: ['tests/setup/run/database.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // The stored result of the transformation does not depend on the environment.
    fsModuleCache: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
