import { Refusal } from '#lib/core/http/refusal.ts'
import type { TestVerdict } from '#lib/course/transfer/schema.ts'
import { type BundleQuiz, BundleTests } from './bundle-schema.ts'
import type { ReadTests } from './course-tests.ts'

/**
 * The tests of a bundle of the product, from its JSON. Refuses with unprocessable (bundle_damaged) with the place of the first
 * thing that is not as it should be.
 */
export function testsOfBundle(json: unknown): ReadTests {
  const parsed = BundleTests.safeParse(json)
  if (!parsed.success) {
    const variables = { path: parsed.error.issues[0]?.path.join('.') ?? 'quizzes' }
    throw new Refusal('unprocessable', { fields: { file: ['bundle_damaged'] }, variables })
  }
  return { ...parsed.data, verdicts: parsed.data.quizzes.map(verdictOf) }
}

/** What a bundle has arrives as it is. */
function verdictOf({ title, sections }: BundleQuiz): TestVerdict {
  const imported = sections.reduce(
    (sum, section) => sum + (section.pick === 'fixed' ? section.questions.length : section.count),
    0,
  )
  const counts = { imported, changed: 0, skipped: 0 }
  return { kind: 'test', title, verdict: 'imported', reasons: [], counts, questions: [], moreQuestions: 0 }
}
