import { enqueueJob } from '#lib/core/jobs/jobs.ts'

/** Attempts that are graded within this time are analyzed together. */
const DELAY_MS = 30_000

/** Schedules the computation of the item analysis of a test, in the transaction that grades an attempt. */
export function enqueueAnalysis({ tenantId, quizId }: { tenantId: string; quizId: string }): Promise<void> {
  return enqueueJob(
    'quiz.analyse',
    { tenantId, quizId },
    { singletonKey: `quiz-analysis/${quizId}`, startAfter: new Date(Date.now() + DELAY_MS) },
  )
}
