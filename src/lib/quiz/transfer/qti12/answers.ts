import type { Markup } from '#lib/course/transfer/markup.ts'
import { textContent } from '#lib/course/transfer/markup.ts'
import { plainTextOf } from '../../question/rich-text-schema.ts'
import {
  acceptedTexts,
  noteMultipleShares,
  partIds,
  percentToShare,
  type ReadNumber,
  type ReadText,
  readOptions,
  requiredNumbers,
  textLineOf,
} from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { readHotspot } from './hotspot.ts'
import type { Qti12Item, ReadResponse } from './item.ts'

/** The part of a question that depends on its type. Throws SkippedQuestion. */
export function readQti12Answers(item: Qti12Item) {
  const { kind, responses } = item
  const [first, second] = responses
  if (item.hasGrid) throw new SkippedQuestion('type_unsupported')
  if (/file_upload|upload/.test(kind)) return { type: 'fileUpload' }
  if (!first) throw new SkippedQuestion(/essay/.test(kind) ? 'no_answers' : 'not_a_question')
  if (kind === 'hot_spot_question' && first.name === 'response_xy' && !second) return readHotspot(item, first)
  if (responses.some(({ name }) => name === 'response_xy' || name === 'response_grp'))
    throw new SkippedQuestion('type_unsupported')
  if (first.isText && !second) return readTextAnswer(item, first)
  if (
    /matching/.test(kind) ||
    (second && responses.every(({ prompt, isText }) => prompt.length > 0 && !isText) && !hasBlanks(item))
  )
    return readQti12Matching(item)
  if (second || /multiple_blanks|multiple_dropdowns/.test(kind)) return readGaps(item)
  if (first.cardinality === 'ordered') return readOrdering(item, first)
  return readChoice(item, first)
}

const fractionText = (fraction: number): number => percentToShare(fraction * 100)

/** The shares of labels of one response. */
function sharesOf({ conditions }: Qti12Item, { ident, cardinality }: ReadResponse): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { tests, fraction } of conditions) {
    const right = tests.filter((test) => test.kind === 'equal' && test.ident === ident && !test.negated)
    const share = cardinality === 'multiple' && right.length > 1 ? fraction / right.length : fraction
    for (const { value } of right)
      if (!shares.has(value) || Math.abs(shares.get(value) ?? 0) < Math.abs(share)) shares.set(value, share)
  }
  return shares
}

function readChoice(item: Qti12Item, response: ReadResponse) {
  const { texts, kind, conditions } = item
  const shares = sharesOf(item, response)
  const shareOf = (ident: string) => shares.get(ident) ?? 0
  const labels = response.labels.map(({ ident, nodes }) => ({
    id: ident,
    content: texts.nodes(nodes),
    fraction: fractionText(shareOf(ident)),
    explanation: item.feedback(ident),
  }))
  if (/true_?false/.test(kind) && labels.length === 2) {
    const isTrue = ({ content, id }: (typeof labels)[number]) =>
      /^(true|yes|t)$/i.test(plainTextOf(content)) || /^true$/i.test(id)
    const whenTrue = labels.find(isTrue)
    const whenFalse = labels.find((label) => label !== whenTrue)
    if (whenTrue && whenFalse) {
      const correct = whenTrue.fraction > 0 ? true : whenFalse.fraction > 0 ? false : null
      return {
        type: 'trueFalse',
        correct,
        trueExplanation: whenTrue.explanation,
        falseExplanation: whenFalse.explanation,
      }
    }
  }
  if (response.cardinality !== 'multiple') return { type: 'single', options: readOptions(labels) }
  // A single condition for all right options together means no partial credit.
  const partialCredit = conditions.some(
    ({ tests, isAdded }) => isAdded || tests.filter(({ negated }) => !negated).length === 1,
  )
  if (partialCredit) noteMultipleShares(labels, item.note)
  return { type: 'multiple', options: readOptions(labels), partialCredit }
}

function readOrdering(item: Qti12Item, response: ReadResponse) {
  const sequence = item.conditions
    .find(({ fraction }) => fraction > 0)
    ?.tests.filter(({ kind, negated }) => kind === 'equal' && !negated)
    .map(({ value }) => value)
  const labels = (sequence ?? []).flatMap((ident) => response.labels.find((label) => label.ident === ident) ?? [])
  if (labels.length < 2) throw new SkippedQuestion('no_answers')
  if (labels.length < response.labels.length) item.note('scoring_changed')
  const ids = partIds(
    labels.map(({ ident }) => ident),
    'i',
  )
  return {
    type: 'ordering',
    items: labels.map(({ nodes }, index) => ({ id: ids[index], content: item.texts.nodes(nodes) })),
    partialCredit: false,
  }
}

function readTextAnswer(item: Qti12Item, response: ReadResponse) {
  const { kind, conditions, note } = item
  const tests = conditions.flatMap(({ tests: list, fraction }) =>
    list
      .filter(({ ident, negated }) => !negated && (ident === response.ident || ident === ''))
      .map((test) => ({ ...test, fraction })),
  )
  const isNumber = /numerical|numeric/.test(kind) || response.isNumber
  if (tests.length === 0) return { type: isNumber ? 'number' : 'essay', ...(isNumber ? { accepted: [] } : {}) }
  if (isNumber) return readNumber(item, response)
  if (/essay/.test(kind)) return { type: 'essay' }
  const list = tests.filter((test) => test.kind === 'equal')
  // A part of the text is not enough here, and all texts are compared in the same way.
  if (list.some(({ isPart, caseSensitive }) => isPart || caseSensitive !== list[0]?.caseSensitive))
    note('scoring_changed')
  const accepted = list.map(
    ({ value, fraction }): ReadText => ({
      text: value,
      fraction: fractionText(fraction),
      explanation: item.feedback(value),
    }),
  )
  return {
    type: 'shortText',
    accepted: acceptedTexts(accepted, note),
    caseSensitive: list.every(({ caseSensitive }) => caseSensitive),
  }
}

