import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { startAttempt, submitAttempt } from './attempt.ts'
import { grantTime } from './grant-time.ts'
import { DeadlineOutput, PageOutput, ReceiptOutput, RunningAttemptOutput, SavedAnswerOutput } from './output-schema.ts'
import { reachPage, saveAnswer } from './save-answer.ts'
import { GrantTime, ReachPage, SaveAnswer, StartAttempt, SubmitAttempt } from './schema.ts'

const students = procedureForRoles('STUDENT')
const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures of attempts. */
export const attemptCalls = {
  startAttempt: students
    .route({ summary: 'Starts an attempt, or returns the one that runs' })
    .input(StartAttempt)
    .output(RunningAttemptOutput)
    .handler(({ input, context }) => startAttempt(context.actor, input)),
  saveAnswer: students
    .route({ summary: 'Saves one answer of a running attempt' })
    .input(SaveAnswer)
    .output(SavedAnswerOutput)
    .handler(({ input, context }) => saveAnswer(context.actor, input)),
  reachPage: students
    .route({ summary: 'Closes the earlier pages of an attempt with forward navigation' })
    .input(ReachPage)
    .output(PageOutput)
    .handler(({ input, context }) => reachPage(context.actor, input)),
  submitAttempt: students
    .route({ summary: 'Submits an attempt with its saved answers' })
    .input(SubmitAttempt)
    .output(ReceiptOutput)
    .handler(({ input, context }) => submitAttempt(context.actor, input)),
  grantTime: staff
    .route({ summary: 'Gives time back to a running attempt for an outage' })
    .input(GrantTime)
    .output(DeadlineOutput)
    .handler(({ input, context }) => grantTime(context.actor, input)),
}
