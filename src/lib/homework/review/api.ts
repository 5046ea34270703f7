import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { PlaybackView } from '#lib/storage/output-schema.ts'
import * as assign from './assign.ts'
import * as download from './download.ts'
import * as lock from './lock.ts'
import {
  AcceptSubmissionsOutput,
  AssignHomeworkOutput,
  GetReviewPageOutput,
  ListReviewersOutput,
  ListSnippetsOutput,
  LockView,
  PreviewAcceptOutput,
  QueueCounts,
  QueuePage,
  RecallVerdictsOutput,
  ReopenHomeworkOutput,
  ReviewHomeworkOutput,
  SaveReviewOutput,
  SaveSnippetOutput,
  SubmissionsZipLink,
} from './output-schema.ts'
import * as queue from './queue.ts'
import * as count from './queue-count.ts'
import * as review from './review.ts'
import * as page from './review-page.ts'
import * as schema from './schema.ts'
import * as snippet from './snippet.ts'

const reviewers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures of reviewers: the queue, the review page, verdicts, snippets. */
export const reviewProcedures = {
  listQueue: reviewers
    .route({
      summary: 'Returns a page of the submissions that the actor is responsible for, the longest waiting first',
    })
    .input(schema.ListQueue)
    .output(QueuePage)
    .handler(({ input, context }) => queue.listQueue(context.actor, input)),
  countQueue: reviewers
    .route({
      summary:
        'Counts the submissions that wait for the actor, in one statement whose cost does not grow with the queue',
    })
    .input(NoInput)
    .output(QueueCounts)
    .handler(({ context }) => count.countReviewQueue(context.actor)),
  listReviewers: reviewers
    .route({
      summary:
        "Returns all reviewers of the tenant, with the number of submissions that wait for each within the actor's courses",
    })
    .input(NoInput)
    .output(ListReviewersOutput)
    .handler(({ context }) => count.listReviewers(context.actor)),
  getReviewPage: reviewers
    .route({ summary: 'Returns everything the review page shows' })
    .input(schema.GetReviewPage)
    .output(GetReviewPageOutput)
    .handler(({ input, context }) => page.getReviewPage(context.actor, input)),
  getPlayback: reviewers
    .route({ summary: 'Returns what the player needs for a video or a voice comment of a submission' })
    .input(schema.FileOfSubmission)
    .output(PlaybackView)
    .handler(({ input, context }) => page.getSubmissionPlayback(context.actor, input)),

  open: reviewers
    .route({ summary: 'Locks a waiting submission for the actor, so that nobody else can review it meanwhile' })
    .input(schema.OpenSubmission)
    .output(LockView)
    .handler(({ input, context }) => lock.openSubmission(context.actor, input)),
  renewLock: reviewers
    .route({ summary: "Extends the actor's lock" })
    .input(schema.SubmissionId)
    .output(LockView)
    .handler(({ input, context }) => lock.renewLock(context.actor, input)),
  release: reviewers
    .route({ summary: "Releases the actor's lock" })
    .input(schema.SubmissionId)
    .output(NoOutput)
    .handler(({ input, context }) => lock.releaseSubmission(context.actor, input).then(noOutput)),
  saveReview: reviewers
    .route({ summary: 'Saves the draft of a review' })
    .input(schema.SaveReview)
    .output(SaveReviewOutput)
    .handler(({ input, context }) => review.saveReview(context.actor, input)),
  review: reviewers
    .route({ summary: 'Finishes a review' })
    .input(schema.FinishReview)
    .output(ReviewHomeworkOutput)
    .handler(({ input, context }) => review.finishReview(context.actor, input)),
  reopen: reviewers
    .route({ summary: 'Reopens a reviewed submission and locks it' })
    .input(schema.SubmissionId)
    .output(ReopenHomeworkOutput)
    .handler(({ input, context }) => review.reopenSubmission(context.actor, input)),

  assign: reviewers
    .route({ summary: 'Assigns waiting submissions to a reviewer, or to nobody with null, in one statement' })
    .input(schema.AssignSubmissions)
    .output(AssignHomeworkOutput)
    .handler(({ input, context }) => assign.assignSubmissions(context.actor, input)),
  previewAccept: reviewers
    .route({ summary: 'Previews the acceptance of several submissions' })
    .input(schema.SubmissionIds)
    .output(PreviewAcceptOutput)
    .handler(({ input, context }) => assign.previewAccept(context.actor, input)),
  acceptSubmissions: reviewers
    .route({ summary: 'Accepts several waiting submissions that need no points, in one transaction' })
    .input(schema.SubmissionIds)
    .output(AcceptSubmissionsOutput)
    .handler(({ input, context }) => assign.acceptSubmissions(context.actor, input)),
  recallVerdicts: reviewers
    .route({
      summary: 'Takes back verdicts that the actor gave within a minute, before the students were notified',
    })
    .input(schema.SubmissionIds)
    .output(RecallVerdictsOutput)
    .handler(({ input, context }) => assign.recallVerdicts(context.actor, input)),
  offerZip: reviewers
    .route({ summary: 'Signs the URL of a ZIP with several submissions' })
    .input(schema.SubmissionIds)
    .output(SubmissionsZipLink)
    .handler(({ input, context }) => download.prepareDownload(context.actor, input)),

  listSnippets: reviewers
    .route({ summary: "Returns the actor's own snippets and the shared ones of the tenant, by title" })
    .input(NoInput)
    .output(ListSnippetsOutput)
    .handler(({ context }) => snippet.listSnippets(context.actor)),
  saveSnippet: reviewers
    .route({ summary: 'Creates or changes a snippet' })
    .input(schema.SaveSnippet)
    .output(SaveSnippetOutput)
    .handler(({ input, context }) => snippet.saveSnippet(context.actor, input)),
  deleteSnippet: reviewers
    .route({ summary: 'Deletes a snippet' })
    .input(schema.SnippetId)
    .output(NoOutput)
    .handler(({ input, context }) => snippet.deleteSnippet(context.actor, input).then(noOutput)),
  restoreSnippet: reviewers
    .route({ summary: 'Restores a deleted snippet' })
    .input(schema.SnippetId)
    .output(NoOutput)
    .handler(({ input, context }) => snippet.restoreSnippet(context.actor, input).then(noOutput)),
}
