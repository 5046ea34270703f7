import { type ReactNode, useCallback } from 'react'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { hasGaps } from '#lib/quiz/question/rules.ts'
import type { QuestionContent, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { previewHtml } from './preview-html.ts'

interface Props {
  content: QuestionContent
  /** Texts as HTML, in the order of `previewTextsOf`. */
  html: readonly string[]
  /** Makes ids and names of the page unique. */
  idPrefix: string
  t: Translate
}

/** A question as students see it. Input is not stored. */
export function QuestionPreview({ content, html, idPrefix, t }: Props) {
  const texts = previewHtml(content, html, t)
  return (
    <div className="question-preview">
      <Html html={texts} index={0} />
      <Answer content={content} html={texts} idPrefix={idPrefix} t={t} />
      {!hasGaps(content) && <p className="text-muted text-sm">{t('quizeditor:pointsOf', { count: content.points })}</p>}
    </div>
  )
}

/** A text by its index in `previewHtml`. Pages without hydration insert the HTML. */
function Html({ html, index }: { html: readonly string[]; index: number }) {
  const text = html[index] ?? ''
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      if (element) element.innerHTML = text
    },
    [text],
  )
  return <div ref={place} className="prose-lesson min-w-0" data-question-text={index} />
}

function Answer({ content, html, idPrefix, t }: Props): ReactNode {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return content.options.map(({ id }, index) => (
        <label key={id} className="question-preview-option">
          <input
            type={content.type === 'single' ? 'radio' : 'checkbox'}
            className={content.type === 'single' ? 'radio' : 'checkbox'}
            name={`${idPrefix}-choice`}
          />
          <Html html={html} index={index + 1} />
        </label>
      ))
    case 'trueFalse':
      return [true, false].map((value) => (
        <label key={String(value)} className="question-preview-option">
          <input type="radio" className="radio" name={`${idPrefix}-choice`} />
          {t(`quizeditor:trueFalse.${value}`)}
        </label>
      ))
    case 'shortText':
      return <input className="input w-full" aria-label={t('quizeditor:answer')} autoComplete="off" />
    case 'number':
      return (
        <span className="flex items-center gap-2">
          <input
            className="input max-w-48"
            inputMode="decimal"
            aria-label={t('quizeditor:answer')}
            autoComplete="off"
          />
          {content.unit}
        </span>
      )
    case 'essay':
      return <textarea className="textarea w-full" rows={6} aria-label={t('quizeditor:answer')} />
    case 'fileUpload':
      return <p className="text-muted">{t('quizeditor:upload.limits', { count: content.maxFiles })}</p>
    case 'matching':
      return <MatchingPreview content={content} html={html} t={t} />
    case 'ordering':
      return (
        <ol className="grid gap-2">
          {content.items.map(({ id }, index) => (
            <li key={id} className="card-line p-2">
              <Html html={html} index={index + 1} />
            </li>
          ))}
        </ol>
      )
    case 'hotspot':
      return content.imageFileId ? (
        <img src={srcOf(content.imageFileId)} alt={content.imageAlt} className="h-auto w-full rounded-field" />
      ) : null
    case 'scale':
      return <ScalePreview content={content} idPrefix={idPrefix} />
    case 'gapText':
    case 'gapSelect':
    case 'gapMixed':
      return null
  }
}

function MatchingPreview({
  content,
  html,
  t,
}: {
  content: QuestionContentOfType<'matching'>
  html: readonly string[]
  t: Translate
}) {
  const { prompts, choices } = content
  return (
    <>
      <ol className="grid gap-1" aria-label={t('quizeditor:matching.choices')} type="A">
        {choices.map(({ id }, index) => (
          <li key={id} className="flex gap-2">
            <b>{letterOf(index)}</b>
            <Html html={html} index={prompts.length + index + 1} />
          </li>
        ))}
      </ol>
      {prompts.map(({ id }, index) => (
        <div key={id} className="grid grid-cols-[minmax(0,1fr)_6rem] items-center gap-3">
          <Html html={html} index={index + 1} />
          <select className="select select-sm" aria-label={t('quizeditor:matching.answer', { number: index + 1 })}>
            <option value="">—</option>
            {choices.map((choice, place) => (
              <option key={choice.id} value={choice.id}>
                {letterOf(place)}
              </option>
            ))}
          </select>
        </div>
      ))}
    </>
  )
}

function ScalePreview({ content, idPrefix }: { content: QuestionContentOfType<'scale'>; idPrefix: string }) {
  const { min, max, step, minLabel, maxLabel } = content
  const count = Math.min(21, Math.max(0, Math.floor((max - min) / step) + 1))
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span>{minLabel}</span>
      {Array.from({ length: count }, (_, index) => min + index * step).map((value) => (
        <label key={value} className="grid justify-items-center gap-1 text-sm">
          <input type="radio" className="radio" name={`${idPrefix}-scale`} />
          {value}
        </label>
      ))}
      <span>{maxLabel}</span>
    </div>
  )
}

const letterOf = (index: number): string => String.fromCodePoint(65 + (index % 26))
