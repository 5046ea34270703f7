import type { Translate } from '#lib/core/shared/text/strings.ts'
import { parseDecimal } from '#lib/quiz/question/decimal-rules.ts'

/** A point or comma before three digits, which could be meant as a separator of thousands. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** Whether a typed text is no number, and the value of a number whose separator is unclear. */
export function checkNumber(typed: string): { isUnreadable: boolean; value: string | null } {
  const text = typed.trim()
  return {
    isUnreadable: text !== '' && parseDecimal(text) === null,
    value: UNCLEAR.test(text) ? String(Number(text.replace(',', '.'))) : null,
  }
}

/** Tells next to each field of a number when it is not readable, and how a number with an unclear separator is read. */
export function showNumberNotes(place: HTMLElement, t: Translate): void {
  const notes = [...place.querySelectorAll<HTMLElement>('[data-number-note]')]
  for (const [index, input] of place.querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]').entries()) {
    const note = notes[index]
    if (note) showNumberNote(input, note, t)
  }
}

function showNumberNote(input: HTMLInputElement, note: HTMLElement, t: Translate): void {
  const { isUnreadable, value } = checkNumber(input.value)
  const readAs = value === null ? '' : t('attempt:page.numberReadAs', { typed: input.value.trim(), value })
  const message = isUnreadable ? t('attempt:page.numberUnreadable') : readAs
  if (note.textContent !== message) note.textContent = message
  input.setAttribute('aria-invalid', String(isUnreadable))
}
