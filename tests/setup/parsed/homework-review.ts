import { openSubmission as domainOpenSubmission } from '#lib/homework/review/lock.ts'
import { listQueue as domainListQueue } from '#lib/homework/review/queue.ts'
import { getReviewPage as domainGetReviewPage } from '#lib/homework/review/review-page.ts'
import { GetReviewPage, ListQueue, OpenSubmission, SaveSnippet } from '#lib/homework/review/schema.ts'
import { saveSnippet as domainSaveSnippet } from '#lib/homework/review/snippet.ts'
import { parsed } from './parsed.ts'

export const saveSnippet = parsed(SaveSnippet, domainSaveSnippet)
export const listQueue = parsed(ListQueue, domainListQueue)
export const openSubmission = parsed(OpenSubmission, domainOpenSubmission)
export const getReviewPage = parsed(GetReviewPage, domainGetReviewPage)
