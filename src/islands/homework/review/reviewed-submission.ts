import type { InferClientOutputs } from '@orpc/client'
import { z } from 'zod'
import type { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { QueueFilter, ReviewDraft } from '#lib/homework/review/schema.ts'
import { Annotation } from '#lib/homework/schema.ts'

/** One work as the browser gets it: instants are texts. */
export type ReviewedSubmission = InferClientOutputs<typeof api>['homework']['getReviewPage']
export type Attempt = ReviewedSubmission['attempts'][number]
export type SubmissionFile = Attempt['files'][number]

export interface ReviewProps {
  submission: ReviewedSubmission
  filter: QueueFilter
  /** The query of the queue's address, with which J and K go on. */
  query: string
  /** The reviewer's membership. */
  memberId: string
  /** Whether reviews may be written: the school's plan holds. */
  canWrite: boolean
  locale: Locale
  timeZone: string
  strings: Strings
}

/** What every part of the desk needs to speak. */
export interface ReviewI18n {
  t: Translate
  locale: Locale
  timeZone: string
  strings: Strings
}

/** The marks of an attempt that was judged. */
export const annotationsOf = (attempt: Attempt | undefined): Annotation[] =>
  z
    .array(Annotation)
    .catch([])
    .parse(attempt?.annotations ?? [])

/** The attempt that lies on the desk. */
export const currentAttempt = (submission: ReviewedSubmission): Attempt | undefined =>
  submission.attempts.find(({ id }) => id === submission.id)

export type { ReviewDraft }
