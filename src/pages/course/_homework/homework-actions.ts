import type { Actor } from '#lib/core/shared/actor.ts'
import { sendHomeworkMessage } from '#lib/homework/submission/messages.ts'
import { OwnSubmission, SendSubmissionMessage, SubmitAnswer } from '#lib/homework/submission/schema.ts'
import { submitAnswer, withdrawAnswer } from '#lib/homework/submission/submit.ts'
import { formText } from '../../_request/form-actions.ts'

/** Form actions of the homework on a lesson's page, for use without scripts. */
export function homeworkActions(actor: Actor, lessonId: string): Record<string, (form: FormData) => Promise<string>> {
  const taskOf = (form: FormData) => formText(form, 'taskId')
  const backTo = (form: FormData) => `/course/lesson/${lessonId}#homework-${taskOf(form)}`
  const attemptOf = (form: FormData) => ({ taskId: taskOf(form), attempt: Number(form.get('attempt')) })
  return {
    submitHomework: async (form) => {
      // Forms use CR LF as line separator; equal answers must be equal.
      const text = formText(form, 'text').replaceAll('\r\n', '\n')
      await submitAnswer(actor, SubmitAnswer.parse({ ...attemptOf(form), text }))
      return backTo(form)
    },
    withdrawHomework: async (form) => {
      await withdrawAnswer(actor, OwnSubmission.parse(attemptOf(form)))
      return backTo(form)
    },
    sendHomeworkMessage: async (form) => {
      await sendHomeworkMessage(
        actor,
        SendSubmissionMessage.parse({ taskId: taskOf(form), body: formText(form, 'body') }),
      )
      return `/course/lesson/${lessonId}#conversation-${taskOf(form)}`
    },
  }
}
