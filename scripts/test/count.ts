import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

export interface Count {
  passed: number
  failed: number
  /** Passed tests that failed at first and passed when they were retried. */
  flaky: number
}

const Vitest = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
})
const Playwright = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }) })

/** A command that counts as one test: lint, types. */
export const countOne = (succeeded: boolean): Count => ({
  passed: Number(succeeded),
  failed: Number(!succeeded),
  flaky: 0,
})

/**
 * Counts Vitest's JSON report. A file that could not be loaded is one failed test; a test that passed when it was
 * retried counts as passed and as flaky.
 */
export function countVitest(report: string, succeeded: boolean): Count {
  const read = parse(report, Vitest)
  if (!read) return countOne(false)
  const unread = read.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failed = read.numFailedTests + unread.length
  return failWithoutFailedTest({ passed: read.numPassedTests, failed, flaky: listFlaky(report).length }, succeeded)
}

/** The tests of Vitest's JSON report that passed after a failed attempt: file, name and the first line of the failure. */
export function listFlaky(report: string): string[] {
  const files = parse(report, Vitest)?.testResults ?? []
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => `${name}: ${fullName}\n    ${failureMessages[0]?.split('\n')[0]}`),
  )
}

/** Counts Playwright's JSON report; a test that passed when it was retried counts as passed and as flaky. */
export function countPlaywright(report: string, succeeded: boolean): Count {
  const read = parse(report, Playwright)
  if (!read) return countOne(false)
  const { expected, unexpected, flaky } = read.stats
  return failWithoutFailedTest({ passed: expected + flaky, failed: unexpected, flaky }, succeeded)
}

export function sum(counts: Count[]): Count {
  const total = { passed: 0, failed: 0, flaky: 0 }
  for (const { passed, failed, flaky } of counts) {
    total.passed += passed
    total.failed += failed
    total.flaky += flaky
  }
  return total
}

// A runner that fails without a failed test (an error outside all tests, or no tests) still fails.
function failWithoutFailedTest(count: Count, succeeded: boolean): Count {
  return succeeded || count.failed > 0 ? count : { ...count, failed: 1 }
}

function parse<T>(report: string, shape: z.ZodType<T>): T | null {
  return existsSync(report) ? shape.parse(JSON.parse(readFileSync(report, 'utf8'))) : null
}
