import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import { isCorrectOption } from '../../question/rules.ts'
import type { AcceptedNumber, AnswerValue, MixedGap, QuestionContent } from '../../question/schema.ts'
import { renderText } from '../show-question.ts'
import { describePoints, describeRegions } from './describe-hotspot.ts'

interface DescribeContext {
  render: RenderContext
  t: Translate
}

/** An answer as HTML for display; empty without an answer. */
export function describeAnswer(content: QuestionContent, answer: AnswerValue | null, context: DescribeContext): string {
  if (answer === null) return ''
  const part = (list: readonly { id: string; content: LessonDoc }[], partId: string) => {
    const found = list.find(({ id }) => id === partId)
    return found ? renderText(found.content, context.render) : ''
  }
  if (content.type === 'single' && answer.type === 'single') return part(content.options, answer.optionId)
  if (content.type === 'multiple' && answer.type === 'multiple')
    return listOf(
      'ul',
      answer.optionIds.map((id) => part(content.options, id)),
    )
  if (content.type === 'ordering' && answer.type === 'ordering')
    return listOf(
      'ol',
      answer.itemIds.map((id) => part(content.items, id)),
    )
  if (content.type === 'matching' && answer.type === 'matching')
    return pairs(
      content.prompts.map(({ id }) => [part(content.prompts, id), part(content.choices, answer.choices[id] ?? '')]),
    )
  if (content.type === 'gapText' && answer.type === 'gapText')
    return listOf(
      'ol',
      content.gaps.map(({ id }) => escapeHtml(answer.gaps[id] ?? '')),
    )
  if (content.type === 'gapSelect' && answer.type === 'gapSelect')
    return listOf(
      'ol',
      content.gaps.map(({ id, options }) => optionText(options, answer.gaps[id])),
    )
  if (content.type === 'gapMixed' && answer.type === 'gapMixed')
    return listOf(
      'ol',
      content.gaps.map((gap) => {
        const chosen = answer.chosen[gap.id] ?? []
        if (!('options' in gap)) return escapeHtml(answer.texts[gap.id] ?? '')
        return gap.options.flatMap(({ id, text }) => (chosen.includes(id) ? [escapeHtml(text)] : [])).join('; ')
      }),
    )
  if (answer.type === 'trueFalse') return htmlParagraph(context.t(answer.value ? 'attempt:true' : 'attempt:false'))
  if (answer.type === 'scale') return htmlParagraph(String(answer.value))
  if (content.type === 'hotspot' && answer.type === 'hotspot') return describePoints(content, answer, context.render)
  if (answer.type === 'fileUpload') return htmlParagraph(context.t('attempt:files', { count: answer.fileIds.length }))
  return 'text' in answer ? answer.text.split('\n').map(htmlParagraph).join('') : ''
}

/** The right answer as HTML; null for types that are marked by a reviewer. */
export function describeKey(content: QuestionContent, context: DescribeContext): string | null {
  const { render, t } = context
  switch (content.type) {
    case 'single':
    case 'multiple':
      return listOf(
        'ul',
        content.options.filter(isCorrectOption).map((option) => renderText(option.content, render)),
      )
    case 'trueFalse':
      return htmlParagraph(t(content.correct ? 'attempt:true' : 'attempt:false'))
    case 'shortText':
      return listOf(
        'ul',
        content.accepted.filter(({ fraction }) => fraction === 1).map(({ text }) => escapeHtml(text)),
      )
    case 'number':
      return listOf(
        'ul',
        content.accepted
          .filter(({ fraction }) => fraction === 1)
          .map((entry) => acceptedNumberText(entry, render.locale)),
      )
    case 'matching':
      return pairs(
        content.prompts.map((prompt) => {
          const choice = content.choices.find(({ id }) => id === prompt.choiceId)
          return [renderText(prompt.content, render), choice ? renderText(choice.content, render) : '']
        }),
      )
    case 'ordering':
      return listOf(
        'ol',
        content.items.map((item) => renderText(item.content, render)),
      )
    case 'gapText':
      return listOf(
        'ol',
        content.gaps.map(({ accepted }) => escapeHtml(accepted.find(({ fraction }) => fraction === 1)?.text)),
      )
    case 'gapSelect':
      return listOf(
        'ol',
        content.gaps.map(({ options }) => escapeHtml(options.find(({ fraction }) => fraction === 1)?.text)),
      )
    case 'gapMixed':
      return listOf(
        'ol',
        content.gaps.map((gap) => escapeHtml(gapKeyOf(gap, render.locale))),
      )
    case 'hotspot':
      return describeRegions(content, render)
    case 'scale':
      return content.correct ? htmlParagraph(`${content.correct.min} … ${content.correct.max}`) : null
    case 'essay':
      return content.sampleAnswer ? renderText(content.sampleAnswer, render) : null
    case 'fileUpload':
      return null
  }
}

