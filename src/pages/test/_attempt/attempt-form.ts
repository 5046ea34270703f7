import { readForm } from '#lib/core/http/form.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import type { AttemptPage, AttemptQuestion } from '#lib/quiz/attempt/attempt-page.ts'
import { checkAnswer } from '#lib/quiz/attempt/check-answer.ts'
import { addFileAnswer, removeFileAnswer } from '#lib/quiz/attempt/files/upload-answer.ts'
import { flagQuestion } from '#lib/quiz/attempt/flag-question.ts'
import { fieldOf, isSameAnswer, readAnswer } from '#lib/quiz/attempt/form-rules.ts'
import { reachPage, saveAnswer } from '#lib/quiz/attempt/save-answer.ts'
import { SaveAnswer } from '#lib/quiz/attempt/schema.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import { formText } from '../../_request/form-actions.ts'
import { type RefusedForm, runForm } from '../../_request/form-outcome.ts'
import { withPostedFile } from '../../_request/posted-file.ts'

/** The result of a posted attempt form. */
export interface PostedAttempt {
  /** The redirect target; null when the page is rendered again after a refusal with the typed values. */
  to: string | null
  status: number
  /** Messages by question; those of the whole form under ''. */
  errors: ReadonlyMap<string, string>
  /** Answers that were not saved. */
  typed: ReadonlyMap<string, AnswerValue | null>
}

type Page = Parameters<typeof runForm>[0]

/**
 * Saves the answers of a posted page, and runs the action of the clicked button: `save`, `next`, `finish`, `submit`,
 * `go:<page>`, `flag:<question>`, `unflag:<question>`, `check:<question>`. Works without a script.
 */
export async function runAttemptForm(
  { request, locals }: Page & { request: Request },
  actor: Actor,
  view: AttemptPage,
): Promise<PostedAttempt> {
  const form = await readForm(request)
  const { attemptId, quizId, page } = view
  if (formText(form, 'attemptId') !== attemptId) return goTo(`/test/${quizId}`)
  const errors = new Map<string, string>()
  const typed = new Map<string, AnswerValue | null>()
  const saved = new Map<string, number>()
  const postedPage = form.get('page')
  const isShown = Number(postedPage) === page + 1
  const refuse = (questionId: string, { status, summary, fields }: RefusedForm) => {
    errors.set(questionId, fields.file?.[0] ?? summary)
    return status
  }
  // With forward navigation another device has left this page.
  if (postedPage !== null && !isShown) errors.set('', locals.t('errors:answer_page'))
  let status = errors.size > 0 ? 422 : 200
  for (const question of isShown && view.isOpen ? view.questions : []) {
    if (question.closed) continue
    const { done, refused } = await runForm({ locals }, form, () => saveQuestion(actor, attemptId, question, form))
    if (done) saved.set(question.questionId, done.revision)
    if (!refused) continue
    status = refuse(question.questionId, refused)
    typed.set(question.questionId, readAnswer(question, form))
  }
  if (errors.size > 0) return { to: null, status, errors, typed }
  const [intent = '', target = ''] = formText(form, 'intent').split(':')
  const { done: to, refused } = await runForm({ locals }, form, () => runIntent(actor, view, { intent, target, saved }))
  if (refused) return { to: null, status: refuse(target, refused), errors, typed }
  return goTo(to)
}

const goTo = (to: string): PostedAttempt => ({ to, status: 200, errors: new Map(), typed: new Map() })

interface Pressed {
  intent: string
  target: string
  /** Revisions of the answers that were saved. */
  saved: ReadonlyMap<string, number>
}

async function runIntent(actor: Actor, view: AttemptPage, { intent, target, saved }: Pressed): Promise<string> {
  const { attemptId, quizId, page, pages, questions, navigation } = view
  const here = `/test/${quizId}/questions`
  const hrefOf = (number: number, questionId?: string) =>
    `${here}?page=${number}${questionId ? `#question-${questionId}` : ''}`
  switch (intent) {
    case 'next':
      if (navigation === 'forward' && page + 1 < pages) await reachPage(actor, { attemptId, page: page + 1 })
      return hrefOf(Math.min(pages, page + 2))
    case 'go':
      return hrefOf(Number(target) || 1)
    case 'flag':
    case 'unflag':
      await flagQuestion(actor, { attemptId, questionId: target, flagged: intent === 'flag' })
      return hrefOf(page + 1, target)
    case 'check': {
      const shown = questions.find(({ questionId }) => questionId === target)
      await checkAnswer(actor, { attemptId, questionId: target, revision: saved.get(target) ?? shown?.revision ?? 0 })
      return hrefOf(page + 1, target)
    }
    case 'finish':
      return `${here}?finish=1`
    case 'submit':
      await submitAttempt(actor, { attemptId })
      return `/test/${quizId}/result?attempt=${attemptId}`
    default:
      return hrefOf(page + 1)
  }
}

/** Saves the answer to a question if the form changes it. Returns its revision. */
async function saveQuestion(
  actor: Actor,
  attemptId: string,
  question: AttemptQuestion,
  form: FormData,
): Promise<{ revision: number }> {
  if (question.type === 'fileUpload') return saveFiles(actor, attemptId, question, form)
  const { questionId } = question
  const value = readAnswer(question, form)
  const shown = Number(form.get(`r.${questionId}`))
  const baseRevision = Number.isSafeInteger(shown) && shown >= 0 ? shown : question.revision
  if (baseRevision === question.revision && isSameAnswer(value, question.value)) return { revision: baseRevision }
  const revision = baseRevision + 1
  await saveAnswer(actor, SaveAnswer.parse({ attemptId, questionId, revision, value }))
  return { revision }
}

/** Removes files whose checkbox is not set, and adds the posted ones. */
async function saveFiles(
  actor: Actor,
  attemptId: string,
  { questionId, files, revision }: AttemptQuestion,
  form: FormData,
): Promise<{ revision: number }> {
  const keptFileIds = form.getAll(fieldOf(questionId))
  const removed = files.filter(({ id }) => !keptFileIds.includes(id))
  for (const { id: fileId } of removed) await removeFileAnswer(actor, { attemptId, questionId, fileId })
  const added = form.getAll(`f.${questionId}`).filter((entry) => entry instanceof File && entry.size > 0)
  for (const file of added) {
    if (!(file instanceof File)) continue
    await withPostedFile(file, (path) => addFileAnswer(actor, { attemptId, questionId, path, name: file.name }))
  }
  return { revision: revision + removed.length + added.length }
}
