import type { QuestionDoc } from '../question/rich-text-schema.ts'
import type { AcceptedNumber, AcceptedText, ChoiceOption, QuestionContent } from '../question/schema.ts'
import { type NoteChange, SkippedQuestion } from './question-reader.ts'

/* Intermediate values from which the readers of all formats build questions. */

export interface ReadOption {
  content: QuestionDoc
  /** Share of the points. */
  fraction: number
  explanation?: QuestionDoc | null
  id?: string
}

const PART_ID = /^[A-Za-z0-9_-]{1,40}$/
const MAX_LINE = 500

/** Ids for parts: those of the file if all of them are valid, otherwise a letter with a number. */
export function partIds(ids: readonly (string | undefined)[], letter: string): string[] {
  const isUsable = ids.every((id) => id !== undefined && PART_ID.test(id)) && new Set(ids).size === ids.length
  return ids.map((id, index) => (isUsable && id ? id : `${letter}${index + 1}`))
}

export function readOptions(list: readonly ReadOption[]): ChoiceOption[] {
  if (list.length === 0) throw new SkippedQuestion('no_answers')
  const ids = partIds(
    list.map(({ id }) => id),
    'o',
  )
  return list.map(({ content, fraction, explanation = null }, index) => ({
    id: ids[index] ?? '',
    content,
    fraction: shareOf(fraction),
    explanation,
  }))
}

/** A percentage of a file as a share of the points; at most twelve digits are used. */
export const percentToShare = (percent: number): number => shareOf(percent / 100)

export const shareToPercent = (fraction: number): number => Number((fraction * 100).toPrecision(12))

const shareOf = (fraction: number): number =>
  Number.isFinite(fraction) ? Number(Math.max(-1, Math.min(1, fraction)).toPrecision(12)) : 0

export interface ReadText {
  text: string
  fraction: number
  explanation?: QuestionDoc | null
}

/** Accepted texts, one line each; longer texts are truncated. */
export function acceptedTexts(list: readonly ReadText[], note: NoteChange): AcceptedText[] {
  const usable = list
    .map((entry) => ({ ...entry, text: textLineOf(entry.text, MAX_LINE, note) }))
    .filter(({ text }) => text !== '')
  return usable.map(({ text, fraction, explanation = null }, index) => ({
    id: `t${index + 1}`,
    text,
    fraction: shareOf(fraction),
    explanation,
  }))
}

/** One line without control characters. */
export function textLineOf(text: string, max: number, note: NoteChange): string {
  const line = text
    .normalize()
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
  if (line.length > max) note('text_shortened')
  return line.slice(0, max).toWellFormed().trim()
}

export interface ReadNumber {
  value?: string
  tolerance?: string
  min?: string
  max?: string
  fraction: number
  explanation?: QuestionDoc | null
}

/** Accepted numbers; invalid decimal numbers are omitted. */
function acceptedNumbers(list: readonly ReadNumber[]): AcceptedNumber[] {
  return list.flatMap(({ value, tolerance = '0', min, max, fraction, explanation = null }, index): AcceptedNumber[] => {
    const common = { id: `n${index + 1}`, fraction: shareOf(fraction), explanation }
    const [exact, margin, low, high] = [value, tolerance, min, max].map((text) => decimalText(text))
    if (low && high) return [{ kind: 'range', min: low, max: high, ...common }]
    return exact ? [{ kind: 'value', value: exact, tolerance: (margin ?? '0').replace(/^-/, ''), ...common }] : []
  })
}

/**
 * Accepted numbers, of which at least one is a number; the omission of others and of tolerances is noted. Throws
 * SkippedQuestion.
 */
export function requiredNumbers(list: readonly ReadNumber[], note: NoteChange): AcceptedNumber[] {
  const accepted = acceptedNumbers(list)
  if (list.length > 0 && accepted.length === 0) throw new SkippedQuestion('number_unreadable')
  const isReadable = list.every(({ tolerance }) => tolerance === undefined || decimalText(tolerance) !== null)
  if (accepted.length < list.length || !isReadable) note('scoring_changed')
  return accepted
}

/**
 * Notes the shares of a multiple choice that are scored differently here: a wrong option without a deduction gets one,
 * and the shares of the right options are scaled to the full score.
 */
export function noteMultipleShares(list: readonly { fraction: number }[], note: NoteChange): void {
  const right = list.reduce((sum, { fraction }) => sum + Math.max(0, fraction), 0)
  if (list.some(({ fraction }) => fraction === 0) || Math.abs(right - 1) > 0.001) note('scoring_changed')
}

/** A number of a file as plain decimal digits; null for other text. */
export function decimalText(text: string | undefined): string | null {
  const [, sign = '', whole = '', part = '', exponent = ''] =
    /^([+-]?)(\d{0,15})(?:[.,](\d{0,40}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text?.trim() ?? '') ?? []
  if (whole === '' && part === '') return null
  if (exponent !== '') {
    const value = Number(`${whole || '0'}.${part || '0'}e${exponent}`)
    return Number.isFinite(value) && value < 1e15 ? trimmed(sign, value.toFixed(15)) : null
  }
  return trimmed(sign, part.length > 0 ? `${whole || '0'}.${part.slice(0, 15)}` : whole)
}

function trimmed(sign: string, digits: string): string {
  const [whole = '0', part = ''] = digits.split('.')
  const end = [...part].findLastIndex((digit) => digit !== '0') + 1
  const plain = `${whole.replace(/^0+(?=\d)/, '')}${end > 0 ? `.${part.slice(0, end)}` : ''}`
  return sign === '-' && plain !== '0' ? `-${plain}` : plain
}

/** Points with two decimals within the limit; 1 for other text. */
export function pointsOf(value: string | number | undefined, note: NoteChange): number {
  const points = typeof value === 'number' ? value : Number.parseFloat(value ?? '')
  if (!Number.isFinite(points)) {
    if (value !== undefined && value !== '') note('points_limited')
    return 1
  }
  const rounded = Math.min(1000, Math.max(0, Math.round(points * 100) / 100))
  if (Math.abs(rounded - points) > 1e-6) note('points_limited')
  return rounded
}

const MAX_TAG = 40
const MAX_TAGS = 20

/** Tags as single lines, each once; tags above the maximum number or length are dropped. */
export function readTags(list: readonly string[], note: NoteChange): string[] {
  const ignore = () => {}
  const tags = [...new Set(list.map((tag) => textLineOf(tag, 1000, ignore)).filter((tag) => tag !== ''))]
  const usable = tags.filter((tag) => tag.length <= MAX_TAG).slice(0, MAX_TAGS)
  if (usable.length < tags.length) note('tags_lost')
  return usable
}

/** Notes the settings of a question that a format cannot store. */
export function noteSettings(content: QuestionContent, difficulty: number, note: NoteChange): void {
  const isShuffled = !('shuffle' in content) || content.shuffle
  const isPlain =
    content.points === 1 && content.penalty === 0 && content.partialCredit && difficulty === 2 && isShuffled
  if (!isPlain) note('settings_lost')
}
