import { z } from 'zod'
import { FEEDBACK_TIMES, NAVIGATIONS, ON_EXPIRY } from '#lib/core/shared/quiz.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { StartUpload } from '#lib/storage/schema.ts'
import { AnswerValue, Points } from '../question/schema.ts'

const id = z.uuid()

/** A question of an attempt: the version that the student answers, and the order in which its parts are shown. */
export const FrozenQuestion = z.object({
  questionId: id,
  version: z.int(),
  /** The version whose key scores the answer since a regrading; by default that of the question. */
  keyVersion: z.int().optional(),
  sectionId: id,
  sectionTitle: z.string(),
  points: Points,
  /** Ids of options, choices or items; for options of gaps as `gap/option`. Empty where parts are not shuffled. */
  order: z.array(z.string().max(81)),
})
export type FrozenQuestion = z.output<typeof FrozenQuestion>

/** The settings of the test that an attempt keeps when the test is edited later. */
export const AttemptRules = z.object({
  onExpiry: z.enum(ON_EXPIRY),
  graceSec: z.int(),
  networkGraceSec: z.int(),
  passPercent: z.int(),
  perPage: z.int().nullable(),
  navigation: z.enum(NAVIGATIONS),
  feedback: z.enum(FEEDBACK_TIMES),
  negativeMarking: z.boolean(),
  partialCredit: z.boolean(),
})
export type AttemptRules = z.output<typeof AttemptRules>

/** `attemptId` is chosen by the form, so that posting it twice starts one attempt. */
export const StartAttempt = z.object({ quizId: id, attemptId: id.optional(), password: textLine(60).default('') })
export type StartAttempt = z.output<typeof StartAttempt>

export const AttemptId = z.object({ attemptId: id })
export type AttemptId = z.infer<typeof AttemptId>

/** Saves one answer; null removes it. Unknown fields, e.g. a time or a score, are rejected. */
export const SaveAnswer = z.strictObject({
  attemptId: id,
  questionId: id,
  /** Greater than that of the last save. */
  revision: z.int().min(1).max(2_147_483_647),
  /** The revision that the answer replaces, 0 for none: if the server has another one, the save is a conflict. */
  baseRevision: z.int().min(0).max(2_147_483_647).optional(),
  value: AnswerValue.nullable(),
})
export type SaveAnswer = z.output<typeof SaveAnswer>

export const SubmitAttempt = z.strictObject({ attemptId: id })
export type SubmitAttempt = z.infer<typeof SubmitAttempt>

export const ReachPage = z.strictObject({ attemptId: id, page: z.int().min(0).max(500) })
export type ReachPage = z.infer<typeof ReachPage>

/**
 * Makes an answer final in a test with feedback after each question. `revision` is that of the answer that the student
 * sees.
 */
export const CheckAnswer = z.strictObject({
  attemptId: id,
  questionId: id,
  revision: z.int().min(1).max(2_147_483_647),
})
export type CheckAnswer = z.output<typeof CheckAnswer>

/** Flags a question for later, or removes the flag. */
export const FlagQuestion = z.strictObject({ attemptId: id, questionId: id, flagged: z.boolean() })
export type FlagQuestion = z.output<typeof FlagQuestion>

export const StartFileAnswer = StartUpload.omit({ parentId: true }).extend({ attemptId: id, questionId: id })
export type StartFileAnswer = z.output<typeof StartFileAnswer>

export const RemoveFileAnswer = z.strictObject({ attemptId: id, questionId: id, fileId: id })
export type RemoveFileAnswer = z.output<typeof RemoveFileAnswer>

/** Adds time for an outage that the reviewer has checked. */
export const GrantTime = z.object({
  attemptId: id,
  seconds: z.int().min(1).max(DAY_SECONDS),
  note: textLine(500).min(1, 'required'),
})
export type GrantTime = z.infer<typeof GrantTime>

/** Sent on `attempt:{attemptId}` to the student's pages when another page has changed the attempt. */
export interface AttemptLiveEvent {
  event: 'saved' | 'checked' | 'flagged' | 'finished' | 'timeGranted'
  questionId: string | null
  revision: number | null
}
