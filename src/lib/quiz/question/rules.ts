import { countWords, fileOf, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import { compareDecimals, parseDecimal } from './decimal-rules.ts'
import { plainTextOf, type QuestionDoc } from './rich-text-schema.ts'
import type { AcceptedNumber, AcceptedText, MixedGap, QuestionContent, QuestionContentOfType } from './schema.ts'

/** Reasons why a question cannot be given to students. Labels are `quiz:issue.<key>`. */
export const QUESTION_ISSUES = [
  'emptyStem',
  'tooFewParts',
  'emptyPart',
  'duplicateId',
  'duplicatePart',
  'noCorrectAnswer',
  'severalCorrectAnswers',
  'unknownChoice',
  'emptyGap',
  'gapWithoutMarker',
  'markerWithoutGap',
  'noImage',
  'noImageText',
  'rangeReversed',
  'unreachableAnswer',
  'wordLimitsReversed',
  'penaltyAbovePoints',
] as const
export type QuestionIssueKey = (typeof QUESTION_ISSUES)[number]

export interface QuestionIssue {
  key: QuestionIssueKey
  /** Path of the field in QuestionContent: `['options', 2, 'content']`. */
  path: (string | number)[]
}

/** Everything that is missing or inconsistent in a question, in the order of its fields; empty for a complete one. */
export function questionIssues(content: QuestionContent): QuestionIssue[] {
  const issues: QuestionIssue[] = isEmptyText(content.stem) ? [issue('emptyStem', 'stem')] : []
  issues.push(...typeIssues(content))
  if (content.penalty > content.points) issues.push(issue('penaltyAbovePoints', 'penalty'))
  return issues
}

/** Whether a document is empty. */
export function isEmptyText(doc: QuestionDoc): boolean {
  if (countWords(doc) > 0) return false
  for (const { type, text } of walkNodes(doc)) {
    if (type === 'inlineMath' || type === 'blockMath' || (text && text.trim() !== '')) return false
  }
  return true
}

export type GapContent = QuestionContentOfType<'gapText' | 'gapSelect' | 'gapMixed'>

/** Whether the stem of a question contains markers of gaps. */
export const hasGaps = (content: QuestionContent): content is GapContent => 'gaps' in content

/** The options of a gap with a list; empty for one in which the answer is typed. */
export const gapOptionsOf = <Gap extends GapContent['gaps'][number]>(
  gap: Gap,
): readonly { id: string; text: string; fraction: number }[] => ('options' in gap ? gap.options : [])

const GAP_MARKER = /\[\[([A-Za-z0-9_-]{1,40})\]\]/g

/** The ids of the gaps `[[id]]` in a stem, in reading order, with repetitions. */
export function gapMarkersOf(stem: QuestionDoc): string[] {
  return [...walkNodes(stem)].flatMap(({ text }) =>
    text ? [...text.matchAll(GAP_MARKER)].flatMap(([, gapId]) => gapId ?? []) : [],
  )
}

/** The stem as plain text for lists and headings, with `___` for each gap. */
export function titleTextOf(content: Pick<QuestionContent, 'type' | 'stem'>): string {
  const text = plainTextOf(content.stem)
  return content.type.startsWith('gap') || 'gaps' in content ? text.replaceAll(GAP_MARKER, '___') : text
}

/** The correct options of a choice: those that give points. */
export const isCorrectOption = ({ fraction }: { fraction: number }): boolean => fraction > 0

function typeIssues(content: QuestionContent): QuestionIssue[] {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return choiceIssues(content)
    case 'trueFalse':
      return content.correct === null ? [issue('noCorrectAnswer', 'correct')] : []
    case 'shortText':
      return acceptedTextIssues(content.accepted, ['accepted'])
    case 'number':
      return numberIssues(content.accepted, ['accepted'])
    case 'essay':
      return content.minWords !== null && content.maxWords !== null && content.minWords > content.maxWords
        ? [issue('wordLimitsReversed', 'minWords')]
        : []
    case 'fileUpload':
      return []
    case 'matching':
      return matchingIssues(content)
    case 'ordering':
      return [
        ...fewParts(content.items, 2, 'items'),
        ...idIssues(content.items, 'items'),
        ...emptyParts(content.items, 'items'),
      ]
    case 'gapText':
      return [
        ...markerIssues(content),
        ...content.gaps.flatMap(({ accepted }, index) => acceptedTextIssues(accepted, ['gaps', index, 'accepted'])),
      ]
    case 'gapSelect':
      return [...markerIssues(content), ...content.gaps.flatMap(selectIssues)]
    case 'gapMixed':
      return [
        ...markerIssues(content),
        ...(content.gaps.every(({ weight }) => weight === 0) ? [issue('noCorrectAnswer', 'gaps')] : []),
        ...content.gaps.flatMap(mixedIssues),
      ]
    case 'hotspot':
      return hotspotIssues(content)
    case 'scale':
      return scaleIssues(content)
  }
}