/**
 * Equal values, and ranges by their bounds; a range around an equal value is redundant, because that value has a
 * tolerance.
 */
function readNumber({ conditions, note }: Qti12Item, response: ReadResponse) {
  const list = conditions.flatMap(({ tests, fraction }): ReadNumber[] => {
    const own = tests.filter(({ ident, negated }) => !negated && ident === response.ident)
    const bound = (...kinds: string[]) => own.find(({ kind }) => kinds.includes(kind))?.value
    const [min, max] = [bound('least', 'above'), bound('most', 'below')]
    if (min !== undefined && max !== undefined) return [{ min, max, fraction: fractionText(fraction) }]
    const equal = bound('equal')
    return equal === undefined ? [] : [{ value: equal, fraction: fractionText(fraction) }]
  })
  if (conditions.some(({ tests }) => tests.some(({ kind }) => kind === 'above' || kind === 'below')))
    note('scoring_changed')
  return { type: 'number', accepted: requiredNumbers(list, note) }
}

function readQti12Matching(item: Qti12Item) {
  const { responses, texts, note } = item
  const texts12 = new Map<string, { id: string; nodes: readonly Markup[] }>()
  const choiceIdOf = (nodes: readonly Markup[]): string => {
    const key = JSON.stringify(nodes)
    const known = texts12.get(key) ?? { id: `c${texts12.size + 1}`, nodes }
    texts12.set(key, known)
    return known.id
  }
  noteUnequal(item, responses)
  // The labels of all responses have the same texts, often with different names.
  for (const { labels } of responses) for (const { nodes } of labels) choiceIdOf(nodes)
  const prompts = responses.map((response, index) => {
    const shares = sharesOf(item, response)
    const right = response.labels.filter(({ ident }) => (shares.get(ident) ?? 0) > 0)
    if (right.length > 1) note('scoring_changed')
    const [label] = right
    return {
      id: `p${index + 1}`,
      content: texts.nodes(response.prompt),
      choiceId: label ? choiceIdOf(label.nodes) : null,
    }
  })
  const choices = [...texts12.values()].map(({ id, nodes }) => ({ id, content: texts.nodes(nodes) }))
  return { type: 'matching', prompts, choices }
}

/** Notes responses with different points: here each has an equal part. */
function noteUnequal(item: Qti12Item, responses: readonly ReadResponse[]): void {
  const points = responses.map((response) => Math.max(0, ...sharesOf(item, response).values()))
  if (Math.max(...points) - Math.min(...points) > 0.011) item.note('scoring_changed')
}

/** The names in square brackets of a text to which the fields belong. */
const hasBlanks = ({ stemNodes, responses }: Qti12Item): boolean => {
  const text = stemNodes.map(textContent).join(' ')
  return responses.some((response) => text.includes(`[${blankName(response)}]`))
}

/** Canvas names the response after its gap: `response_color`, with the name as its text too. */
const blankName = ({ ident, prompt }: ReadResponse): string =>
  prompt.map(textContent).join('').trim() || ident.replace(/^response_/, '')

function readGaps(item: Qti12Item) {
  const { responses, note, kind } = item
  const names = responses.map(blankName)
  item.stemNodes = item.stemNodes.map((node) => withMarkers(node, names))
  const isMarked = names.every((_, index) =>
    textContent({ name: '', attributes: {}, children: item.stemNodes }).includes(`[[g${index + 1}]]`),
  )
  if (!isMarked) {
    // Without a position in the text, the fields follow it.
    note('type_changed')
    item.stemNodes = [
      ...item.stemNodes,
      ...names.map((_, index): Markup => ({ name: 'p', attributes: {}, children: [`[[g${index + 1}]]`] })),
    ]
  }
  const isSelect =
    !/multiple_blanks/.test(kind) && responses.every(({ isText, labels }) => !isText && labels.length > 1)
  noteUnequal(item, responses)
  const gaps = responses.map((response, index) => {
    const shares = sharesOf(item, response)
    const id = `g${index + 1}`
    const full = Math.max(0, ...shares.values()) || 1
    const labels = response.labels.map(({ ident, nodes }) => ({
      ident,
      text: textLineOf(nodes.map(textContent).join(' ').trim(), 200, note),
      fraction: fractionText((shares.get(ident) ?? 0) / full),
    }))
    if (isSelect)
      return { id, options: labels.map(({ text, fraction }, place) => ({ id: `o${place + 1}`, text, fraction })) }
    const typed =
      labels.length > 0 && !response.isText
        ? labels.map((label) => ({ ...label, fraction: label.fraction || (isBlanks(kind) ? 1 : 0) }))
        : []
    const values = [...shares].map(([text, fraction]) => ({ text, fraction: fractionText(fraction / full) }))
    return {
      id,
      accepted: acceptedTexts(
        (typed.length > 0 ? typed : values).filter(({ fraction }) => fraction > 0),
        note,
      ),
    }
  })
  return { type: isSelect ? 'gapSelect' : 'gapText', gaps }
}

/** In Canvas every text of a gap is right, although the conditions name only one. */
const isBlanks = (kind: string): boolean => /multiple_blanks/.test(kind)

function withMarkers(node: Markup, names: readonly string[]): Markup {
  if (typeof node !== 'string') return { ...node, children: node.children.map((child) => withMarkers(child, names)) }
  return names.reduce(
    (text, name, index) => (name === '' ? text : text.replace(`[${name}]`, `[[g${index + 1}]]`)),
    node,
  )
}
