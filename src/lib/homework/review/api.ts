import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as assign from './assign.ts'
import * as download from './download.ts'
import * as lock from './lock.ts'
import * as queue from './queue.ts'
import * as count from './queue-count.ts'
import * as review from './review.ts'
import * as desk from './review-page.ts'
import * as ask from './schema.ts'
import * as snippet from './snippet.ts'

const reviewers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** The reviewer's side of homework: the queue, the desk, verdicts, snippets. */
export const reviewCalls = {
  listQueue: reviewers.input(ask.ListQueue).handler(({ input, context }) => queue.listQueue(context.actor, input)),
  countQueue: reviewers.handler(({ context }) => count.countQueue(context.actor)),
  listReviewers: reviewers.handler(({ context }) => count.listReviewers(context.actor)),
  getDesk: reviewers.input(ask.GetDesk).handler(({ input, context }) => desk.getDesk(context.actor, input)),
  getFilm: reviewers.input(ask.WorkFile).handler(({ input, context }) => desk.getWorkFilm(context.actor, input)),

  open: reviewers.input(ask.OpenWork).handler(({ input, context }) => lock.openWork(context.actor, input)),
  keep: reviewers.input(ask.SubmissionId).handler(({ input, context }) => lock.keepWork(context.actor, input)),
  release: reviewers
    .input(ask.SubmissionId)
    .output(Done)
    .handler(({ input, context }) => lock.releaseWork(context.actor, input).then(done)),
  saveReview: reviewers.input(ask.SaveReview).handler(({ input, context }) => review.saveReview(context.actor, input)),
  review: reviewers.input(ask.FinishReview).handler(({ input, context }) => review.finishReview(context.actor, input)),
  reopen: reviewers.input(ask.SubmissionId).handler(({ input, context }) => review.reopenWork(context.actor, input)),

  assign: reviewers.input(ask.AssignWorks).handler(({ input, context }) => assign.assignWorks(context.actor, input)),
  previewAccept: reviewers
    .input(ask.SomeWorks)
    .handler(({ input, context }) => assign.previewAccept(context.actor, input)),
  acceptMany: reviewers.input(ask.SomeWorks).handler(({ input, context }) => assign.acceptWorks(context.actor, input)),
  recall: reviewers.input(ask.SomeWorks).handler(({ input, context }) => assign.recallWorks(context.actor, input)),
  offerZip: reviewers.input(ask.SomeWorks).handler(({ input, context }) => download.offerWorks(context.actor, input)),

  listSnippets: reviewers.handler(({ context }) => snippet.listSnippets(context.actor)),
  saveSnippet: reviewers
    .input(ask.SaveSnippet)
    .handler(({ input, context }) => snippet.saveSnippet(context.actor, input)),
  deleteSnippet: reviewers
    .input(ask.SnippetId)
    .output(Done)
    .handler(({ input, context }) => snippet.deleteSnippet(context.actor, input).then(done)),
  restoreSnippet: reviewers
    .input(ask.SnippetId)
    .output(Done)
    .handler(({ input, context }) => snippet.restoreSnippet(context.actor, input).then(done)),
}
