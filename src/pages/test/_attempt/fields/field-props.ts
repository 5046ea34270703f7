import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AttemptQuestion } from '#lib/quiz/attempt/attempt-page.ts'

/** Props of the fields of a question. */
export interface FieldProps {
  t: Translate
  question: AttemptQuestion
  disabled: boolean
  /** Ids of the elements that label the fields. */
  label: string
}

/** «A», «B», …: the name of a choice in a list without formatting. */
export const letterOf = (index: number): string =>
  index < 26 ? String.fromCodePoint(65 + index) : `${letterOf(Math.floor(index / 26) - 1)}${letterOf(index % 26)}`