function choiceIssues({ type, options }: QuestionContentOfType<'single' | 'multiple'>): QuestionIssue[] {
  const full = options.filter(({ fraction }) => fraction === 1)
  const right = options.filter(isCorrectOption)
  const issues = [
    ...fewParts(options, 2, 'options'),
    ...idIssues(options, 'options'),
    ...emptyParts(options, 'options'),
  ]
  if (type === 'single') {
    // A single choice needs an option with all points, otherwise nobody can reach the full score.
    if (full.length === 0) issues.push(issue('noCorrectAnswer', 'options'))
    if (full.length > 1) issues.push(issue('severalCorrectAnswers', 'options'))
  } else if (right.length === 0) issues.push(issue('noCorrectAnswer', 'options'))
  return issues
}

function acceptedTextIssues(accepted: readonly AcceptedText[], path: (string | number)[]): QuestionIssue[] {
  const isGap = path[0] === 'gaps'
  if (accepted.length === 0) return [issue(isGap ? 'emptyGap' : 'noCorrectAnswer', ...path)]
  const issues = accepted.flatMap(({ text }, index) =>
    text === '' ? [issue('emptyPart', ...path, index, 'text')] : [],
  )
  if (!accepted.some(({ fraction }) => fraction === 1)) issues.push(issue('noCorrectAnswer', ...path))
  return [...issues, ...idIssues(accepted, ...path)]
}

function numberIssues(accepted: readonly AcceptedNumber[], path: (string | number)[]): QuestionIssue[] {
  if (!accepted.some(({ fraction }) => fraction === 1)) return [issue('noCorrectAnswer', ...path)]
  return [
    ...accepted.flatMap((entry, index) => (isReversed(entry) ? [issue('rangeReversed', ...path, index)] : [])),
    ...idIssues(accepted, ...path),
  ]
}

function isReversed(entry: AcceptedNumber): boolean {
  const [low, high] = (entry.kind === 'range' ? [entry.min, entry.max] : ['0', entry.tolerance]).map(parseDecimal)
  return !low || !high || compareDecimals(low, high) > 0
}

function matchingIssues({ prompts, choices }: QuestionContentOfType<'matching'>): QuestionIssue[] {
  const known = new Set(choices.map(({ id }) => id))
  return [
    ...fewParts(prompts, 1, 'prompts'),
    ...fewParts(choices, 2, 'choices'),
    ...idIssues(prompts, 'prompts'),
    ...idIssues(choices, 'choices'),
    ...emptyParts(prompts, 'prompts'),
    ...emptyParts(choices, 'choices'),
    ...prompts.flatMap(({ choiceId }, index) => {
      if (choiceId === null) return [issue('noCorrectAnswer', 'prompts', index, 'choiceId')]
      return known.has(choiceId) ? [] : [issue('unknownChoice', 'prompts', index, 'choiceId')]
    }),
  ]
}

