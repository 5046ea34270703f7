import { escapeText } from '#lib/core/shared/text/escape.ts'
import type { QuestionContentOfType } from '../../question/schema.ts'
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

function noteComparison(content: QuestionContentOfType<'shortText' | 'gapText'>, { note }: ItemWriter): void {
  if (!content.trim || content.wildcards || content.lenient === false) note('scoring_changed')
}

function textDeclaration(qti: QtiNames, identifier: string, entries: readonly MapEntry[], upperBound: number): string {
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
  const response = qti.element('variable', { identifier: RESPONSE })
  const number = (value: string) => baseValue(qti, 'float', value)
  const branches = content.accepted.map((entry, index) => {
    const { fraction, explanation } = entry
    const test =
      entry.kind === 'range'
        ? qti.element(
            'and',
            {},
            ['gte', 'lte']
              .map((name) => qti.element(name, {}, response + number(name === 'gte' ? entry.min : entry.max)))
              .join(''),
          )
        : qti.element(
            'equal',
            { toleranceMode: 'absolute', tolerance: `${entry.tolerance} ${entry.tolerance}` },
            response + number(entry.value),
          )
    const score = setOutcome(qti, 'SCORE', baseValue(qti, 'float', formatPoints(fraction * content.points)))
    return test + score + (explanation ? showFeedback(qti, `n${index + 1}`) : '')
  })
  const [first] = content.accepted
  const right = first ? [first.kind === 'range' ? first.min : first.value] : []
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: 'single', baseType: 'float' },
    correctResponse(qti, right),
  )
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
  const responses = content.gaps.map(({ id, options }) => {
    const entries = options
      .filter(({ fraction }) => fraction !== 0)
      .map((option) => ({ key: identifierOf(option.id), value: option.fraction * share }))
    const right = options.filter(({ fraction }) => fraction === 1).slice(0, 1)
    return qti.element(
      'responseDeclaration',
      { identifier: identifierOf(id), cardinality: 'single', baseType: 'identifier' },
      correctResponse(
        qti,
        right.map((option) => identifierOf(option.id)),
      ) + writeMapping(qti, entries, share),
    )
  })
  const fields = new Map(
    content.gaps.map(({ id, options }) => {
      const choices = options.map((option) =>
        qti.element('inlineChoice', { identifier: identifierOf(option.id) }, escapeText(option.text)),
      )
      return [
        id,
        qti.element(
          'inlineChoiceInteraction',
          { responseIdentifier: identifierOf(id), shuffle: true },
          choices.join(''),
        ),
      ]
    }),
  )
  return written(content, writer, responses, fields)
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
