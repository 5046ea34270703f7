import type { InferClientOutputs } from '@orpc/client'
import { z } from 'zod'
import type { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import type { QueueFilter, ReviewDraft } from '#lib/homework/review/schema.ts'
import { Annotation } from '#lib/homework/schema.ts'

/** One work as the browser gets it: instants are texts. */
export type Work = InferClientOutputs<typeof api>['homework']['getReviewPage']
export type Attempt = Work['attempts'][number]
export type DeskFile = Attempt['files'][number]

export interface DeskProps {
  work: Work
  filter: QueueFilter
  /** The query of the queue's address, with which J and K go on. */
  query: string
  /** The reviewer's membership. */
  me: string
  /** Whether reviews may be written: the school's plan holds. */
  writes: boolean
  locale: Locale
  zone: string
  strings: Strings
}

/** What every part of the desk needs to speak. */
export interface DeskWords {
  t: Translate
  locale: Locale
  zone: string
  strings: Strings
}

/** The marks of an attempt that was judged. */
export const marksOf = (attempt: Attempt | undefined): Annotation[] =>
  z
    .array(Annotation)
    .catch([])
    .parse(attempt?.annotations ?? [])

/** The attempt that lies on the desk. */
export const onDesk = (work: Work): Attempt | undefined => work.attempts.find(({ id }) => id === work.id)

export type { ReviewDraft }
