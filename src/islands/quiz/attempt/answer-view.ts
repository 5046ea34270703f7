import type { Translate } from '#lib/core/shared/text/strings.ts'
import { readAnswer } from '#lib/quiz/attempt/form-rules.ts'
import type { AnswerSheetView } from './answer-sheet.ts'
import { showConflict } from './conflict-box.ts'
import { showAnswerInFields } from './write-answer.ts'

interface ViewContext {
  root: HTMLElement
  form: HTMLFormElement | null
  t: Translate
  /** The script has filled the fields of a question. */
  onWritten(questionId: string): void
}

/** The fields of the page's form. */
export function createAnswerView({ root, form, t, onWritten }: ViewContext): AnswerSheetView {
  const placeOf = (questionId: string) => root.querySelector<HTMLElement>(`[data-question="${questionId}"]`)
  return {
    hasForm: form !== null,
    has: (questionId) => placeOf(questionId) !== null,
    read: (question) => (form ? readAnswer(question, new FormData(form)) : null),
    write(question, value) {
      const place = placeOf(question.questionId)
      if (place) showAnswerInFields(place, question, value)
      onWritten(question.questionId)
    },
    setRevision(questionId, revision) {
      const field = placeOf(questionId)?.querySelector<HTMLInputElement>('[data-revision]')
      if (field) field.value = String(revision)
    },
    offerChoice(questionId, theirs, onChoose) {
      const place = placeOf(questionId)
      return place ? showConflict(place, theirs, t, onChoose) : () => undefined
    },
  }
}
