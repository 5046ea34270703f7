import { escapeText } from '#lib/core/shared/text/escape.ts'
import type { AcceptedNumber, QuestionContentOfType } from '../../question/schema.ts'
import { GAP_CLASS } from './inline-interactions.ts'
import type { ItemWriter, WrittenInteraction } from './item-writer.ts'
import { identifierOf, type QtiNames } from './names.ts'
import {
  baseValue,
  correctResponse,
  formatPoints,
  type MapEntry,
  mapRules,
  RESPONSE,
  setOutcome,
  writeFirstMatch,
  writeMapping,
} from './processing.ts'

/** A field after the stem; each accepted text gives its share of the points. */
export function writeShortText(content: QuestionContentOfType<'shortText'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  noteComparison(content, writer)
  const { caseSensitive } = content
  const entries = content.accepted.map(({ text, fraction }) => ({
    key: text,
    value: fraction * content.points,
    caseSensitive,
  }))
  const declaration = textDeclaration(qti, RESPONSE, entries, content.points)
  const feedback = content.accepted.flatMap(({ explanation }, index) =>
    explanation ? [{ id: `t${index + 1}`, text: explanation }] : [],
  )
  const branches = content.accepted.flatMap(({ text, explanation }, index) => {
    if (!explanation) return []
    const response = qti.element('variable', { identifier: RESPONSE })
    const test = qti.element('stringMatch', { caseSensitive }, response + baseValue(qti, 'string', text))
    return [test + showFeedback(qti, `t${index + 1}`)]
  })
  const interaction = qti.element('textEntryInteraction', { responseIdentifier: RESPONSE })
  return {
    responses: [declaration],
    body: `${writer.html(content.stem)}<p>${interaction}</p>`,
    processing: mapRules(qti, [RESPONSE]) + writeFirstMatch(qti, branches),
    feedback,
  }
}

/** Notes a comparison of texts that the standard does not have. */
export function noteComparison(
  content: { trim: boolean; wildcards: boolean; lenient?: boolean | undefined },
  { note }: ItemWriter,
): void {
  if (!content.trim || content.wildcards || content.lenient === false) note('scoring_changed')
}

export function textDeclaration(
  qti: QtiNames,
  identifier: string,
  entries: readonly MapEntry[],
  upperBound: number,
): string {
  const right = entries.filter(({ value }) => value > 0 && value === Math.max(...entries.map((entry) => entry.value)))
  return qti.element(
    'responseDeclaration',
    { identifier, cardinality: 'single', baseType: 'string' },
    correctResponse(
      qti,
      right.slice(0, 1).map(({ key }) => key),
    ) + writeMapping(qti, entries, upperBound),
  )
}

const showFeedback = (qti: QtiNames, id: string): string =>
  setOutcome(qti, 'FEEDBACK', qti.element('multiple', {}, baseValue(qti, 'identifier', id)))

/** Conditions with a tolerance or between bounds, of which the first true one is applied. */
export function writeNumber(content: QuestionContentOfType<'number'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  if (content.unit !== '' && qti.version === 'qti22') writer.note('settings_lost')
  const branches = content.accepted.map((entry, index) => {
    const { fraction, explanation } = entry
    const test = numberTest(qti, RESPONSE, entry)
    const score = setOutcome(qti, 'SCORE', baseValue(qti, 'float', formatPoints(fraction * content.points)))
    return test + score + (explanation ? showFeedback(qti, `n${index + 1}`) : '')
  })
  const declaration = numberDeclaration(qti, RESPONSE, content.accepted)
  const attributes = {
    responseIdentifier: RESPONSE,
    ...(qti.version === 'qti30' && content.unit !== '' ? { 'data-unit': content.unit } : {}),
  }
  return {
    responses: [declaration],
    body: `${writer.html(content.stem)}<p>${qti.element('textEntryInteraction', attributes)}</p>`,
    processing: writeFirstMatch(qti, branches),
    feedback: content.accepted.flatMap(({ explanation }, index) =>
      explanation ? [{ id: `n${index + 1}`, text: explanation }] : [],
    ),
  }
}

