import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { countPlaywright, countVitest, listFlaky, sum } from '../../scripts/test/count.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'kafedra-count-'))

function write(report: unknown): string {
  const file = path.join(folder, `${crypto.randomUUID()}.json`)
  writeFileSync(file, JSON.stringify(report))
  return file
}

function vitestReport(...tests: { status: 'passed' | 'failed'; failureMessages: string[] }[]): string {
  const failed = tests.filter(({ status }) => status === 'failed').length
  const assertionResults = tests.map((test, index) => ({ ...test, fullName: `fact ${index}` }))
  return write({
    numPassedTests: tests.length - failed,
    numFailedTests: failed,
    testResults: [{ name: 'a.test.ts', status: failed ? 'failed' : 'passed', assertionResults }],
  })
}

describe('the count of a run', () => {
  it('names a unit test that passed only on retry', () => {
    const report = vitestReport(
      { status: 'passed', failureMessages: [] },
      { status: 'passed', failureMessages: ['Error: expected 1 to be 2\n    at a.test.ts:3'] },
    )
    expect(countVitest(report, true)).toEqual({ passed: 2, failed: 0, flaky: 1 })
    expect(listFlaky(report)).toEqual(['a.test.ts: fact 1\n    Error: expected 1 to be 2'])
  })

  it('does not call a test flaky that failed both times', () => {
    const report = vitestReport({ status: 'failed', failureMessages: ['Error: one', 'Error: two'] })
    expect(countVitest(report, false)).toEqual({ passed: 0, failed: 1, flaky: 0 })
  })

  it('counts an unreadable file, and a runner that failed without a failed test, as failures', () => {
    const unread = { name: 'b.test.ts', status: 'failed', assertionResults: [] }
    expect(countVitest(write({ numPassedTests: 3, numFailedTests: 0, testResults: [unread] }), false).failed).toBe(1)
    expect(countVitest(vitestReport({ status: 'passed', failureMessages: [] }), false).failed).toBe(1)
    expect(countVitest(path.join(folder, 'missing.json'), true)).toEqual({ passed: 0, failed: 1, flaky: 0 })
  })

  it('counts a flaky browser test as passed and as flaky', () => {
    const report = write({ stats: { expected: 5, unexpected: 1, flaky: 2 } })
    expect(countPlaywright(report, false)).toEqual({ passed: 7, failed: 1, flaky: 2 })
  })

  it('is the sum of its stages', () => {
    const stages = [
      { passed: 1, failed: 0, flaky: 0 },
      { passed: 2, failed: 3, flaky: 1 },
    ]
    expect(sum(stages)).toEqual({ passed: 3, failed: 3, flaky: 1 })
  })
})
