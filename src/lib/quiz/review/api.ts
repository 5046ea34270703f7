import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getItemAnalysis } from '../analysis/item-analysis.ts'
import { ItemAnalysisOutput } from '../analysis/output-schema.ts'
import { listAttempts } from '../attempt-list/attempt-list.ts'
import { AttemptListPage } from '../attempt-list/output-schema.ts'
import { ListAttempts } from '../attempt-list/schema.ts'
import { acceptLateAnswer } from '../late/late-answer.ts'
import { AcceptLateAnswer } from '../late/schema.ts'
import { LastRegradeOutput, RegradePreviewOutput, StartedRegradeOutput } from '../regrade/output-schema.ts'
import { previewRegrade } from '../regrade/preview.ts'
import { StartRegrade } from '../regrade/schema.ts'
import { getLastRegrade, startRegrade } from '../regrade/start-regrade.ts'
import { QuizId } from '../schema.ts'
import { ReviewedAttemptOutput, SavedReviewOutput } from './output-schema.ts'
import { finishAttemptReview, saveAttemptReview } from './review.ts'
import { FinishAttemptReview, SaveAttemptReview } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of the reviewers of attempts. */
export const attemptReviewCalls = {
  saveReview: staff
    .route({ summary: 'Saves the draft of the review of an attempt' })
    .input(SaveAttemptReview)
    .output(SavedReviewOutput)
    .handler(({ input, context }) => saveAttemptReview(context.actor, input)),
  finishReview: staff
    .route({ summary: 'Releases the marks and comments of a review to the student' })
    .input(FinishAttemptReview)
    .output(ReviewedAttemptOutput)
    .handler(({ input, context }) => finishAttemptReview(context.actor, input)),
  acceptLateAnswer: staff
    .route({ summary: 'Scores an answer that arrived late instead of the saved one' })
    .input(AcceptLateAnswer)
    .output(NoOutput)
    .handler(({ input, context }) => acceptLateAnswer(context.actor, input).then(noOutput)),
  listAttempts: staff
    .route({ summary: 'Returns the attempts at a test, the latest started first' })
    .input(ListAttempts)
    .output(AttemptListPage)
    .handler(({ input, context }) => listAttempts(context.actor, input)),
  getItemAnalysis: staff
    .route({ summary: 'Returns the statistics of the questions of a test; null before the first graded attempt' })
    .input(QuizId)
    .output(ItemAnalysisOutput)
    .handler(({ input, context }) => getItemAnalysis(context.actor, input)),
  getRegradePreview: staff
    .route({ summary: 'Returns whose results a regrading by all corrected keys would change; nothing is written' })
    .input(QuizId)
    .output(RegradePreviewOutput)
    .handler(({ input, context }) => previewRegrade(context.actor, input)),
  startRegrade: authors
    .route({ summary: 'Grades the attempts at a test again by corrected keys, in a job' })
    .input(StartRegrade)
    .output(StartedRegradeOutput)
    .handler(({ input, context }) => startRegrade(context.actor, input)),
  getLastRegrade: staff
    .route({ summary: 'Returns the last regrading of a test with its progress; null without any' })
    .input(QuizId)
    .output(LastRegradeOutput)
    .handler(({ input, context }) => getLastRegrade(context.actor, input)),
}