function markerIssues({ stem, gaps }: GapContent): QuestionIssue[] {
  const markers = gapMarkersOf(stem)
  const known = new Set(gaps.map(({ id }) => id))
  const issues: QuestionIssue[] = gaps.length === 0 ? [issue('tooFewParts', 'gaps')] : []
  issues.push(...idIssues(gaps, 'gaps'))
  for (const [index, { id }] of gaps.entries()) {
    const count = markers.filter((marker) => marker === id).length
    if (count === 0) issues.push(issue('gapWithoutMarker', 'gaps', index))
    if (count > 1) issues.push(issue('duplicatePart', 'gaps', index))
  }
  if (markers.some((marker) => !known.has(marker))) issues.push(issue('markerWithoutGap', 'stem'))
  return issues
}

function mixedIssues(gap: MixedGap, index: number): QuestionIssue[] {
  switch (gap.kind) {
    case 'text':
      return acceptedTextIssues(gap.accepted, ['gaps', index, 'accepted'])
    case 'number':
      return numberIssues(gap.accepted, ['gaps', index, 'accepted'])
    case 'menu':
    case 'several':
      return selectIssues(gap, index)
  }
}

function selectIssues(
  gap: { kind?: MixedGap['kind']; options: readonly { id: string; text: string; fraction: number }[] },
  index: number,
): QuestionIssue[] {
  const { options } = gap
  const isRight = gap.kind === 'several' ? isCorrectOption : ({ fraction }: { fraction: number }) => fraction === 1
  if (options.length === 0) return [issue('emptyGap', 'gaps', index, 'options')]
  const issues = options.flatMap(({ text }, place) =>
    text === '' ? [issue('emptyPart', 'gaps', index, 'options', place, 'text')] : [],
  )
  if (options.length < 2) issues.push(issue('tooFewParts', 'gaps', index, 'options'))
  if (!options.some(isRight)) issues.push(issue('noCorrectAnswer', 'gaps', index, 'options'))
  return [...issues, ...idIssues(options, 'gaps', index, 'options')]
}

function hotspotIssues({ imageFileId, imageAlt, regions }: QuestionContentOfType<'hotspot'>): QuestionIssue[] {
  const issues: QuestionIssue[] = []
  if (imageFileId === null) issues.push(issue('noImage', 'imageFileId'))
  if (imageAlt === '') issues.push(issue('noImageText', 'imageAlt'))
  if (!regions.some(({ correct }) => correct)) issues.push(issue('noCorrectAnswer', 'regions'))
  return [...issues, ...idIssues(regions, 'regions')]
}

function scaleIssues({ min, max, step, correct }: QuestionContentOfType<'scale'>): QuestionIssue[] {
  if (min >= max) return [issue('rangeReversed', 'max')]
  if (correct === null) return []
  if (correct.min > correct.max) return [issue('rangeReversed', 'correct')]
  // The first value of the scale that is not below the right range.
  const first = min + Math.max(0, Math.ceil((correct.min - min) / step)) * step
  return first > Math.min(correct.max, max) ? [issue('unreachableAnswer', 'correct')] : []
}

function emptyParts(list: readonly { content: QuestionDoc }[], ...path: (string | number)[]): QuestionIssue[] {
  return list.flatMap(({ content }, index) =>
    isEmptyText(content) && !hasImage(content) ? [issue('emptyPart', ...path, index, 'content')] : [],
  )
}

const hasImage = (doc: QuestionDoc): boolean => [...walkNodes(doc)].some(({ attrs }) => fileOf(attrs?.src) !== null)

const fewParts = (list: readonly unknown[], least: number, ...path: (string | number)[]): QuestionIssue[] =>
  list.length < least ? [issue('tooFewParts', ...path)] : []

function idIssues(list: readonly { id: string }[], ...path: (string | number)[]): QuestionIssue[] {
  const known = new Set<string>()
  return list.flatMap(({ id }, index) => {
    if (known.has(id)) return [issue('duplicateId', ...path, index)]
    known.add(id)
    return []
  })
}

const issue = (key: QuestionIssueKey, ...path: (string | number)[]): QuestionIssue => ({ key, path })
