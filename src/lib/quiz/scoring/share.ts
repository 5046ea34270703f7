import { absoluteDecimal, compareDecimals, parseDecimal, subtractDecimals } from '../question/decimal-rules.ts'
import type {
  AcceptedNumber,
  AcceptedText,
  AnswerValue,
  AnswerValueOfType,
  MixedGap,
  QuestionContent,
  QuestionContentOfType,
} from '../question/schema.ts'
import { isWithinShape } from './shape.ts'
import { matchesText, type TextComparison } from './text-match.ts'

/**
 * The share of the points that an answer earns, from -1 to 1, before partial credit and negative marks are applied.
 * Null for types that are marked by a reviewer. The rules are in docs/decisions/226-scoring-of-tests.md.
 */
export function answerShare(content: QuestionContent, answer: AnswerValue): number | null {
  if (content.type === 'essay' || content.type === 'fileUpload') return null
  if (content.type === 'single' && answer.type === 'single')
    return content.options.find(({ id }) => id === answer.optionId)?.fraction ?? 0
  if (content.type === 'multiple' && answer.type === 'multiple') return multipleShare(content, answer)
  if (content.type === 'trueFalse' && answer.type === 'trueFalse') return answer.value === content.correct ? 1 : 0
  if (content.type === 'shortText' && answer.type === 'shortText')
    return acceptedShare(content.accepted, answer.text, content)
  if (content.type === 'number' && answer.type === 'number') return numberShare(content.accepted, answer.text)
  if (content.type === 'matching' && answer.type === 'matching')
    return average(content.prompts.map(({ id, choiceId }) => (answer.choices[id] === choiceId ? 1 : 0)))
  if (content.type === 'ordering' && answer.type === 'ordering') return orderingShare(content, answer)
  if (content.type === 'gapText' && answer.type === 'gapText')
    return average(content.gaps.map(({ id, accepted }) => acceptedShare(accepted, answer.gaps[id] ?? '', content)))
  if (content.type === 'gapSelect' && answer.type === 'gapSelect')
    return average(
      content.gaps.map(({ id, options }) => options.find((option) => option.id === answer.gaps[id])?.fraction ?? 0),
    )
  if (content.type === 'gapMixed' && answer.type === 'gapMixed') return mixedShare(content, answer)
  if (content.type === 'hotspot' && answer.type === 'hotspot') return hotspotShare(content, answer)
  if (content.type === 'scale' && answer.type === 'scale') {
    const { correct } = content
    return correct === null || (answer.value >= correct.min && answer.value <= correct.max) ? 1 : 0
  }
  return 0
}

interface Choice {
  options: readonly { id: string; fraction: number }[]
}

/** Whether the chosen options are exactly the right ones. */
export function isExactChoice({ options }: Choice, { optionIds }: { optionIds: readonly string[] }): boolean {
  return options.every(({ id, fraction }) => optionIds.includes(id) === fraction > 0)
}

/**
 * Right options share 1 in the proportion of their fractions. A wrong option deducts its negative fraction; with a
 * fraction of 0 it deducts one part of all wrong options, so that choosing everything earns nothing.
 */
function multipleShare({ options }: Choice, { optionIds }: { optionIds: readonly string[] }): number {
  const rightSum = options.reduce((sum, { fraction }) => sum + Math.max(0, fraction), 0)
  const wrongCount = options.filter(({ fraction }) => fraction <= 0).length
  const share = options
    .filter(({ id }) => optionIds.includes(id))
    .reduce((sum, { fraction }) => {
      if (fraction > 0) return sum + fraction / rightSum
      return sum + (fraction < 0 ? fraction : -1 / wrongCount)
    }, 0)
  return Math.max(-1, Math.min(1, share))
}

/** The shares of the gaps, weighted. */
function mixedShare(
  { gaps }: QuestionContentOfType<'gapMixed'>,
  { texts, chosen }: AnswerValueOfType<'gapMixed'>,
): number {
  const whole = gaps.reduce((sum, { weight }) => sum + weight, 0)
  const earned = gaps.reduce((sum, gap) => sum + gap.weight * gapShare(gap, texts[gap.id], chosen[gap.id]), 0)
  return whole === 0 ? 0 : earned / whole
}

/** The share of the points of one gap. Wrong options of several take nothing from the other gaps. */
export function gapShare(gap: MixedGap, text = '', optionIds: readonly string[] = []): number {
  switch (gap.kind) {
    case 'text':
      return acceptedShare(gap.accepted, text, gap)
    case 'number':
      return numberShare(gap.accepted, text)
    case 'menu':
      return gap.options.find(({ id }) => id === optionIds[0])?.fraction ?? 0
    case 'several':
      return isExactChoice(gap, { optionIds }) ? 1 : Math.max(0, multipleShare(gap, { optionIds }))
  }
}

function acceptedShare(accepted: readonly AcceptedText[], text: string, comparison: TextComparison): number {
  if (text.trim() === '') return 0
  return best(accepted.filter((entry) => matchesText(text, entry.text, comparison)))
}

function numberShare(accepted: readonly AcceptedNumber[], text: string): number {
  const typed = parseDecimal(text)
  if (!typed) return 0
  return best(
    accepted.filter((entry) => {
      const [low, high] = boundsOf(entry)
      if (!low || !high) return false
      if (entry.kind === 'range') return compareDecimals(low, typed) <= 0 && compareDecimals(typed, high) <= 0
      return compareDecimals(absoluteDecimal(subtractDecimals(typed, low)), high) <= 0
    }),
  )
}

/** Minimum and maximum of a range; value and tolerance otherwise. */
const boundsOf = (entry: AcceptedNumber) =>
  entry.kind === 'range'
    ? [parseDecimal(entry.min), parseDecimal(entry.max)]
    : [parseDecimal(entry.value), parseDecimal(entry.tolerance)]

/** Based on the longest subsequence in the right order: all of n items earn 1, a reversed list earns 0. */
function orderingShare(
  { items }: QuestionContentOfType<'ordering'>,
  { itemIds }: AnswerValueOfType<'ordering'>,
): number {
  if (items.length < 2) return itemIds.length === items.length ? 1 : 0
  const places = itemIds.map((itemId) => items.findIndex(({ id }) => id === itemId)).filter((place) => place >= 0)
  return Math.max(0, (longestIncreasing(places) - 1) / (items.length - 1))
}

/** Length of the longest increasing subsequence (patience sorting). */
function longestIncreasing(values: readonly number[]): number {
  const tails: number[] = []
  for (const value of values) {
    const place = tails.findIndex((tail) => tail >= value)
    tails[place < 0 ? tails.length : place] = value
  }
  return tails.length
}

function hotspotShare({ regions }: QuestionContentOfType<'hotspot'>, { points }: AnswerValueOfType<'hotspot'>): number {
  const right = regions.filter(({ correct }) => correct)
  const hit = right.filter(({ shape }) => points.some((point) => isWithinShape(shape, point)))
  return right.length === 0 ? 0 : hit.length / right.length
}

const best = (entries: readonly { fraction: number }[]): number =>
  entries.length === 0 ? 0 : Math.max(...entries.map(({ fraction }) => fraction))

const average = (shares: readonly number[]): number =>
  shares.length === 0 ? 0 : shares.reduce((sum, value) => sum + value, 0) / shares.length
