import { escapeXml } from '#lib/core/shared/text/escape.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { MixedGap, QuestionContentOfType } from '../../question/schema.ts'
import { noteMultipleShares, shareToPercent } from '../parts.ts'
import { escapeCloze } from './cloze.ts'
import { centerOf } from './number-center.ts'
import type { MoodleWriter } from './writer.ts'

/** A Cloze text with gaps of several kinds, each with its weight. */
export function writeMixedGaps(content: QuestionContentOfType<'gapMixed'>, texts: MoodleWriter) {
  const isWhole = content.gaps.every(({ weight }) => Number.isInteger(weight))
  const weights = content.gaps.map(({ weight }) => (isWhole ? weight : Math.round(weight * 100)))
  // The points of a Cloze text are the sum of the weights.
  if (content.points !== weights.reduce((sum, weight) => sum + weight, 0)) texts.note('settings_lost')
  const gaps = new Map(
    content.gaps.map((gap, index) => [
      gap.id,
      `{${weights[index]}:${kindOf(gap)}:${clozeAnswersOf(gap, texts).join('~')}}`,
    ]),
  )
  const stem = texts.html(content.stem, (id) => gaps.get(id) ?? `[[${id}]]`)
  return { type: 'cloze', elements: [], stem, points: false }
}

function kindOf(gap: MixedGap): string {
  switch (gap.kind) {
    case 'text':
      return gap.caseSensitive ? 'SHORTANSWER_C' : 'SHORTANSWER'
    case 'number':
      return 'NUMERICAL'
    case 'menu':
      return 'MULTICHOICE'
    case 'several':
      return 'MULTIRESPONSE'
  }
}

function clozeAnswersOf(gap: MixedGap, texts: MoodleWriter): string[] {
  const feedback = (explanation: QuestionDoc | null) => (explanation ? `#${escapeCloze(texts.html(explanation))}` : '')
  if (gap.kind === 'number')
    return gap.accepted.map((entry) => {
      const { value, tolerance } = centerOf(entry)
      if (entry.kind === 'range') texts.note('scoring_changed')
      return clozeAnswer(entry.fraction, `${value}:${tolerance}`) + feedback(entry.explanation)
    })
  if (gap.kind === 'several') noteMultipleShares(gap.options, texts.note)
  if (gap.kind === 'text' && (!gap.trim || gap.lenient === false)) texts.note('scoring_changed')
  const list = 'options' in gap ? gap.options : gap.accepted
  const isLiteral = gap.kind === 'text' && !gap.wildcards
  return list.map(
    ({ text, fraction, explanation }) =>
      clozeAnswer(fraction, isLiteral ? text.replaceAll('*', '\\*') : text) + feedback(explanation),
  )
}

/** An answer of a gap with its share of the points. */
export const clozeAnswer = (fraction: number, text: string): string =>
  `${fraction === 1 ? '=' : `%${shareToPercent(fraction)}%`}${escapeCloze(escapeXml(text))}`
