import { z } from 'zod'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { AttemptId } from '../attempt/schema.ts'
import { Points } from '../question/schema.ts'

const id = z.uuid()
const MAX_MARKS = 500

/** A reviewer's mark and comment of one answer. Without a score the automatic score is used. */
export const AnswerMark = z.object({ score: Points.nullable(), comment: multilineText(4000) })
export type AnswerMark = z.output<typeof AnswerMark>

/** The unfinished review of an attempt, not visible to the student. Marks are by question id. */
export const AttemptReviewDraft = z.object({
  marks: z.record(id, AnswerMark).refine((marks) => Object.keys(marks).length <= MAX_MARKS, 'too_many'),
  comment: multilineText(4000),
})
export type AttemptReviewDraft = z.output<typeof AttemptReviewDraft>

/** The number of saves of the draft of a review; 0 before the first one. */
const revision = z.int().min(0).max(2_147_483_647)

export const SaveAttemptReview = AttemptId.extend({ revision, draft: AttemptReviewDraft })
export type SaveAttemptReview = z.output<typeof SaveAttemptReview>

/** `revision` of the draft that the reviewer sees. */
export const FinishAttemptReview = AttemptId.extend({ revision })
export type FinishAttemptReview = z.output<typeof FinishAttemptReview>

/**
 * The attempts of a student at a test; without `attemptId` the attempt that waits for its review, otherwise the last
 * one.
 */
export const GetAttemptReview = z.object({ quizId: id, studentId: id, attemptId: id.optional() })
export type GetAttemptReview = z.output<typeof GetAttemptReview>
