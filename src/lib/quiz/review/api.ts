import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { ReviewedAttemptOutput, SavedReviewOutput } from './output-schema.ts'
import { finishAttemptReview, saveAttemptReview } from './review.ts'
import { FinishAttemptReview, SaveAttemptReview } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

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
}
