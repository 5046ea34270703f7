import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as assign from './assign.ts'
import * as download from './download.ts'
import * as lock from './lock.ts'
import * as queue from './queue.ts'
import * as count from './queue-count.ts'
import * as review from './review.ts'
import * as page from './review-page.ts'
import * as schema from './schema.ts'
import * as snippet from './snippet.ts'

const reviewers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures of reviewers: the queue, the review page, verdicts, snippets. */
export const reviewProcedures = {
  listQueue: reviewers.input(schema.ListQueue).handler(({ input, context }) => queue.listQueue(context.actor, input)),
  countQueue: reviewers.handler(({ context }) => count.countQueue(context.actor)),
  listReviewers: reviewers.handler(({ context }) => count.listReviewers(context.actor)),
  getReviewPage: reviewers
    .input(schema.GetReviewPage)
    .handler(({ input, context }) => page.getReviewPage(context.actor, input)),
  getPlayback: reviewers
    .input(schema.FileOfSubmission)
    .handler(({ input, context }) => page.getSubmissionPlayback(context.actor, input)),

  open: reviewers
    .input(schema.OpenSubmission)
    .handler(({ input, context }) => lock.openSubmission(context.actor, input)),
  renewLock: reviewers.input(schema.SubmissionId).handler(({ input, context }) => lock.renewLock(context.actor, input)),
  release: reviewers
    .input(schema.SubmissionId)
    .output(Done)
    .handler(({ input, context }) => lock.releaseSubmission(context.actor, input).then(done)),
  saveReview: reviewers
    .input(schema.SaveReview)
    .handler(({ input, context }) => review.saveReview(context.actor, input)),
  review: reviewers
    .input(schema.FinishReview)
    .handler(({ input, context }) => review.finishReview(context.actor, input)),
  reopen: reviewers
    .input(schema.SubmissionId)
    .handler(({ input, context }) => review.reopenSubmission(context.actor, input)),

  assign: reviewers
    .input(schema.AssignSubmissions)
    .handler(({ input, context }) => assign.assignSubmissions(context.actor, input)),
  previewAccept: reviewers
    .input(schema.SubmissionIds)
    .handler(({ input, context }) => assign.previewAccept(context.actor, input)),
  acceptSubmissions: reviewers
    .input(schema.SubmissionIds)
    .handler(({ input, context }) => assign.acceptSubmissions(context.actor, input)),
  recallVerdicts: reviewers
    .input(schema.SubmissionIds)
    .handler(({ input, context }) => assign.recallVerdicts(context.actor, input)),
  offerZip: reviewers
    .input(schema.SubmissionIds)
    .handler(({ input, context }) => download.prepareDownload(context.actor, input)),

  listSnippets: reviewers.handler(({ context }) => snippet.listSnippets(context.actor)),
  saveSnippet: reviewers
    .input(schema.SaveSnippet)
    .handler(({ input, context }) => snippet.saveSnippet(context.actor, input)),
  deleteSnippet: reviewers
    .input(schema.SnippetId)
    .output(Done)
    .handler(({ input, context }) => snippet.deleteSnippet(context.actor, input).then(done)),
  restoreSnippet: reviewers
    .input(schema.SnippetId)
    .output(Done)
    .handler(({ input, context }) => snippet.restoreSnippet(context.actor, input).then(done)),
}
