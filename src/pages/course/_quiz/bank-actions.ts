import { blankContent } from '#islands/quiz/editor/blank-question.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { changeQuestions, createQuestion, duplicateQuestion } from '#lib/quiz/bank/bank.ts'
import { createBank, deleteBank, renameBank } from '#lib/quiz/bank/banks.ts'
import { ChangeQuestions, CreateQuestion, SaveBank } from '#lib/quiz/bank/schema.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { splitTags } from './quiz-fields.ts'

/** Form actions of the question bank; each returns the path to redirect to. */
export function bankActions(actor: Actor, courseId: string, here: URL) {
  const tests = `/course/edit/${courseId}?tab=tests`
  const selected = (form: FormData) => form.getAll('questionId').map((id) => parseId(String(id)))
  const questionHref = (questionId: string) => `${tests}&question=${questionId}`
  const backWith = (notice: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams(here.search)
    for (const name of ['notice', 'cursor', 'ids']) query.delete(name)
    for (const [name, value] of Object.entries({ notice, ...more })) query.set(name, value)
    return `${here.pathname}?${query}`
  }
  const changeTags = (action: 'tag' | 'untag') => async (form: FormData) => {
    await changeQuestions(
      actor,
      ChangeQuestions.parse({ action, questionIds: selected(form), tags: splitTags(formText(form, 'tags')) }),
    )
    return backWith('questionsTagged')
  }
  return {
    addQuestion: async (form: FormData) => {
      const questionId = parseId(formText(form, 'questionId'))
      const type = QUESTION_TYPES.find((known) => known === formText(form, 'type')) ?? 'single'
      const bankId = formText(form, 'bankId')
      await createQuestion(
        actor,
        CreateQuestion.parse({
          questionId,
          bankId: bankId ? parseId(bankId) : null,
          draft: { content: blankContent(type), locale: actor.locale },
        }),
      )
      return questionHref(questionId)
    },
    duplicateQuestion: async (form: FormData) => {
      const newQuestionId = parseId(formText(form, 'newQuestionId'))
      await duplicateQuestion(actor, { questionId: parseId(formText(form, 'questionId')), newQuestionId })
      return questionHref(newQuestionId)
    },
    tagQuestions: changeTags('tag'),
    untagQuestions: changeTags('untag'),
    moveQuestions: async (form: FormData) => {
      const bankId = formText(form, 'toBank')
      await changeQuestions(
        actor,
        ChangeQuestions.parse({
          action: 'move',
          questionIds: selected(form),
          bankId: bankId ? parseId(bankId) : null,
        }),
      )
      return backWith('questionsMoved')
    },
    deleteQuestions: async (form: FormData) => {
      const questionIds = selected(form)
      await changeQuestions(actor, ChangeQuestions.parse({ action: 'delete', questionIds }))
      const ids = questionIds.join('.')
      return here.searchParams.has('question')
        ? `${tests}&view=bank&notice=questionsDeleted&ids=${ids}`
        : backWith('questionsDeleted', { ids })
    },
    restoreQuestions: async (form: FormData) => {
      await changeQuestions(
        actor,
        ChangeQuestions.parse({ action: 'restore', questionIds: formText(form, 'ids').split('.').map(parseId) }),
      )
      return backWith('questionsRestored')
    },
    createQuestionBank: async (form: FormData) => {
      await createBank(
        actor,
        SaveBank.parse({ bankId: parseId(formText(form, 'bankId')), title: formText(form, 'title') }),
      )
      return backWith('bank')
    },
    renameQuestionBank: async (form: FormData) => {
      await renameBank(
        actor,
        SaveBank.parse({ bankId: parseId(formText(form, 'bankId')), title: formText(form, 'title') }),
      )
      return backWith('bank')
    },
    deleteQuestionBank: async (form: FormData) => {
      await deleteBank(actor, { bankId: parseId(formText(form, 'bankId')) })
      return `${tests}&view=bank&notice=bankDeleted`
    },
  }
}
