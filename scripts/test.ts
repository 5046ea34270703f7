import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { bringBrowser } from './test-browser.ts'
import { type Count, countOne, countPlaywright, countVitest, sum } from './test-count.ts'
import { bringEncoder } from './test-encoder.ts'

/*
 * npm test: every stage in turn; one that fails does not hide the rest. `npm test -- unit e2e` runs some stages, any
 * further words go to the runners as filters. The last line is the count.
 */
interface Stage {
  name: string
  heading: string
  run(): Promise<Count>
}

const ROOT = path.resolve(import.meta.dirname, '..')
const REPORTS = mkdtempSync(path.join(os.tmpdir(), 'kafedra-report-'))
process.on('exit', () => rmSync(REPORTS, { recursive: true, force: true }))
process.env.PATH = `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`

const STAGES: Stage[] = [
  { name: 'lint', heading: 'Lint', run: async () => countOne(await command('biome', 'check')) },
  { name: 'types', heading: 'Types', run: async () => countOne(await command('astro', 'check')) },
  { name: 'house', heading: 'House rules', run: () => vitest('house') },
  { name: 'unit', heading: 'Unit, API and islands, on a real PostgreSQL', run: unit },
  { name: 'e2e', heading: 'End to end and accessibility, in a real browser', run: endToEnd },
]

const names = new Set(STAGES.map(({ name }) => name))
const asked = process.argv.slice(2)
const filters = asked.filter((word) => !names.has(word))
const chosen = STAGES.filter(({ name }) => asked.length === filters.length || asked.includes(name))

const results: { stage: Stage; count: Count; seconds: number }[] = []
for (const stage of chosen) {
  console.log(`\n── ${stage.heading} ${'─'.repeat(Math.max(4, 76 - stage.heading.length))}\n`)
  const since = performance.now()
  const count = await stage.run().catch((error: Error) => {
    console.error(error.message)
    return countOne(false)
  })
  results.push({ stage, count, seconds: (performance.now() - since) / 1000 })
}

console.log('')
for (const { stage, count, seconds } of results) {
  const numbers = `${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(4)} failed`
  console.log(`${stage.heading.padEnd(50)}${numbers} ${seconds.toFixed(1).padStart(7)} s`)
}
const { passed, failed } = sum(results.map(({ count }) => count))
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function vitest(project: string): Promise<Count> {
  const report = path.join(REPORTS, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const succeeded = await command('vitest', 'run', '--project', project, ...reporters, ...filters)
  return countVitest(report, succeeded)
}

// What it may ask of its system is brought first: without an encoder the tests of films would fail, not be skipped.
async function unit(): Promise<Count> {
  process.env.FFMPEG_PATH = await bringEncoder()
  return vitest('unit')
}

async function endToEnd(): Promise<Count> {
  process.env.CHROMIUM_PATH = bringBrowser()
  process.env.FFMPEG_PATH = await bringEncoder()
  if (!(await command(process.execPath, 'scripts/build-stamp.ts'))) throw new Error('The build failed.')
  const report = path.join(REPORTS, 'e2e.json')
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report
  return countPlaywright(report, await command('playwright', 'test', '--reporter=list,json', ...filters))
}

function command(program: string, ...args: string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}
