import { commentField, OVERALL_FIELD, parseScore, readReviewForm, scoreField } from '#lib/quiz/review/form-rules.ts'
import type { AttemptReviewDraft } from '#lib/quiz/review/schema.ts'

/** The values of the form's fields as a draft. */
export const readFields = (form: HTMLFormElement, questionIds: readonly string[]) =>
  readReviewForm(new FormData(form), questionIds)

/** Writes a draft into the fields; a field with an equal value keeps its notation and the cursor. */
export function writeFields(form: HTMLFormElement, draft: AttemptReviewDraft, locale: string): void {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false })
  for (const [questionId, { score, comment }] of Object.entries(draft.marks)) {
    const field = fieldOf(form, scoreField(questionId))
    if (field && parseScore(field.value) !== score) field.value = score === null ? '' : format.format(score)
    writeText(fieldOf(form, commentField(questionId)), comment)
  }
  writeText(fieldOf(form, OVERALL_FIELD), draft.comment)
}

/** Marks the fields of scores that are not numbers or exceed the points; returns false if there are any. */
export function validateScores(
  form: HTMLFormElement,
  questionIds: readonly string[],
  invalid: readonly string[],
): boolean {
  let isValid = true
  for (const questionId of questionIds) {
    const field = fieldOf(form, scoreField(questionId))
    if (!field) continue
    const score = parseScore(field.value)
    const isWrong = invalid.includes(questionId) || (score !== null && score > Number(field.dataset.max))
    if (isWrong) field.setAttribute('aria-invalid', 'true')
    else field.removeAttribute('aria-invalid')
    isValid = isValid && !isWrong
  }
  return isValid
}

/** The field of the first answer after the focused one that waits for a score; the first of all after the last one. */
export function findUnmarkedField(form: HTMLFormElement): HTMLElement | null {
  const fields = [...form.querySelectorAll<HTMLInputElement>('[data-needs-mark]')]
  const waiting = fields.filter(({ value }) => parseScore(value) === null)
  const current = document.activeElement
  return (
    waiting.find((field) => current && field.compareDocumentPosition(current) & Node.DOCUMENT_POSITION_PRECEDING) ??
    waiting[0] ??
    null
  )
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLTextAreaElement | null {
  const field = form.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : null
}

function writeText(field: HTMLInputElement | HTMLTextAreaElement | null, text: string): void {
  if (field && field.value !== text) field.value = text
}
