import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type GapContent, hasGaps } from '#lib/quiz/question/rules.ts'
import type { QuestionContent } from '#lib/quiz/question/schema.ts'

const GAP = /\[\[([A-Za-z0-9_-]{1,40})\]\]/g

/** The texts of a question as HTML, with a field for each gap, also inside formatted text. */
export function previewHtml(content: QuestionContent, html: readonly string[], t: Translate): string[] {
  const [stem = '', ...parts] = html
  if (!hasGaps(content)) return [stem, ...parts]
  const gaps: readonly GapContent['gaps'][number][] = content.gaps
  const withFields = stem.replace(GAP, (_, id: string) => {
    const label = escapeHtml(t('quizeditor:gap.name', { id }))
    const gap = gaps.find((known) => known.id === id)
    if (gap && 'kind' in gap && gap.kind === 'several') {
      const boxes = gap.options.map(
        ({ text }) => `<label><input type="checkbox" class="checkbox">${escapeHtml(text)}</label>`,
      )
      return `<span class="question-gap-several" role="group" aria-label="${label}">${boxes.join('')}</span>`
    }
    if (!gap || !('options' in gap))
      return `<input class="input input-sm question-gap" aria-label="${label}" autocomplete="off">`
    const options = gap.options.map(({ text }) => `<option>${escapeHtml(text)}</option>`).join('')
    return `<select class="select select-sm question-gap" aria-label="${label}"><option>—</option>${options}</select>`
  })
  return [withFields, ...parts]
}
