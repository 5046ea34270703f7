import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { findTestsWithoutDatabase } from '../../tests/setup/run/without-database.ts'
import { refusalRanges } from '../mutants/ranges.ts'
import { type FileScore, missed, scores, table } from '../mutants/score.ts'
import { bringEncoder } from '../test/encoder.ts'

/** In the order of importance. */
const MODULES = [
  'offer',
  'payment',
  'billing',
  'certificate',
  'chat',
  'quiz',
  'mentoring',
  'notification',
  'automation',
  'inbox',
  'schedule',
  'user',
  'storage',
  'homework',
  'course',
  'registration',
  'meeting',
  'masterclass',
  'autowebinar',
  'student',
  'tenant',
  'workshop',
  'statistics',
  'roadmap',
]
/**
 * Tests that encode videos or draw documents take minutes for each mutant and cover no additional refusals. The native WebRTC clients
 * crash in the worker threads of the mutation tester.
 */
const EXCLUDED_TESTS: Record<string, string[]> = {
  meeting: ['backstage', 'encoder', 'compose', 'trim', 'video-stage'],
  certificate: ['pdf'],
  storage: ['video', 'video-failure', 'video-worker', 'no-encoder', 'take-in'],
}
/** In a module only decisions are mutated: texts and formats of responses are not the purpose of its database tests. */
const NO_DECISION = [
  'ArithmeticOperator',
  'ArrayDeclaration',
  'ArrowFunction',
  'AssignmentOperator',
  'BlockStatement',
  'BooleanLiteral',
  'MethodExpression',
  'ObjectLiteral',
  'OptionalChaining',
  'Regex',
  'StringLiteral',
  'UnaryOperator',
  'UpdateOperator',
]
const testsWithoutDatabase = findTestsWithoutDatabase(process.cwd())
/** Results of the last run, with which the next one continues. */
const CACHE = 'node_modules/.cache/mutants'

interface Run {
  name: string
  config: 'rules' | 'module'
  mutate: string[]
  testFiles: string[]
  excludedMutations: string[]
}

/**
 * Mutates rules, then the refusals of each module, and prints the score of every file and the mutants that no test has
 * detected. `filters`: `rules`, names of modules or paths; a path other than that of rules is mutated in whole. `most`:
 * maximum number of refusals of a module, distributed evenly over its files. Returns whether all runs succeeded.
 */
export async function soakMutants(filters: readonly string[], most = Number.POSITIVE_INFINITY): Promise<boolean> {
  // Takes hours, during which the machine has to remain usable; child processes inherit the priority.
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  const all: FileScore[] = []
  let complete = true
  const runs = runsFor(filters, most)
  // Tests of modules may need programs that `npm test` installs.
  if (runs.some(({ config }) => config === 'module')) process.env.FFMPEG_PATH = await bringEncoder()
  for (const run of runs) {
    console.log(`\n── Mutants of ${run.name}\n`)
    const results = await mutate(run).catch((error: Error) => {
      console.error(error.message)
      return null
    })
    if (!results) {
      complete = false
      continue
    }
    for (const line of missed(results)) console.log(line)
    all.push(...scores(results))
  }
  console.log(`\n${table(all)}`)
  return complete
}

function runsFor(filters: readonly string[], most: number): Run[] {
  const named = new Set(filters.filter((filter) => !/[/*]/.test(filter)))
  const paths = filters.filter((filter) => /[/*]/.test(filter)).flatMap((filter) => fs.globSync(filter))
  const every = filters.length === 0
  const rules = every || named.has('rules') ? fs.globSync('src/lib/*/**/*rules.ts') : paths.filter(isRules)
  const ofRules = MODULES.map((name) =>
    rulesRun(
      name,
      rules.filter((file) => file.startsWith(`src/lib/${name}/`)),
    ),
  )
  const ofModules = MODULES.map((name) => {
    const own = paths.filter((file) => file.startsWith(`src/lib/${name}/`) && !isRules(file))
    return moduleRun(name, own.length === 0 && (every || named.has(name)) ? refusalRanges(name, most) : own)
  })
  return [...ofRules, ...ofModules].filter(({ mutate }) => mutate.length > 0)
}

const isRules = (file: string) => file.endsWith('rules.ts')

const rulesRun = (name: string, files: string[]): Run => ({
  name: `${name}-rules`,
  config: 'rules',
  mutate: files.sort(),
  testFiles: testsWithoutDatabase.filter((file) => file.startsWith(`tests/lib/${name}/`) && !isExcluded(name, file)),
  excludedMutations: [],
})

const moduleRun = (name: string, files: string[]): Run => ({
  name,
  config: 'module',
  mutate: files,
  testFiles: findTestFiles(name),
  excludedMutations: NO_DECISION,
})

// The mutation tester does not support exclusion patterns.
function findTestFiles(name: string): string[] {
  const files = fs.globSync([`tests/lib/${name}/**/*.test.ts`, `tests/api/${name}*.test.ts`])
  return files.filter((file) => !isExcluded(name, file))
}

const isExcluded = (name: string, file: string): boolean =>
  EXCLUDED_TESTS[name]?.includes(path.basename(file, '.test.ts')) ?? false

function mutate({ name, config, mutate, testFiles, excludedMutations }: Run) {
  return new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: `scripts/mutants/${config}.config.ts`, related: false },
    mutate,
    testFiles,
    mutator: { excludedMutations },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile: path.join(CACHE, `${name}.json`),
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    timeoutMS: config === 'rules' ? 5000 : 20_000,
    reporters: ['progress-append-only'],
    tempDirName: path.join(os.tmpdir(), 'kafedra-mutants'),
    cleanTempDir: 'always',
    ignorePatterns: ['data', 'docs', 'screens', 'dist*', 'tests/e2e', 'test-results'],
  }).runMutationTest()
}
