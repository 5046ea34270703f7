import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bringAiortc } from './test/aiortc.ts'
import { bringBrowser } from './test/browser.ts'
import { chooseTests } from './test/choice.ts'
import { type Count, countOne, countPlaywright, countVitest, listFlaky, sum } from './test/count.ts'
import { bringEncoder } from './test/encoder.ts'
import { bringJava } from './test/java.ts'
import { bringOldPostgres } from './test/postgres.ts'

/*
 * npm test: runs the stages; a failed stage does not prevent the others. The last line is the count. For the arguments
 * see test/choice.ts.
 */
interface Stage {
  name: string
  heading: string
  run(): Promise<Count>
  /** Runs in parallel with the next stage, on a core that is free; its output is printed at its end. */
  beside?: true
}

const ROOT = path.resolve(import.meta.dirname, '..')
const REPORTS = mkdtempSync(path.join(os.tmpdir(), 'kafedra-report-'))
process.on('exit', () => rmSync(REPORTS, { recursive: true, force: true }))
// Compiled packages are read again by each test process and each started product.
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/compiled')
process.env.PATH = `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`

const STAGES: Stage[] = [
  { name: 'lint', heading: 'Lint', run: lint },
  { name: 'types', heading: 'Types', run: types, beside: true },
  { name: 'architecture', heading: 'Architecture', run: () => vitest('architecture') },
  { name: 'unit', heading: 'Unit, API and islands, on a real PostgreSQL', run: unit },
  { name: 'e2e', heading: 'End to end and accessibility, in a real browser', run: endToEnd },
]

const { stages: chosen, filters, lintedPaths } = chooseTests(process.argv.slice(2), STAGES, ROOT)

const running: Promise<Result>[] = []
for (const stage of chosen) {
  running.push(measured(stage))
  if (!stage.beside) await Promise.all(running)
}
const results = await Promise.all(running)

console.log('')
for (const { stage, count, seconds } of results) {
  const numbers = `${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(4)} failed`
  console.log(`${stage.heading.padEnd(50)}${numbers} ${seconds.toFixed(1).padStart(7)} s`)
}
const { passed, failed, flaky } = sum(results.map(({ count }) => count))
if (flaky > 0)
  console.log(`\n${flaky} passed only when run again: named above as flaky, each of them a defect to find.`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

interface Result {
  stage: Stage
  count: Count
  seconds: number
}

async function measured(stage: Stage): Promise<Result> {
  if (!stage.beside) announce(stage.heading)
  const since = performance.now()
  const count = await stage.run().catch((error: Error) => {
    console.error(error.message)
    return countOne(false)
  })
  return { stage, count, seconds: (performance.now() - since) / 1000 }
}

function announce(heading: string): void {
  console.log(`\n── ${heading} ${'─'.repeat(Math.max(4, 76 - heading.length))}\n`)
}

/** Style and common mistakes; in the whole project also unused files, exports and packages. */
async function lint(): Promise<Count> {
  const tolerant = ['--no-errors-on-unmatched', '--files-ignore-unknown=true']
  if (lintedPaths)
    return countOne(lintedPaths.length === 0 || (await command('biome', 'check', ...tolerant, ...lintedPaths)))
  return sum([countOne(await command('biome', 'check')), countOne(await command('knip', '--no-progress'))])
}

async function types(): Promise<Count> {
  const printed: string[] = []
  const succeeded = await start('astro', ['check'], (text) => printed.push(text))
  announce('Types')
  console.log(printed.join(''))
  return countOne(succeeded)
}

/** Runs the tests of the projects whose names match a pattern of vitest. */
async function vitest(projects: string): Promise<Count> {
  const report = path.join(REPORTS, `${projects.replace('*', '')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = await command('vitest', 'run', '--project', projects, ...reporters, ...filters)
  for (const test of listFlaky(report)) console.log(`flaky: ${test}`)
  return countVitest(report, succeeded)
}

// Required programs are installed first: without ffmpeg the tests of videos would fail, not be skipped.
async function unit(): Promise<Count> {
  process.env.FFMPEG_PATH = await bringEncoder()
  process.env.AIORTC_PYTHON = bringAiortc()
  bringOldPostgres()
  return vitest('unit*')
}

async function endToEnd(): Promise<Count> {
  process.env.CHROMIUM_PATH = bringBrowser()
  process.env.FFMPEG_PATH = await bringEncoder()
  process.env.JAVA_PATH = bringJava()
  if (!(await command(process.execPath, 'scripts/build-stamp.ts'))) throw new Error('The build failed.')
  const report = path.join(REPORTS, 'e2e.json')
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report
  return countPlaywright(report, await command('playwright', 'test', '--reporter=list,json', ...filters))
}

function command(program: string, ...args: string[]): Promise<boolean> {
  return start(program, args)
}

/** Runs a program and returns whether it succeeded. Its output is written to the terminal, or passed to `onOutput`. */
function start(program: string, args: string[], onOutput?: (text: string) => void): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ['ignore', onOutput ? 'pipe' : 'inherit', onOutput ? 'pipe' : 'inherit'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput ?? (() => {}))
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