/** Whether a response is within a tolerance or between two bounds. */
export function numberTest(qti: QtiNames, identifier: string, entry: AcceptedNumber): string {
  const response = qti.element('variable', { identifier })
  const number = (value: string) => baseValue(qti, 'float', value)
  if (entry.kind === 'value') {
    const tolerance = `${entry.tolerance} ${entry.tolerance}`
    return qti.element('equal', { toleranceMode: 'absolute', tolerance }, response + number(entry.value))
  }
  const bounds = [
    qti.element('gte', {}, response + number(entry.min)),
    qti.element('lte', {}, response + number(entry.max)),
  ]
  return qti.element('and', {}, bounds.join(''))
}

/** The declaration of a number with its first accepted value. */
export function numberDeclaration(qti: QtiNames, identifier: string, accepted: readonly AcceptedNumber[]): string {
  const [first] = accepted
  const right = first ? [first.kind === 'range' ? first.min : first.value] : []
  const attributes = { identifier, cardinality: 'single', baseType: 'float' }
  return qti.element('responseDeclaration', attributes, correctResponse(qti, right))
}

/** Gaps are fields in the text, each with an equal part of the points. */
export function writeGapText(content: QuestionContentOfType<'gapText'>, writer: ItemWriter): WrittenInteraction {
  const { qti, note } = writer
  noteComparison(content, writer)
  if (!content.partialCredit) note('settings_lost')
  if (content.gaps.some(({ accepted }) => accepted.some(({ explanation }) => explanation))) note('feedback_lost')
  const share = content.points / content.gaps.length
  const responses = content.gaps.map(({ id, accepted }) => {
    const entries = accepted.map(({ text, fraction }) => ({
      key: text,
      value: fraction * share,
      caseSensitive: content.caseSensitive,
    }))
    return textDeclaration(qti, identifierOf(id), entries, share)
  })
  const fields = new Map(
    content.gaps.map(({ id }) => [
      id,
      qti.element('textEntryInteraction', { responseIdentifier: identifierOf(id), class: GAP_CLASS }),
    ]),
  )
  return written(content, writer, responses, fields)
}

/** Gaps are lists in the text. */
export function writeSelectGaps(content: QuestionContentOfType<'gapSelect'>, writer: ItemWriter): WrittenInteraction {
  const { qti, note } = writer
  if (!content.partialCredit) note('settings_lost')
  const share = content.points / content.gaps.length
  const responses = content.gaps.map((gap) => menuDeclaration(qti, gap, share))
  const fields = new Map(content.gaps.map((gap) => [gap.id, menuField(qti, gap)]))
  return written(content, writer, responses, fields)
}

interface Menu {
  id: string
  options: readonly { id: string; text: string; fraction: number }[]
}

/** The declaration of a list in the text; `points` are those of its right option. */
export function menuDeclaration(qti: QtiNames, { id, options }: Menu, points: number): string {
  const entries = options
    .filter(({ fraction }) => fraction !== 0)
    .map((option) => ({ key: identifierOf(option.id), value: option.fraction * points }))
  const right = options.filter(({ fraction }) => fraction === 1).slice(0, 1)
  const attributes = { identifier: identifierOf(id), cardinality: 'single', baseType: 'identifier' }
  const correct = correctResponse(
    qti,
    right.map((option) => identifierOf(option.id)),
  )
  return qti.element('responseDeclaration', attributes, correct + writeMapping(qti, entries, points))
}

/** A list in the text. */
export function menuField(qti: QtiNames, { id, options }: Menu): string {
  const choices = options.map((option) =>
    qti.element('inlineChoice', { identifier: identifierOf(option.id) }, escapeText(option.text)),
  )
  return qti.element(
    'inlineChoiceInteraction',
    { responseIdentifier: identifierOf(id), shuffle: true },
    choices.join(''),
  )
}

function written(
  { stem, gaps }: QuestionContentOfType<'gapText' | 'gapSelect'>,
  writer: ItemWriter,
  responses: string[],
  fields: ReadonlyMap<string, string>,
): WrittenInteraction {
  const body = writer.html(stem, (id) => fields.get(id) ?? `[[${id}]]`)
  const identifiers = gaps.map(({ id }) => identifierOf(id))
  return { responses, body, processing: mapRules(writer.qti, identifiers), feedback: [] }
}
