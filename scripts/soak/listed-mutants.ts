import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { LISTED_MUTANTS, MUTANT_VARIABLE } from '../mutants/listed/listed-mutants.ts'

const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['passed', 'failed']),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
})

/**
 * Runs the tests of each listed mutant and prints those that a test file does not detect; first the tests without a
 * mutant, which have to pass. `filters`: parts of files of mutants or of what they break. Returns whether all mutants were detected.
 */
export async function soakListedMutants(filters: readonly string[]): Promise<boolean> {
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  const chosen = LISTED_MUTANTS.map((mutant, at) => ({ ...mutant, at })).filter(
    ({ file, breaks }) => filters.length === 0 || filters.some((part) => file.includes(part) || breaks.includes(part)),
  )
  const failing = await failedFiles(null, [...new Set(chosen.flatMap(({ tests }) => tests))])
  for (const file of failing) console.log(`Fails without a mutant: ${file}`)
  let detected = 0
  for (const { at, breaks, file, tests } of chosen) {
    const missing: string[] = []
    for (const test of tests) if ((await failedFiles(at, [test])).length === 0) missing.push(test)
    if (missing.length === 0) detected += 1
    console.log(missing.length === 0 ? `detected  ${breaks}` : `SURVIVED  ${breaks} (${file}): ${missing.join(', ')}`)
  }
  console.log(`\n${detected} of ${chosen.length} listed mutants detected`)
  return failing.length === 0 && detected === chosen.length
}

/** The files with at least one failed test. A file that could not be loaded detects nothing. */
async function failedFiles(mutant: number | null, files: readonly string[]): Promise<string[]> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-listed-'))
  const outputFile = path.join(directory, 'report.json')
  try {
    const options = ['--config', 'scripts/mutants/listed.config.ts', '--reporter', 'json', '--outputFile', outputFile]
    // The first failed test detects the mutant.
    if (mutant !== null) options.push('--bail', '1')
    const env = { ...process.env, ...(mutant !== null && { [MUTANT_VARIABLE]: String(mutant) }) }
    const bin = 'node_modules/vitest/vitest.mjs'
    await once(spawn(process.execPath, [bin, 'run', ...options, ...files], { env, stdio: 'ignore' }), 'close')
    const { testResults } = Report.parse(JSON.parse(fs.readFileSync(outputFile, 'utf8')))
    return testResults
      .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed'))
      .map(({ name }) => path.relative('.', name))
  } finally {
    fs.rmSync(directory, { recursive: true, force: true })
  }
}
