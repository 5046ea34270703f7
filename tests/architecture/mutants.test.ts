import fs from 'node:fs'
import { expect, test } from 'vitest'
import { EQUIVALENT_MUTANTS } from '../../scripts/mutants/equivalent.ts'
import { LISTED_MUTANTS, mutateSource } from '../../scripts/mutants/listed/listed-mutants.ts'

test('each listed mutant changes one place of the present code, and names existing tests', () => {
  const problems = LISTED_MUTANTS.flatMap((mutant) => {
    const source = fs.readFileSync(mutant.file, 'utf8')
    const missing = mutant.tests.filter((file) => !fs.existsSync(file))
    return mutateSource(source, mutant) === source || mutant.tests.length === 0 ? [mutant.breaks] : missing
  })
  expect(problems).toEqual([])
  expect(LISTED_MUTANTS.length).toBeGreaterThanOrEqual(40)
  expect(new Set(LISTED_MUTANTS.map(({ breaks }) => breaks)).size).toBe(LISTED_MUTANTS.length)
})

test('each equivalent mutant is in a line of the present code', () => {
  const stale = EQUIVALENT_MUTANTS.filter(({ file, line }) => !fs.readFileSync(file, 'utf8').includes(line))
  expect(stale).toEqual([])
})
