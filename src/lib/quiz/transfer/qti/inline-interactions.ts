import { childAt, childrenOf, type Markup, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { acceptedTexts, partIds, type ReadNumber, type ReadText, requiredNumbers, textLineOf } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { elementsOf } from '../xml.ts'
import { noteUnusedFeedback, type QtiItem, responseOf } from './item.ts'
import { fullScore, parseQtiNumber, type ResponseDeclaration, sharesOf } from './response.ts'

const NUMBER_TYPES = new Set(['float', 'integer'])
/** Set by the export on the fields of gaps, so that a single gap is not imported as a short answer. */
export const GAP_CLASS = 'gap'

/** The question of an item with inline interactions. */
export function readInlineInteractions(source: QtiItem, interactions: readonly MarkupElement[]) {
  const [first] = interactions
  if (!first) throw new SkippedQuestion('not_a_question')
  const responses = interactions.map((interaction) => responseOf(source, interaction))
  const isEven = new Set(responses.map((response) => fullPoints(source, response).toPrecision(9))).size === 1
  const isMenu = interactions.every(({ name }) => name === 'inlineChoiceInteraction')
  if (isMenu && isEven) return readSelectGaps(source, interactions)
  const isGap = first.attributes.class?.split(/\s+/).includes(GAP_CLASS)
  if (interactions.length === 1 && !isGap) return readEntry(source, first)
  const isText = interactions.every(({ name }) => name === 'textEntryInteraction')
  if (isText && isEven && responses.every(({ baseType }) => !NUMBER_TYPES.has(baseType)))
    return readTextGaps(source, interactions)
  return readMixedGaps(source, interactions)
}

function readEntry(source: QtiItem, interaction: MarkupElement) {
  const response = responseOf(source, interaction)
  const stem = source.stemWith(() => (isAlone(source.body, interaction) ? [] : [' _____ ']))
  const points = pointsOf(source, [response])
  if (NUMBER_TYPES.has(response.baseType)) {
    const ruled = readNumberRules(source, response.identifier)
    const full = source.scoring.maxScore || 1
    const list =
      ruled.length > 0
        ? ruled.map((entry) => ({ ...entry, fraction: entry.fraction / full }))
        : textsOf(source, response).map(({ text, ...entry }) => ({ value: text, ...entry }))
    noteUnusedFeedback(
      source,
      list.map((_, index) => `n${index + 1}`),
    )
    return { type: 'number', stem, points, accepted: requiredNumbers(list, source.note), unit: unitOf(interaction) }
  }
  const list = textsOf(source, response)
  noteUnusedFeedback(
    source,
    list.map((_, index) => `t${index + 1}`),
  )
  const caseSensitive = response.mapping?.some((entry) => entry.caseSensitive) ?? false
  return { type: 'shortText', stem, points, accepted: acceptedTexts(list, source.note), caseSensitive }
}

const unitOf = ({ attributes }: MarkupElement): string => attributes['data-unit']?.slice(0, 40) ?? ''

/** Whether the field is alone in a paragraph. */
function isAlone(node: MarkupElement, interaction: MarkupElement): boolean {
  if (node.children.includes(interaction))
    return (
      node.name !== 'itemBody' &&
      node.children.every((child) => child === interaction || (typeof child === 'string' && child.trim() === ''))
    )
  return node.children.some((child) => typeof child !== 'string' && isAlone(child, interaction))
}

/** Accepted texts with their shares: of the mapping, and the declared response. */
function textsOf({ feedback, scoring }: QtiItem, response: ResponseDeclaration): ReadText[] {
  const shareOf = sharesOf(
    response,
    response.mapping ? scoringPoints(response, scoring.maxScore, scoring.responses.size) : null,
  )
  const keys = response.mapping ? response.mapping.map(({ key }) => key) : response.correct
  const all = [...new Set([...keys, ...response.correct])]
  return all.map((text, index) => ({
    text,
    fraction: keys.includes(text) ? shareOf(text) : 1,
    explanation: feedback.get(`t${index + 1}`) ?? feedback.get(`n${index + 1}`) ?? null,
  }))
}

/** With several fields, the points of the item are divided among them. */
const scoringPoints = (response: ResponseDeclaration, maxScore: number | null, fields: number): number | null =>
  fields > 1 ? fullScore(response, null) : maxScore

function pointsOf({ scoring }: QtiItem, responses: readonly ResponseDeclaration[]): number {
  if (scoring.maxScore !== null || !responses.some(({ mapping }) => mapping)) return 1
  const sum = responses.reduce((total, response) => total + fullScore(response, null), 0)
  return Math.round(Math.min(1000, sum) * 100) / 100
}

/**
 * Conditions of the form that the export writes: equal with a tolerance, or between two bounds, with the points that
 * they give as `fraction`.
 */
function readNumberRules({ item, feedback }: QtiItem, identifier: string): ReadNumber[] {
  const processing = childAt(item, 'responseProcessing')
  if (!processing) return []
  const branches = ['responseIf', 'responseElseIf'].flatMap((name) => elementsOf(processing, name))
  return branches
    .flatMap((branch): ReadNumber[] => {
      const outcome = childrenOf(branch, 'setOutcomeValue').find(({ attributes }) => attributes.identifier === 'SCORE')
      const [points] = outcome ? elementsOf(outcome, 'baseValue') : []
      const isOwn = elementsOf(branch, 'variable').some(({ attributes }) => attributes.identifier === identifier)
      if (!points || !isOwn) return []
      const fraction = parseQtiNumber(textContent(points))
      const [equal] = elementsOf(branch, 'equal')
      const valueIn = (name: string) =>
        textContent(elementsOf(branch, name).flatMap((rule) => childrenOf(rule, 'baseValue'))[0]).trim()
      const number = equal
        ? {
            value: valueIn('equal'),
            tolerance:
              equal.attributes.toleranceMode === 'absolute'
                ? (equal.attributes.tolerance?.split(/\s+/)[0] ?? '0')
                : '0',
          }
        : { min: valueIn('gte'), max: valueIn('lte') }
      return Object.values(number).includes('') ? [] : [{ ...number, fraction }]
    })
    .map((entry, index) => ({ ...entry, explanation: feedback.get(`n${index + 1}`) ?? null }))
}

function gapIds(interactions: readonly MarkupElement[]): string[] {
  return partIds(
    interactions.map(({ attributes }) => attributes.responseIdentifier),
    'g',
  )
}

function withMarkers(source: QtiItem, interactions: readonly MarkupElement[], ids: readonly string[]): QuestionDoc {
  return source.stemWith((interaction): Markup[] => [`[[${ids[interactions.indexOf(interaction)]}]]`])
}

function readTextGaps(source: QtiItem, interactions: readonly MarkupElement[]) {
  const ids = gapIds(interactions)
  const responses = interactions.map((interaction) => responseOf(source, interaction))
  const gaps = responses.map((response, index) => {
    return {
      id: ids[index],
      accepted: acceptedTexts(
        textsOf({ ...source, feedback: new Map() }, response).filter(({ fraction }) => fraction > 0),
        source.note,
      ),
    }
  })
  noteUnusedFeedback(source, [])
  const caseSensitive = responses.some(({ mapping }) => mapping?.some((entry) => entry.caseSensitive))
  return {
    type: 'gapText',
    stem: withMarkers(source, interactions, ids),
    points: pointsOf(source, responses),
    gaps,
    caseSensitive,
  }
}

/** Fields and lists of several kinds or with different points. */
function readMixedGaps(source: QtiItem, interactions: readonly MarkupElement[]) {
  const ids = gapIds(interactions)
  const quiet = { ...source, feedback: new Map<string, QuestionDoc>() }
  const gaps = interactions.map((interaction, index) => {
    const response = responseOf(source, interaction)
    const common = { id: ids[index], weight: Math.min(1000, fullPoints(source, response)) }
    if (interaction.name === 'inlineChoiceInteraction')
      return { ...common, kind: 'menu', options: readMenu(source, interaction, response) }
    if (!NUMBER_TYPES.has(response.baseType)) {
      const list = textsOf(quiet, response)
      const caseSensitive = response.mapping?.some((entry) => entry.caseSensitive) ?? false
      return { ...common, kind: 'text', accepted: acceptedTexts(list, source.note), caseSensitive }
    }
    const ruled = readNumberRules(quiet, response.identifier)
    const full = fullPoints(source, response)
    const list =
      ruled.length > 0
        ? ruled.map((entry) => ({ ...entry, fraction: entry.fraction / full }))
        : textsOf(quiet, response).map(({ text, ...entry }) => ({ value: text, ...entry }))
    return { ...common, kind: 'number', accepted: requiredNumbers(list, source.note) }
  })
  noteUnusedFeedback(source, [])
  return {
    type: 'gapMixed',
    stem: withMarkers(source, interactions, ids),
    points: pointsOf(
      source,
      interactions.map((interaction) => responseOf(source, interaction)),
    ),
    gaps,
  }
}

/** The points of a field: of its mapping or its conditions; 1 where all fields have an equal part. */
function fullPoints(source: QtiItem, response: ResponseDeclaration): number {
  if (response.mapping || !NUMBER_TYPES.has(response.baseType)) return fullScore(response, null)
  return Math.max(0, ...readNumberRules(source, response.identifier).map(({ fraction }) => fraction)) || 1
}

const lineOf = (element: MarkupElement): string => textContent(element).replace(/\s+/g, ' ').trim()

function readSelectGaps(source: QtiItem, interactions: readonly MarkupElement[]) {
  const ids = gapIds(interactions)
  const responses = interactions.map((interaction) => responseOf(source, interaction))
  const gaps = interactions.map((interaction, index) => {
    const response = responses[index]
    return { id: ids[index], options: response ? readMenu(source, interaction, response) : [] }
  })
  noteUnusedFeedback(source, [])
  return { type: 'gapSelect', stem: withMarkers(source, interactions, ids), points: pointsOf(source, responses), gaps }
}

function readMenu(source: QtiItem, interaction: MarkupElement, response: ResponseDeclaration) {
  const shareOf = sharesOf(response, null)
  const choices = childrenOf(interaction, 'inlineChoice')
  const optionIds = partIds(
    choices.map(({ attributes }) => attributes.identifier),
    'o',
  )
  return choices.map((choice, place) => ({
    id: optionIds[place],
    text: textLineOf(lineOf(choice), 200, source.note),
    fraction: Number(Math.max(-1, Math.min(1, shareOf(choice.attributes.identifier ?? ''))).toPrecision(12)),
  }))
}
