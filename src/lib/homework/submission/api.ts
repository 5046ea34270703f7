import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as files from './files.ts'
import * as messages from './messages.ts'
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
    .input(schema.LessonHomework)
    .handler(({ input, context }) => getHomework(context.actor, input, context.locale)),
  saveDraft: student.input(schema.SaveDraft).handler(({ input, context }) => submit.saveDraft(context.actor, input)),
  submit: student.input(schema.SubmitAnswer).handler(({ input, context }) => submit.submitAnswer(context.actor, input)),
  withdraw: student
    .input(schema.OwnAttempt)
    .output(Done)
    .handler(({ input, context }) => submit.withdrawAnswer(context.actor, input).then(done)),
  readVerdict: student
    .input(schema.OwnAttempt)
    .output(Done)
    .handler(({ input, context }) => submit.markVerdictSeen(context.actor, input).then(done)),
  startUpload: student
    .input(schema.StartAnswerUpload)
    .handler(({ input, context }) => files.startAnswerUpload(context.actor, input)),
  extendUpload: student
    .input(schema.ExtendAnswerUpload)
    .output(Done)
    .handler(({ input, context }) => extendAnswerUpload(context.actor, input).then(done)),
  removeFile: student
    .input(schema.RemoveAnswerFile)
    .output(Done)
    .handler(({ input, context }) => files.removeAnswerFile(context.actor, input).then(done)),
  startVoiceUpload: reviewers
    .input(schema.StartVoice)
    .handler(({ input, context }) => files.startVoiceUpload(context.actor, input)),

  listMessages: participants
    .input(schema.ThreadRef)
    .handler(({ input, context }) => messages.listMessages(context.actor, input)),
  sendMessage: participants
    .input(schema.SendMessage)
    .handler(({ input, context }) => messages.sendMessage(context.actor, input)),
  readMessages: participants
    .input(schema.ThreadRef)
    .output(Done)
    .handler(({ input, context }) => messages.readMessages(context.actor, input).then(done)),
}
