import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import * as files from './files.ts'
import * as dialogue from './messages.ts'
import { growWorkUpload } from './recording-upload.ts'
import * as ask from './schema.ts'
import { getHomework } from './submission.ts'
import * as submit from './submit.ts'

const student = procedureForRoles('STUDENT')
const reviewers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const talkers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'STUDENT')

/** The student's side of homework: writing, handing in, and the talk with whoever judges it. */
export const submitCalls = {
  get: student
    .input(ask.LessonHomework)
    .handler(({ input, context }) => getHomework(context.actor, input, context.locale)),
  saveDraft: student.input(ask.SaveDraft).handler(({ input, context }) => submit.saveDraft(context.actor, input)),
  submit: student.input(ask.SubmitWork).handler(({ input, context }) => submit.submitWork(context.actor, input)),
  withdraw: student
    .input(ask.OwnAttempt)
    .output(Done)
    .handler(({ input, context }) => submit.withdrawWork(context.actor, input).then(done)),
  readVerdict: student
    .input(ask.OwnAttempt)
    .output(Done)
    .handler(({ input, context }) => submit.readVerdict(context.actor, input).then(done)),
  startUpload: student
    .input(ask.StartWorkUpload)
    .handler(({ input, context }) => files.startWorkUpload(context.actor, input)),
  growUpload: student
    .input(ask.GrowWorkUpload)
    .output(Done)
    .handler(({ input, context }) => growWorkUpload(context.actor, input).then(done)),
  removeFile: student
    .input(ask.RemoveWorkFile)
    .output(Done)
    .handler(({ input, context }) => files.removeWorkFile(context.actor, input).then(done)),
  startVoice: reviewers.input(ask.StartVoice).handler(({ input, context }) => files.startVoice(context.actor, input)),

  listMessages: talkers.input(ask.Talk).handler(({ input, context }) => dialogue.listMessages(context.actor, input)),
  sendMessage: talkers
    .input(ask.SendMessage)
    .handler(({ input, context }) => dialogue.sendMessage(context.actor, input)),
  readMessages: talkers
    .input(ask.Talk)
    .output(Done)
    .handler(({ input, context }) => dialogue.readMessages(context.actor, input).then(done)),
}
