import type { InferClientOutputs } from '@orpc/client'
import { z } from 'zod'
import type { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { QueueFilter } from '#lib/homework/review/schema.ts'
import { Annotation } from '#lib/homework/schema.ts'

/** A submission as JSON: instants are strings. */
export type ReviewedSubmission = InferClientOutputs<typeof api>['homework']['getReviewPage']
export type QueueStep = NonNullable<ReviewedSubmission['next']>
export type SubmissionAttempt = ReviewedSubmission['attempts'][number]
export type SubmissionFile = SubmissionAttempt['files'][number]

export interface ReviewProps {
  submission: ReviewedSubmission
  filter: QueueFilter
  /** The query of the queue, kept by J and K. */
  query: string
  /** The reviewer's membership. */
  memberId: string
  /** The tenant's plan is active. */
  canWrite: boolean
  locale: Locale
  timeZone: string
  strings: Strings
}

/** Translation, locale and time zone for the parts of the page. */
export interface ReviewI18n {
  t: Translate
  locale: Locale
  timeZone: string
  strings: Strings
}

/** The annotations of a reviewed attempt. */
export const annotationsOf = (attempt: SubmissionAttempt | undefined): Annotation[] =>
  z
    .array(Annotation)
    .catch([])
    .parse(attempt?.annotations ?? [])

/** The attempt under review. */
export const currentAttempt = (submission: ReviewedSubmission): SubmissionAttempt | undefined =>
  submission.attempts.find(({ id }) => id === submission.id)
