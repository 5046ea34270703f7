import type { MixedGap, QuestionContentOfType } from '../../question/schema.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { GAP_CLASS } from './inline-interactions.ts'
import type { ItemWriter, WrittenInteraction } from './item-writer.ts'
import { identifierOf } from './names.ts'
import { baseValue, formatPoints, mapRules, setOutcome, writeFirstMatch } from './processing.ts'
import {
  menuDeclaration,
  menuField,
  noteComparison,
  numberDeclaration,
  numberTest,
  textDeclaration,
} from './write-inline.ts'

/**
 * Gaps of several kinds, each with its part of the points: fields and lists in the text; numbers have conditions that
 * add to the score. The standard has no field in a text for several options. Throws SkippedQuestion.
 */
export function writeMixedGaps(content: QuestionContentOfType<'gapMixed'>, writer: ItemWriter): WrittenInteraction {
  const { qti, note } = writer
  const { gaps } = content
  const whole = gaps.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0 || gaps.some(({ kind }) => kind === 'several')) throw new SkippedQuestion('type_unsupported')
  if (!content.partialCredit) note('settings_lost')
  if (gaps.some(hasExplanation)) note('feedback_lost')
  const pointsOf = ({ weight }: MixedGap) => (content.points * weight) / whole
  const mapped = gaps.filter(({ kind }) => kind !== 'number').map(({ id }) => identifierOf(id))
  const conditions = gaps.flatMap((gap) => (gap.kind === 'number' ? numberRules(gap, pointsOf(gap), writer) : []))
  const fields = new Map(gaps.map((gap) => [gap.id, interactionOf(gap, writer)]))
  return {
    responses: gaps.map((gap) => declarationOf(gap, pointsOf(gap), writer)),
    body: writer.html(content.stem, (id) => fields.get(id) ?? `[[${id}]]`),
    processing: [mapped.length > 0 ? mapRules(qti, mapped) : '', ...conditions].join(''),
    feedback: [],
  }
}

const hasExplanation = (gap: MixedGap): boolean =>
  ('options' in gap ? gap.options : gap.accepted).some(({ explanation }) => explanation !== null)

function declarationOf(gap: MixedGap, points: number, writer: ItemWriter): string {
  const { qti } = writer
  if ('options' in gap) return menuDeclaration(qti, gap, points)
  if (gap.kind === 'number') return numberDeclaration(qti, identifierOf(gap.id), gap.accepted)
  noteComparison(gap, writer)
  const entries = gap.accepted.map(({ text, fraction }) => ({
    key: text,
    value: fraction * points,
    caseSensitive: gap.caseSensitive,
  }))
  return textDeclaration(qti, identifierOf(gap.id), entries, points)
}

function interactionOf(gap: MixedGap, { qti }: ItemWriter): string {
  if ('options' in gap) return menuField(qti, gap)
  return qti.element('textEntryInteraction', { responseIdentifier: identifierOf(gap.id), class: GAP_CLASS })
}

/** The first accepted number that the response equals adds its points. */
function numberRules(
  { id, accepted }: Extract<MixedGap, { kind: 'number' }>,
  points: number,
  { qti }: ItemWriter,
): string {
  const score = qti.element('variable', { identifier: 'SCORE' })
  const branches = accepted.map((entry) => {
    const sum = qti.element('sum', {}, score + baseValue(qti, 'float', formatPoints(entry.fraction * points)))
    return numberTest(qti, identifierOf(id), entry) + setOutcome(qti, 'SCORE', sum)
  })
  return writeFirstMatch(qti, branches)
}
