import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { QuestionContent, QuestionContentOfType } from '../../question/schema.ts'
import { noteMultipleShares } from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import type { ItemWriter, WrittenInteraction } from './item-writer.ts'
import { identifierOf } from './names.ts'
import {
  baseValue,
  choiceRules,
  correctResponse,
  formatPoints,
  mapRules,
  matchRules,
  orderRules,
  RESPONSE,
  scaleRules,
  writeMapping,
} from './processing.ts'
import { writeHotspot } from './write-hotspot.ts'
import { writeGapText, writeNumber, writeSelectGaps, writeShortText } from './write-inline.ts'
import { writeMixedGaps } from './write-mixed-gaps.ts'

/** Throws SkippedQuestion for content that the standard does not support. */
export function writeInteraction(content: QuestionContent, writer: ItemWriter): WrittenInteraction {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return writeChoice(content, writer)
    case 'trueFalse':
      return writeTrueFalse(content, writer)
    case 'shortText':
      return writeShortText(content, writer)
    case 'number':
      return writeNumber(content, writer)
    case 'essay':
      return writeEssay(content, writer)
    case 'fileUpload':
      return writeUpload(content, writer)
    case 'matching':
      return writeMatching(content, writer)
    case 'ordering':
      return writeOrdering(content, writer)
    case 'gapText':
      return writeGapText(content, writer)
    case 'gapSelect':
      return writeSelectGaps(content, writer)
    case 'gapMixed':
      return writeMixedGaps(content, writer)
    case 'hotspot':
      return writeHotspot(content, writer)
    case 'scale':
      return writeScale(content, writer)
  }
}

const feedbackOf = (list: readonly { id: string; explanation: QuestionDoc | null }[]) =>
  list.flatMap(({ id, explanation }) => (explanation ? [{ id: identifierOf(id), text: explanation }] : []))

function writeChoice(content: QuestionContentOfType<'single' | 'multiple'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  const isSingle = content.type === 'single'
  const right = content.options.filter(({ fraction }) => (isSingle ? fraction === 1 : fraction > 0))
  const entries = content.options
    .filter(({ fraction }) => fraction !== 0)
    .map(({ id, fraction }) => ({ key: identifierOf(id), value: fraction * content.points }))
  const usesMapping = isSingle
    ? content.options.some(({ fraction }) => fraction !== 0 && fraction !== 1)
    : content.partialCredit
  if (!isSingle && !content.partialCredit && !isEven(content)) writer.note('scoring_changed')
  if (!isSingle && content.partialCredit) noteMultipleShares(content.options, writer.note)
  const cardinality = isSingle ? 'single' : 'multiple'
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality, baseType: 'identifier' },
    correctResponse(
      qti,
      right.map(({ id }) => identifierOf(id)),
    ) + (usesMapping ? writeMapping(qti, entries, content.points) : ''),
  )
  const choices = content.options.map(({ id, content: text }) =>
    qti.element('simpleChoice', { identifier: identifierOf(id) }, writer.inline(text)),
  )
  const interaction = qti.element(
    'choiceInteraction',
    { responseIdentifier: RESPONSE, shuffle: content.shuffle, maxChoices: isSingle ? 1 : 0 },
    choices.join(''),
  )
  const feedback = feedbackOf(content.options)
  return {
    responses: [declaration],
    body: writer.html(content.stem) + interaction,
    processing:
      (usesMapping ? mapRules(qti, [RESPONSE]) : matchRules(qti, content.points)) +
      choiceRules(qti, feedback.length > 0, isSingle),
    feedback,
  }
}

/** Whether all right options give the same share and no wrong one deducts. */
function isEven({ options }: QuestionContentOfType<'single' | 'multiple'>): boolean {
  const right = options.filter(({ fraction }) => fraction > 0).length
  return options.every(({ fraction }) => fraction === 0 || Math.abs(fraction - 1 / right) < 1e-9)
}

function writeTrueFalse(content: QuestionContentOfType<'trueFalse'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  const right = content.correct === null ? [] : [String(content.correct)]
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: 'single', baseType: 'identifier' },
    correctResponse(qti, right),
  )
  const choices = ['true', 'false'].map((id) => qti.element('simpleChoice', { identifier: id }, id))
  const interaction = qti.element(
    'choiceInteraction',
    { responseIdentifier: RESPONSE, shuffle: false, maxChoices: 1 },
    choices.join(''),
  )
  const feedback = feedbackOf([
    { id: 'true', explanation: content.trueExplanation },
    { id: 'false', explanation: content.falseExplanation },
  ])
  const processing = matchRules(qti, content.points) + choiceRules(qti, feedback.length > 0, true)
  return { responses: [declaration], body: writer.html(content.stem) + interaction, processing, feedback }
}

function writeEssay(content: QuestionContentOfType<'essay'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  if (content.minWords !== null || content.maxWords !== null) writer.note('settings_lost')
  const declaration = qti.element('responseDeclaration', {
    identifier: RESPONSE,
    cardinality: 'single',
    baseType: 'string',
  })
  const sample = content.sampleAnswer ? writer.html(content.sampleAnswer) : ''
  const inner = qti.version === 'qti30' && sample ? qti.element('contentBody', {}, sample) : sample
  const rubric = sample
    ? qti.element('rubricBlock', { view: 'scorer', ...(qti.version === 'qti30' ? { use: 'scoring' } : {}) }, inner)
    : ''
  const interaction = qti.element('extendedTextInteraction', { responseIdentifier: RESPONSE })
  return {
    responses: [declaration],
    body: writer.html(content.stem) + interaction + rubric,
    processing: '',
    feedback: [],
  }
}

