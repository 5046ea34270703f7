import { type AnsweredQuestion, fieldTexts } from '#lib/quiz/attempt/form-rules.ts'
import type { AnswerValue } from '#lib/quiz/question/schema.ts'

/** Shows an answer in the fields of its question, in the form that `readAnswer` parses. */
export function showAnswerInFields(
  root: HTMLElement,
  question: Omit<AnsweredQuestion, 'type'>,
  value: AnswerValue | null,
): void {
  for (const [name, texts] of fieldTexts(question, value)) {
    const fields = root.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
      `[name="${CSS.escape(name)}"]`,
    )
    for (const field of fields) {
      if (field instanceof HTMLInputElement && (field.type === 'radio' || field.type === 'checkbox'))
        field.checked = texts.includes(field.value)
      else field.value = texts[0] ?? ''
    }
  }
}
