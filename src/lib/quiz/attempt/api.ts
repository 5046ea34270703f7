import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { saveLateAnswer } from '../late/late-answer.ts'
import { startAttempt, submitAttempt } from './attempt.ts'
import { getAttempt } from './attempt-state.ts'
import { checkAnswer } from './check-answer.ts'
import { removeFileAnswer, startFileAnswer } from './files/upload-answer.ts'
import { flagQuestion } from './flag-question.ts'
import { grantTime } from './grant-time.ts'
import {
  AttemptOutput,
  CheckedOutput,
  DeadlineOutput,
  FlaggedOutput,
  LateAnswerOutput,
  PageOutput,
  ReceiptOutput,
  RunningAttemptOutput,
  SavedAnswerOutput,
  StartedUploadOutput,
} from './output-schema.ts'
import { reachPage, saveAnswer } from './save-answer.ts'
import {
  AttemptId,
  CheckAnswer,
  FlagQuestion,
  GrantTime,
  ReachPage,
  RemoveFileAnswer,
  SaveAnswer,
  StartAttempt,
  StartFileAnswer,
  SubmitAttempt,
} from './schema.ts'

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
  saveLateAnswer: students
    .route({ summary: 'Keeps an answer that can no longer be saved, without scoring it' })
    .input(SaveAnswer)
    .output(LateAnswerOutput)
    .handler(({ input, context }) => saveLateAnswer(context.actor, input)),
  reachPage: students
    .route({ summary: 'Closes the earlier pages of an attempt with forward navigation' })
    .input(ReachPage)
    .output(PageOutput)
    .handler(({ input, context }) => reachPage(context.actor, input)),
  getAttempt: students
    .route({ summary: 'Returns an attempt of the student with its saved answers and the time of the server' })
    .input(AttemptId)
    .output(AttemptOutput)
    .handler(({ input, context }) => getAttempt(context.actor, input)),
  checkAnswer: students
    .route({ summary: 'Makes an answer final, so that its feedback is shown' })
    .input(CheckAnswer)
    .output(CheckedOutput)
    .handler(({ input, context }) => checkAnswer(context.actor, input)),
  flagQuestion: students
    .route({ summary: 'Marks a question of an attempt to look at it again, or removes the mark' })
    .input(FlagQuestion)
    .output(FlaggedOutput)
    .handler(({ input, context }) => flagQuestion(context.actor, input)),
  startFileAnswer: students
    .route({ summary: 'Starts an upload into an answer, or resumes one of the same file' })
    .input(StartFileAnswer)
    .output(StartedUploadOutput)
    .handler(({ input, context }) => startFileAnswer(context.actor, input)),
  removeFileAnswer: students
    .route({ summary: 'Removes a file from an answer, also a running upload' })
    .input(RemoveFileAnswer)
    .output(NoOutput)
    .handler(({ input, context }) => removeFileAnswer(context.actor, input).then(noOutput)),
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