const MIME_TYPES: Record<string, string> = {
  image: 'image/*',
  video: 'video/*',
  audio: 'audio/*',
  doc: 'application/pdf',
}

function writeUpload(content: QuestionContentOfType<'fileUpload'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  const [kind, other] = content.acceptTypes
  const type = other === undefined ? (MIME_TYPES[kind ?? ''] ?? null) : null
  if (content.maxFiles !== 1 || content.maxBytes !== 100 * 1024 ** 2 || (kind !== undefined && type === null))
    writer.note('settings_lost')
  const declaration = qti.element('responseDeclaration', {
    identifier: RESPONSE,
    cardinality: 'single',
    baseType: 'file',
  })
  const interaction = qti.element('uploadInteraction', { responseIdentifier: RESPONSE, type })
  return { responses: [declaration], body: writer.html(content.stem) + interaction, processing: '', feedback: [] }
}

function writeMatching(content: QuestionContentOfType<'matching'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  // Identifiers of both sides have to be unique together.
  const promptId = (id: string) => (content.choices.some((choice) => choice.id === id) ? `p-${id}` : identifierOf(id))
  const pairs = content.prompts.flatMap(({ id, choiceId }) =>
    choiceId === null ? [] : [`${promptId(id)} ${identifierOf(choiceId)}`],
  )
  const entries = pairs.map((key) => ({ key, value: content.points / content.prompts.length }))
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: 'multiple', baseType: 'directedPair' },
    correctResponse(qti, pairs) + (content.partialCredit ? writeMapping(qti, entries, content.points) : ''),
  )
  const choice = (identifier: string, matchMax: number, text: QuestionDoc) =>
    qti.element('simpleAssociableChoice', { identifier, matchMax }, writer.inline(text))
  const prompts = content.prompts.map(({ id, content: text }) => choice(promptId(id), 1, text))
  const choices = content.choices.map(({ id, content: text }) => choice(identifierOf(id), content.prompts.length, text))
  const sets = [prompts, choices].map((list) => qti.element('simpleMatchSet', {}, list.join('')))
  const interaction = qti.element(
    'matchInteraction',
    { responseIdentifier: RESPONSE, shuffle: true, maxAssociations: content.prompts.length },
    sets.join(''),
  )
  return {
    responses: [declaration],
    body: writer.html(content.stem) + interaction,
    processing: content.partialCredit ? mapRules(qti, [RESPONSE]) : matchRules(qti, content.points),
    feedback: [],
  }
}

function writeOrdering(content: QuestionContentOfType<'ordering'>, writer: ItemWriter): WrittenInteraction {
  // Positions count there, and here the longest sequence in the right order.
  if (content.partialCredit) writer.note('scoring_changed')
  const { qti } = writer
  const ids = content.items.map(({ id }) => identifierOf(id))
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: 'ordered', baseType: 'identifier' },
    correctResponse(qti, ids),
  )
  const choices = content.items.map(({ content: text }, index) =>
    qti.element('simpleChoice', { identifier: ids[index] ?? '' }, writer.inline(text)),
  )
  // Without shuffling every program would show the answer.
  const interaction = qti.element('orderInteraction', { responseIdentifier: RESPONSE, shuffle: true }, choices.join(''))
  const processing = content.partialCredit
    ? orderRules(qti, content.items.length, content.points)
    : matchRules(qti, content.points)
  return { responses: [declaration], body: writer.html(content.stem) + interaction, processing, feedback: [] }
}

const MAX_SCALE_VALUES = 200

function writeScale(content: QuestionContentOfType<'scale'>, writer: ItemWriter): WrittenInteraction {
  const { qti } = writer
  const { min, max, step, correct } = content
  if (content.minLabel !== '' || content.maxLabel !== '') writer.note('settings_lost')
  const values: number[] = []
  for (let value = correct?.min ?? max + 1; value <= (correct?.max ?? max); value += 1) {
    if (values.length >= MAX_SCALE_VALUES) throw new SkippedQuestion('type_unsupported')
    values.push(value)
  }
  const entries = values.map((value) => ({ key: String(value), value: content.points }))
  const declaration = qti.element(
    'responseDeclaration',
    { identifier: RESPONSE, cardinality: 'single', baseType: 'integer' },
    correctResponse(qti, values.slice(0, 1).map(String)) +
      (entries.length > 0 ? writeMapping(qti, entries, content.points) : ''),
  )
  const interaction = qti.element('sliderInteraction', {
    responseIdentifier: RESPONSE,
    lowerBound: min,
    upperBound: max,
    step,
  })
  const processing = correct
    ? mapRules(qti, [RESPONSE])
    : scaleRules(qti, baseValue(qti, 'float', formatPoints(content.points)))
  return { responses: [declaration], body: writer.html(content.stem) + interaction, processing, feedback: [] }
}
