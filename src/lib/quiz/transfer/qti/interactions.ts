import { childAt, childrenOf, type Markup, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { noteMultipleShares, partIds, readOptions } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { elementsOf } from '../xml.ts'
import { readHotspot, readSelectPoint } from './hotspot.ts'
import { noteUnusedFeedback, type QtiItem, responseOf } from './item.ts'
import { fullScore, sharesOf } from './response.ts'

/** The question of an item with one block interaction. Throws SkippedQuestion. */
export function readInteraction(source: QtiItem, interaction: MarkupElement) {
  switch (interaction.name) {
    case 'choiceInteraction':
      return readChoice(source, interaction, childrenOf(interaction, 'simpleChoice'))
    case 'hottextInteraction':
      source.note('type_changed')
      return readChoice(source, interaction, elementsOf(interaction, 'hottext'))
    case 'orderInteraction':
      return readOrder(source, interaction)
    case 'matchInteraction':
      return readMatch(source, interaction)
    case 'gapMatchInteraction':
      return readGapMatch(source, interaction)
    case 'extendedTextInteraction':
      return readExtendedText(source, interaction)
    case 'uploadInteraction':
      return { type: 'fileUpload', ...stemAndPoints(source, interaction), acceptTypes: acceptTypes(interaction) }
    case 'sliderInteraction':
      return readSlider(source, interaction)
    case 'hotspotInteraction':
      return { ...stemAndPoints(source, interaction), ...readHotspot(source, interaction) }
    case 'selectPointInteraction':
      return { ...stemAndPoints(source, interaction), ...readSelectPoint(source, interaction) }
    default:
      throw new SkippedQuestion('type_unsupported')
  }
}

/** The body with the prompt in the position of the interaction, and the points of its mapping. */
function stemAndPoints(source: QtiItem, interaction: MarkupElement): { stem: QuestionDoc; points: number } {
  const response = source.scoring.responses.get(interaction.attributes.responseIdentifier ?? '')
  const points = response?.mapping ? fullScore(response, source.scoring.maxScore) : 1
  return { stem: source.stemWith(() => promptOf(interaction)), points: Math.round(Math.min(1000, points) * 100) / 100 }
}

const promptOf = (interaction: MarkupElement): Markup[] =>
  childrenOf(interaction, 'prompt').map((prompt) => ({ name: 'div', attributes: {}, children: prompt.children }))

/** The text of a choice without the feedback inside. */
const contentOf = (choice: MarkupElement): Markup[] =>
  choice.children.filter((child) => typeof child === 'string' || !/^feedback/.test(child.name))

const feedbackOf = (choice: MarkupElement): Markup[] =>
  ['feedbackInline', 'feedbackBlock'].flatMap((name) => childrenOf(choice, name)).flatMap(({ children }) => children)

function readChoice(source: QtiItem, interaction: MarkupElement, choices: readonly MarkupElement[]) {
  const { texts, feedback, scoring } = source
  const response = responseOf(source, interaction)
  const shareOf = sharesOf(response, scoring.maxScore)
  const ids = choices.map(({ attributes }) => attributes.identifier ?? '')
  noteUnusedFeedback(source, ids)
  const explanationOf = (choice: MarkupElement, id: string) =>
    feedback.get(id) ?? texts.optional(texts.nodes(feedbackOf(choice)))
  const isHottext = interaction.name === 'hottextInteraction'
  const common = isHottext
    ? { ...stemAndPoints(source, interaction), stem: source.stemWith(() => interaction.children) }
    : stemAndPoints(source, interaction)
  if (ids.length === 2 && ids[0] === 'true' && ids[1] === 'false') {
    const [whenTrue, whenFalse] = choices.map((choice, index) => explanationOf(choice, ids[index] ?? ''))
    const correct = shareOf('true') > 0 ? true : shareOf('false') > 0 ? false : null
    return {
      type: 'trueFalse',
      ...common,
      correct,
      trueExplanation: whenTrue ?? null,
      falseExplanation: whenFalse ?? null,
    }
  }
  const list = choices.map((choice, index) => ({
    id: ids[index] ?? '',
    content: texts.nodes(contentOf(choice)),
    fraction: shareOf(ids[index] ?? ''),
    explanation: explanationOf(choice, ids[index] ?? ''),
  }))
  const isSingle = response.cardinality === 'single'
  if (!isSingle && scoring.isPartial) noteMultipleShares(list, source.note)
  return {
    type: isSingle ? 'single' : 'multiple',
    ...common,
    options: readOptions(list),
    shuffle: interaction.attributes.shuffle === 'true',
    partialCredit: isSingle || scoring.isPartial,
  }
}

function readOrder(source: QtiItem, interaction: MarkupElement) {
  const response = responseOf(source, interaction)
  const choices = childrenOf(interaction, 'simpleChoice')
  const positions = new Map(response.correct.map((id, index) => [id, index]))
  const placed = choices.filter(({ attributes }) => positions.has(attributes.identifier ?? ''))
  if (placed.length === 0) throw new SkippedQuestion('no_answers')
  // Choices without a position cannot be ordered.
  if (placed.length < choices.length) source.note('scoring_changed')
  const positionOf = ({ attributes }: MarkupElement) => positions.get(attributes.identifier ?? '') ?? 0
  const sorted = placed.toSorted((a, b) => positionOf(a) - positionOf(b))
  const ids = partIds(
    sorted.map(({ attributes }) => attributes.identifier),
    'i',
  )
  // Here the longest sequence in the right order counts, not the positions.
  if (source.scoring.isPartial) source.note('scoring_changed')
  const items = sorted.map((choice, index) => ({ id: ids[index], content: source.texts.nodes(contentOf(choice)) }))
  return { type: 'ordering', ...stemAndPoints(source, interaction), items, partialCredit: source.scoring.isPartial }
}

/** A side whose elements have one partner each becomes the prompts. */
function readMatch(source: QtiItem, interaction: MarkupElement) {
  const response = responseOf(source, interaction)
  const [first = [], second = []] = childrenOf(interaction, 'simpleMatchSet').map((set) =>
    childrenOf(set, 'simpleAssociableChoice'),
  )
  const mapped = response.mapping?.filter(({ value }) => value > 0).map(({ key }) => key) ?? []
  const pairs = [...new Set([...response.correct, ...mapped])].map((pair) => pair.split(/\s+/))
  const isFunction = (side: 0 | 1) => new Set(pairs.map((pair) => pair[side])).size === pairs.length
  const isSwapped = !isFunction(0)
  if (isSwapped && !isFunction(1)) throw new SkippedQuestion('type_unsupported')
  if (isSwapped) source.note('type_changed')
  // Here each pair has an equal part of the points.
  if (new Set(response.mapping?.map(({ value }) => value.toPrecision(9))).size > 1) source.note('scoring_changed')
  const [left, right] = isSwapped ? [second, first] : [first, second]
  const partnerOf = (id: string) => pairs.find((pair) => pair[isSwapped ? 1 : 0] === id)?.[isSwapped ? 0 : 1]
  const idsOf = (list: readonly MarkupElement[], letter: string) =>
    partIds(
      list.map(({ attributes }) => attributes.identifier),
      letter,
    )
  const [promptIds, choiceIds] = [idsOf(left, 'p'), idsOf(right, 'c')]
  const choiceIdOf = (id: string | undefined) => {
    const at = right.findIndex(({ attributes }) => attributes.identifier === id)
    return at < 0 ? null : (choiceIds[at] ?? null)
  }
  // A prompt without a partner would not have a right answer.
  const prompts = left.flatMap((prompt, index) => {
    const choiceId = choiceIdOf(partnerOf(prompt.attributes.identifier ?? ''))
    if (choiceId === null) source.note('scoring_changed')
    return choiceId === null ? [] : [{ id: promptIds[index], content: source.texts.nodes(contentOf(prompt)), choiceId }]
  })
  const choices = right.map((choice, index) => ({
    id: choiceIds[index],
    content: source.texts.nodes(contentOf(choice)),
  }))
  if (prompts.length === 0) throw new SkippedQuestion('no_answers')
  return {
    type: 'matching',
    ...stemAndPoints(source, interaction),
    prompts,
    choices,
    partialCredit: source.scoring.isPartial,
  }
}

/** Texts that are dragged into gaps become lists in the gaps. */
function readGapMatch(source: QtiItem, interaction: MarkupElement) {
  source.note('type_changed')
  const response = responseOf(source, interaction)
  const texts = childrenOf(interaction, 'gapText')
  if (texts.length === 0) throw new SkippedQuestion('type_unsupported')
  const pairs = new Set([
    ...response.correct,
    ...(response.mapping?.filter(({ value }) => value > 0).map(({ key }) => key) ?? []),
  ])
  const gaps: unknown[] = []
  const withMarkers = (nodes: readonly Markup[]): Markup[] =>
    nodes.flatMap((node): Markup[] => {
      if (typeof node === 'string') return [node]
      if (node.name === 'gapText' || node.name === 'gapImg' || node.name === 'prompt') return []
      if (node.name !== 'gap') return [{ ...node, children: withMarkers(node.children) }]
      const id = `g${gaps.length + 1}`
      const offered = texts.map((text, index) => ({
        id: `o${index + 1}`,
        text: textContent(text).replace(/\s+/g, ' ').trim().slice(0, 200),
        fraction: pairs.has(`${text.attributes.identifier} ${node.attributes.identifier}`) ? 1 : 0,
      }))
      gaps.push({ id, options: offered })
      return [`[[${id}]]`]
    })
  const stem = source.stemWith(() => [...promptOf(interaction), ...withMarkers(interaction.children)])
  const { points } = stemAndPoints(source, interaction)
  return { type: 'gapSelect', stem, points, gaps, partialCredit: source.scoring.isPartial }
}

function readExtendedText(source: QtiItem, interaction: MarkupElement) {
  const rubric = childrenOf(source.body, 'rubricBlock').find(({ attributes }) => attributes.view?.includes('scorer'))
  const sampleAnswer = rubric
    ? source.texts.optional(source.texts.nodes((childAt(rubric, 'contentBody') ?? rubric).children))
    : null
  return { type: 'essay', ...stemAndPoints(source, interaction), sampleAnswer }
}

function acceptTypes({ attributes }: MarkupElement): string[] {
  const kinds = (attributes.type ?? '').split(/[\s,]+/).flatMap((mime) => {
    const kind = /^(image|video|audio)\//.exec(mime)?.[1]
    return kind ?? (/pdf|word|document|text/.test(mime) ? ['doc'] : [])
  })
  return [...new Set(kinds)]
}

function readSlider(source: QtiItem, interaction: MarkupElement) {
  const response = responseOf(source, interaction)
  const bounds = ['lowerBound', 'upperBound', 'step'].map((name) => Number(interaction.attributes[name] || Number.NaN))
  const [min = 0, max = 0, step = 1] = bounds
  const right = [
    ...response.correct,
    ...(response.mapping?.filter(({ value }) => value > 0).map(({ key }) => key) ?? []),
  ].map(Number)
  if (![min, max, ...right].every(Number.isInteger)) throw new SkippedQuestion('type_unsupported')
  const correct = right.length > 0 ? { min: Math.min(...right), max: Math.max(...right) } : null
  const { stem, points } = stemAndPoints(source, interaction)
  return {
    type: 'scale',
    stem,
    points: response.mapping ? 1 : points,
    min,
    max,
    step: Number.isInteger(step) && step > 0 ? step : 1,
    correct,
  }
}
