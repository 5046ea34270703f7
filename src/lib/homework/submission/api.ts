import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as files from './files.ts'
import * as messages from './messages.ts'
import {
  GetHomeworkOutput,
  ListSubmissionMessagesOutput,
  SaveDraftOutput,
  StartedUpload,
  SubmissionMessageView,
  SubmissionReceipt,
} from './output-schema.ts'
import { extendAnswerUpload } from './recording-upload.ts'
import * as schema from './schema.ts'
import { getHomework } from './submission.ts'
import * as submit from './submit.ts'

const student = procedureForRoles('STUDENT')
const reviewers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const participants = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'STUDENT')

/** Procedures of students: writing and submitting, and the messages with reviewers. */
export const submissionProcedures = {
  get: student
    .route({ summary: "Returns a lesson's homework as its student sees it" })
    .input(schema.LessonHomework)
    .output(GetHomeworkOutput)
    .handler(({ input, context }) => getHomework(context.actor, input, context.locale)),
  saveDraft: student
    .route({ summary: 'Saves the text of an attempt that is not submitted yet' })
    .input(schema.SaveDraft)
    .output(SaveDraftOutput)
    .handler(({ input, context }) => submit.saveAnswerDraft(context.actor, input)),
  submit: student
    .route({ summary: 'Submits an attempt and emails a receipt' })
    .input(schema.SubmitAnswer)
    .output(SubmissionReceipt)
    .handler(({ input, context }) => submit.submitAnswer(context.actor, input)),
  withdraw: student
    .route({ summary: 'Withdraws a submitted attempt for further editing, while no reviewer has opened it' })
    .input(schema.OwnSubmission)
    .output(NoOutput)
    .handler(({ input, context }) => submit.withdrawAnswer(context.actor, input).then(noOutput)),
  readVerdict: student
    .route({ summary: 'Records that the student has seen the verdict of an attempt' })
    .input(schema.OwnSubmission)
    .output(NoOutput)
    .handler(({ input, context }) => submit.markVerdictSeen(context.actor, input).then(noOutput)),
  startUpload: student
    .route({ summary: 'Starts an upload into a draft, or resumes one of the same file' })
    .input(schema.StartAnswerUpload)
    .output(StartedUpload)
    .handler(({ input, context }) => files.startAnswerUpload(context.actor, input)),
  extendUpload: student
    .route({ summary: "Extends the upload of a running recording, up to the task's size limit" })
    .input(schema.ExtendAnswerUpload)
    .output(NoOutput)
    .handler(({ input, context }) => extendAnswerUpload(context.actor, input).then(noOutput)),
  removeFile: student
    .route({ summary: 'Removes a file from a draft, also a running upload' })
    .input(schema.RemoveAnswerFile)
    .output(NoOutput)
    .handler(({ input, context }) => files.removeAnswerFile(context.actor, input).then(noOutput)),
  startVoiceUpload: reviewers
    .route({ summary: 'Starts the upload of a voice comment for a submission that the actor has locked' })
    .input(schema.StartVoice)
    .output(StartedUpload)
    .handler(({ input, context }) => files.startVoiceUpload(context.actor, input)),

  listMessages: participants
    .route({ summary: 'Returns the messages of a student and the reviewers about a task, oldest first' })
    .input(schema.ThreadRef)
    .output(ListSubmissionMessagesOutput)
    .handler(({ input, context }) => messages.listHomeworkMessages(context.actor, input)),
  sendMessage: participants
    .route({ summary: 'Sends a message about a task' })
    .input(schema.SendSubmissionMessage)
    .output(SubmissionMessageView)
    .handler(({ input, context }) => messages.sendHomeworkMessage(context.actor, input)),
  readMessages: participants
    .route({ summary: "Marks the other side's messages as read" })
    .input(schema.ThreadRef)
    .output(NoOutput)
    .handler(({ input, context }) => messages.readHomeworkMessages(context.actor, input).then(noOutput)),
}