/** The explanations of the chosen options and of the question, as HTML. */
export function explanationsFor(content: QuestionContent, answer: AnswerValue | null, render: RenderContext): string[] {
  const chosen: (LessonDoc | null)[] = []
  if ((content.type === 'single' || content.type === 'multiple') && answer) {
    const ids = answer.type === 'single' ? [answer.optionId] : answer.type === 'multiple' ? answer.optionIds : []
    chosen.push(...content.options.filter(({ id }) => ids.includes(id)).map(({ explanation }) => explanation))
  }
  if (content.type === 'trueFalse' && answer?.type === 'trueFalse')
    chosen.push(answer.value ? content.trueExplanation : content.falseExplanation)
  if (content.type === 'gapMixed' && answer?.type === 'gapMixed')
    chosen.push(
      ...content.gaps.flatMap((gap) => {
        const ids = answer.chosen[gap.id] ?? []
        return 'options' in gap
          ? gap.options.flatMap(({ id, explanation }) => (ids.includes(id) ? explanation : []))
          : []
      }),
    )
  return [...chosen, content.explanation].flatMap((doc) => (doc ? renderText(doc, render) : []))
}

/** The right answer of a gap as text. */
export function gapKeyOf(gap: MixedGap, locale: Locale): string {
  switch (gap.kind) {
    case 'text':
      return gap.accepted.find(({ fraction }) => fraction === 1)?.text ?? ''
    case 'number': {
      const entry = gap.accepted.find(({ fraction }) => fraction === 1)
      return entry ? acceptedNumberText(entry, locale) : ''
    }
    case 'menu':
      return gap.options.find(({ fraction }) => fraction === 1)?.text ?? ''
    case 'several':
      return gap.options.flatMap((option) => (isCorrectOption(option) ? [option.text] : [])).join('; ')
  }
}

/** A right number with its tolerance, or a range, with the decimal sign of the language: «3,14 ± 0,01». */
export function acceptedNumberText(entry: AcceptedNumber, locale: Locale): string {
  const sign = formatNumber(0.5, locale).charAt(1)
  const local = (value: string) => value.replace('.', sign)
  if (entry.kind === 'range') return `${local(entry.min)} … ${local(entry.max)}`
  return Number(entry.tolerance) === 0 ? local(entry.value) : `${local(entry.value)} ± ${local(entry.tolerance)}`
}

const htmlParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const listOf = (tag: 'ul' | 'ol', items: readonly string[]): string =>
  items.length === 1 && tag === 'ul'
    ? (items[0] ?? '')
    : `<${tag}>${items.map((item) => `<li>${item || '—'}</li>`).join('')}</${tag}>`

const pairs = (rows: readonly (readonly string[])[]): string =>
  `<dl class="attempt-pairs">${rows.map(([prompt = '', choice = '']) => `<div><dt>${prompt}</dt><dd>${choice || '—'}</dd></div>`).join('')}</dl>`

const optionText = (options: readonly { id: string; text: string }[], optionId: string | undefined): string =>
  escapeHtml(options.find(({ id }) => id === optionId)?.text ?? '')
