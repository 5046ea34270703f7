import { childAt, type MarkupElement } from '#lib/course/transfer/markup.ts'
import { acceptedTexts, noteMultipleShares, percentToShare, pointsOf, requiredNumbers, textLineOf } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { type ClozeGap, readCloze } from './cloze.ts'
import type { MoodleTexts } from './texts.ts'
import { hasWildcard, unescapeAsterisks } from './wildcards.ts'

const MAX_WEIGHT = 1000

/**
 * A Cloze text: gaps with menus only or with texts only, all of the same weight, or gaps of several kinds. Throws
 * SkippedQuestion for an invalid text.
 */
export function readClozeQuestion(element: MarkupElement, texts: MoodleTexts) {
  const cloze = readCloze(texts.source(childAt(element, 'questiontext')))
  if (!cloze) throw new SkippedQuestion('syntax')
  const { gaps, html } = cloze
  if (gaps.length === 0) throw new SkippedQuestion('no_answers')
  const stem = texts.stem(() => html)
  const points = pointsOf(
    gaps.reduce((sum, { weight }) => sum + weight, 0),
    texts.note,
  )
  const common = { stem, points }
  const isEven = new Set(gaps.map(({ weight }) => weight)).size === 1
  const isSame = new Set(gaps.map(({ kind, caseSensitive }) => `${kind} ${caseSensitive}`)).size === 1
  const hasFeedback = gaps.some(({ answers }) => answers.some(({ feedback }) => feedback !== ''))
  const [first] = gaps
  if (isEven && isSame && first?.kind === 'menu' && !hasFeedback)
    return {
      type: 'gapSelect',
      ...common,
      gaps: gaps.map((gap, index) => ({ id: `g${index + 1}`, options: readGapOptions(gap, texts) })),
    }
  if (isEven && isSame && first?.kind === 'text')
    return { type: 'gapText', ...common, caseSensitive: first.caseSensitive, ...readTextGaps(gaps, texts) }
  const most = Math.max(...gaps.map(({ weight }) => weight))
  const scale = most > MAX_WEIGHT ? MAX_WEIGHT / most : 1
  const mixed = gaps.map((gap, index) => ({
    id: `g${index + 1}`,
    weight: gap.weight * scale,
    ...readMixedGap(gap, texts),
  }))
  return { type: 'gapMixed', ...common, gaps: mixed }
}

function readMixedGap(gap: ClozeGap, texts: MoodleTexts) {
  switch (gap.kind) {
    case 'menu':
      return { kind: gap.kind, options: readGapOptions(gap, texts) }
    case 'several': {
      const options = readGapOptions(gap, texts)
      noteMultipleShares(options, texts.note)
      return { kind: gap.kind, options }
    }
    case 'number':
      return { kind: gap.kind, accepted: readGapNumbers(gap, texts) }
    case 'text': {
      const answers = typedAnswers(gap, texts)
      const wildcards = hasWildcard(answers)
      const accepted = acceptedTexts(wildcards ? answers : unescapeAsterisks(answers), texts.note)
      return { kind: gap.kind, accepted, caseSensitive: gap.caseSensitive, wildcards }
    }
  }
}

function readTextGaps(gaps: readonly ClozeGap[], texts: MoodleTexts) {
  const answersOfGaps = gaps.map((gap) => typedAnswers(gap, texts))
  const wildcards = hasWildcard(answersOfGaps.flat())
  const list = answersOfGaps.map((answers, index) => ({
    id: `g${index + 1}`,
    accepted: acceptedTexts(wildcards ? answers : unescapeAsterisks(answers), texts.note),
  }))
  return { gaps: list, wildcards }
}

const readGapOptions = ({ answers }: ClozeGap, texts: MoodleTexts) =>
  answers.map(({ text, fraction, feedback }, place) => ({
    id: `o${place + 1}`,
    text: textLineOf(plainOf(text, texts), 500, texts.note),
    fraction: percentToShare(fraction * 100),
    explanation: explanationOf(feedback, texts),
  }))

/** Value and tolerance: `32:0.5`. A wildcard has feedback on all other numbers. */
function readGapNumbers({ answers }: ClozeGap, texts: MoodleTexts) {
  const numbers = answers.filter(({ text }) => text !== '*')
  if (numbers.length < answers.length)
    texts.note(answers.some(isCreditedWildcard) ? 'scoring_changed' : 'feedback_lost')
  const list = numbers.map(({ text, fraction, feedback }) => {
    const [value = '', tolerance = '0'] = plainOf(text, texts).split(':')
    return { value, tolerance, fraction, explanation: explanationOf(feedback, texts) }
  })
  return requiredNumbers(list, texts.note)
}

const isCreditedWildcard = ({ text, fraction }: ClozeGap['answers'][number]): boolean => text === '*' && fraction > 0

function typedAnswers({ answers }: ClozeGap, texts: MoodleTexts) {
  const accepted = answers.filter(({ fraction, text, feedback }) => fraction > 0 || (text !== '*' && feedback !== ''))
  if (accepted.length < answers.length && answers.some(({ feedback }) => feedback !== '')) texts.note('feedback_lost')
  return accepted.map(({ text, fraction, feedback }) => ({
    text: plainOf(text, texts),
    fraction,
    explanation: explanationOf(feedback, texts),
  }))
}

const explanationOf = (feedback: string, texts: MoodleTexts) => (feedback === '' ? null : texts.html(feedback))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" }

/** The answers of gaps are HTML in the file and plain text in the question. */
function plainOf(html: string, texts: MoodleTexts): string {
  const plain = html.replace(/<[^<>]{0,500}>/g, '')
  if (plain !== html) texts.note('formatting_lost')
  return plain.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}
