import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type GapContent, gapOptionsOf } from '../../question/rules.ts'
import type { AnswerValue } from '../../question/schema.ts'
import { fieldOf } from '../form-rules.ts'
import type { FrozenQuestion } from '../schema.ts'
import type { ShownIdOf } from './part-ids.ts'

interface FieldContext {
  t: Translate
  /** The fields cannot be changed. */
  disabled: boolean
  /** The answer with the ids that the student sees. */
  value: AnswerValue | null
  shownId: ShownIdOf
}

/** The fields of a gap as HTML, within a paragraph: an input, a list, or checkboxes. Empty for an unknown gap. */
export function gapField(
  { questionId, order }: FrozenQuestion,
  content: GapContent,
  gapId: string,
  { t, disabled, value, shownId }: FieldContext,
): string {
  const index = content.gaps.findIndex(({ id }) => id === gapId)
  const gap = content.gaps[index]
  if (!gap) return ''
  const fieldId = shownId('gap', gapId)
  const label = escapeHtml(t('attempt:gap', { number: index + 1 }))
  const name = `name="${escapeHtml(fieldOf(questionId, fieldId))}"${disabled ? ' disabled' : ''}`
  const typed = typedIn(value, fieldId)
  const options = gapOptionsOf(gap)
  const shown = order.flatMap((key) => {
    const option = options.find(({ id }) => key === `${gapId}/${id}`)
    return option ? [{ id: escapeHtml(shownId('gapOption', option.id, gapId)), text: escapeHtml(option.text) }] : []
  })
  const isChosen = (id: string) => typed.includes(id)
  if ('kind' in gap && gap.kind === 'several') {
    const boxes = shown.map(
      ({ id, text }) =>
        `<label class="attempt-gap-option"><input type="checkbox" class="checkbox" ${name} value="${id}"${isChosen(id) ? ' checked' : ''}><span>${text}</span></label>`,
    )
    return `<span class="attempt-gap-several" role="group" aria-label="${label}">${boxes.join('')}</span>`
  }
  if ('options' in gap) {
    const list = shown.map(({ id, text }) => `<option value="${id}"${isChosen(id) ? ' selected' : ''}>${text}</option>`)
    return `<select class="select select-sm attempt-gap" ${name} aria-label="${label}"><option value="">…</option>${list.join('')}</select>`
  }
  const field = `class="input input-sm attempt-gap" ${name} aria-label="${label}" value="${escapeHtml(typed[0] ?? '')}" autocomplete="off"`
  if (!('kind' in gap) || gap.kind === 'text') return `<input ${field} maxlength="500">`
  const noteId = escapeHtml(`${fieldOf(questionId, fieldId)}.note`)
  return `<input ${field} maxlength="60" inputmode="decimal" aria-describedby="${noteId}"><span id="${noteId}" class="field-hint" role="status" data-number-note></span>`
}

/** The texts of a gap in the answer, or the ids of its options. */
function typedIn(value: AnswerValue | null, fieldId: string): string[] {
  if (value?.type === 'gapMixed') return value.chosen[fieldId] ?? [value.texts[fieldId] ?? '']
  return value && 'gaps' in value ? [value.gaps[fieldId] ?? ''] : []
}
