import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { countPlaywright, countVitest, sum } from '../../../scripts/test/count.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'count-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

function reportOf(content: object): string {
  const at = path.join(folder, 'report.json')
  fs.writeFileSync(at, JSON.stringify(content))
  return at
}

test('a test file that could not be read is one failed test', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
  ]
  expect(countVitest(reportOf({ numPassedTests: 7, numFailedTests: 1, testResults }), false)).toEqual({
    passed: 7,
    failed: 2,
    flaky: 0,
  })
})

test('a run that fails outside of its tests has failed', () => {
  expect(countVitest(reportOf({ numPassedTests: 7, numFailedTests: 0, testResults: [] }), false)).toEqual({
    passed: 7,
    failed: 1,
    flaky: 0,
  })
  expect(countVitest(path.join(folder, 'nowhere.json'), true)).toEqual({
    passed: 0,
    failed: 1,
    flaky: 0,
  })
})

test('a browser test that passed only when it was run again is counted as passed and as flaky', () => {
  expect(countPlaywright(reportOf({ stats: { expected: 5, unexpected: 1, flaky: 1 } }), false)).toEqual({
    passed: 6,
    failed: 1,
    flaky: 1,
  })
})

test('counts add up', () => {
  expect(
    sum([
      { passed: 1, failed: 0, flaky: 0 },
      { passed: 2, failed: 3, flaky: 1 },
    ]),
  ).toEqual({ passed: 3, failed: 3, flaky: 1 })
})
