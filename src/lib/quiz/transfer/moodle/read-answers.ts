import { childAt, childrenOf, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import { isEmptyText } from '../../question/rules.ts'
import {
  acceptedTexts,
  noteMultipleShares,
  partIds,
  percentToShare,
  readOptions,
  requiredNumbers,
  textLineOf,
} from '../parts.ts'
import { SkippedQuestion } from '../question-reader.ts'
import { readClozeQuestion } from './read-cloze.ts'
import type { MoodleTexts } from './texts.ts'
import { hasWildcard, unescapeAsterisks } from './wildcards.ts'

/** The part of a question that depends on its type. Throws SkippedQuestion for types that are not imported. */
export function readMoodleAnswers(type: string, element: MarkupElement, texts: MoodleTexts) {
  switch (type) {
    case 'multichoice':
    case 'multichoiceset':
      return readChoice(type, element, texts)
    case 'truefalse':
      return readTrueFalse(element, texts)
    case 'shortanswer':
      return readShortAnswer(element, texts)
    case 'numerical':
      return readNumerical(element, texts)
    case 'essay':
      return readEssay(element, texts)
    case 'matching':
    case 'match':
    case 'ddmatch':
      return readMoodleMatching(element, texts)
    case 'ordering':
      return readOrdering(element, texts)
    case 'gapselect':
    case 'ddwtos':
      return readGapSelect(type, element, texts)
    case 'cloze':
    case 'multianswer':
      return readClozeQuestion(element, texts)
    case 'calculated':
    case 'calculatedmulti':
    case 'calculatedsimple':
      throw new SkippedQuestion('calculated_unsupported')
    default:
      throw new SkippedQuestion('type_unsupported')
  }
}

const isYes = (text: string, fallback: boolean): boolean => (text === '' ? fallback : text === 'true' || text === '1')

const fractionOf = (answer: MarkupElement): number =>
  percentToShare(Number.parseFloat(answer.attributes.fraction ?? '0'))

function readAnswerList(element: MarkupElement, texts: MoodleTexts) {
  return childrenOf(element, 'answer').map((answer) => ({
    answer,
    fraction: fractionOf(answer),
    explanation: texts.optional(childAt(answer, 'feedback')),
  }))
}

function readChoice(type: string, element: MarkupElement, texts: MoodleTexts) {
  const list = readAnswerList(element, texts).map(({ answer, ...entry }) => ({ ...entry, content: texts.text(answer) }))
  const isSingle = type === 'multichoice' && isYes(textAtPath(element, 'single'), true)
  const shuffle = isYes(textAtPath(element, 'shuffleanswers'), true)
  if (isSingle) return { type: 'single', options: readOptions(list), shuffle }
  if (type === 'multichoice') {
    noteMultipleShares(list, texts.note)
    return { type: 'multiple', options: readOptions(list), shuffle }
  }
  // No partial credit: each right option has 100 %.
  const right = list.filter(({ fraction }) => fraction > 0).length
  const shared = list.map((entry) => ({ ...entry, fraction: entry.fraction > 0 ? 1 / right : 0 }))
  return { type: 'multiple', options: readOptions(shared), shuffle, partialCredit: false }
}

function readTrueFalse(element: MarkupElement, texts: MoodleTexts) {
  const list = readAnswerList(element, texts)
  const named = (name: string) => list.find(({ answer }) => textAtPath(answer, 'text').toLowerCase() === name)
  const [whenTrue, whenFalse] = [named('true') ?? list[0], named('false') ?? list[1]]
  const isDecided = (whenTrue?.fraction ?? 0) > 0 || (whenFalse?.fraction ?? 0) > 0
  return {
    type: 'trueFalse',
    correct: isDecided ? (whenTrue?.fraction ?? 0) > 0 : null,
    trueExplanation: whenTrue?.explanation ?? null,
    falseExplanation: whenFalse?.explanation ?? null,
  }
}

function readShortAnswer(element: MarkupElement, texts: MoodleTexts) {
  const list = readAnswerList(element, texts).map(({ answer, ...entry }) => ({
    ...entry,
    text: textAtPath(answer, 'text'),
  }))
  const wildcards = hasWildcard(list)
  const accepted = acceptedTexts(wildcards ? list : unescapeAsterisks(list), texts.note)
  return { type: 'shortText', accepted, caseSensitive: isYes(textAtPath(element, 'usecase'), false), wildcards }
}

function readNumerical(element: MarkupElement, texts: MoodleTexts) {
  const list = readAnswerList(element, texts).map(({ answer, ...entry }) => ({
    ...entry,
    value: textAtPath(answer, 'text'),
    tolerance: textAtPath(answer, 'tolerance') || '0',
  }))
  // Feedback on all other numbers.
  const numbers = list.filter(({ value }) => value !== '*')
  if (numbers.length < list.length) texts.note('feedback_lost')
  const accepted = requiredNumbers(numbers, texts.note)
  const units = childrenOf(childAt(element, 'units'), 'unit')
  const [unit] = units
  if (units.length > 1) texts.note('settings_lost')
  return { type: 'number', accepted, unit: unit ? textLineOf(textAtPath(unit, 'unit_name'), 40, texts.note) : '' }
}

const FILE_KINDS: Record<string, string> = {
  image: 'image',
  web_image: 'image',
  video: 'video',
  audio: 'audio',
  document: 'doc',
}

function readEssay(element: MarkupElement, texts: MoodleTexts) {
  const attachments = Number.parseInt(textAtPath(element, 'attachments') || '0', 10)
  if (textAtPath(element, 'responseformat') === 'noinline' && attachments !== 0) {
    const kinds = textAtPath(element, 'filetypeslist')
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean)
    const acceptTypes = kinds.flatMap((kind) => (/^\.[a-z0-9]{1,10}$/.test(kind) ? [kind] : (FILE_KINDS[kind] ?? [])))
    if (acceptTypes.length < kinds.length) texts.note('settings_lost')
    const maxBytes = Number(textAtPath(element, 'maxbytes'))
    return {
      type: 'fileUpload',
      acceptTypes: [...new Set(acceptTypes)],
      maxFiles: attachments > 0 ? Math.min(10, attachments) : 10,
      ...(maxBytes >= 1024 ? { maxBytes: Math.min(1024 ** 3, maxBytes) } : {}),
    }
  }
  if (attachments !== 0 || texts.source(childAt(element, 'responsetemplate')) !== '') texts.note('settings_lost')
  const wordsOf = (name: string) => {
    const words = Number.parseInt(textAtPath(element, name), 10)
    return words >= 1 && words <= 10_000 ? words : null
  }
  return {
    type: 'essay',
    minWords: wordsOf('minwordlimit'),
    maxWords: wordsOf('maxwordlimit'),
    sampleAnswer: texts.optional(childAt(element, 'graderinfo')),
  }
}

function readMoodleMatching(element: MarkupElement, texts: MoodleTexts) {
  const ids = new Map<string, string>()
  const prompts = childrenOf(element, 'subquestion').flatMap((pair, index) => {
    const answer = textAtPath(pair, 'answer', 'text')
    const choiceId = ids.get(answer) ?? `c${ids.size + 1}`
    ids.set(answer, choiceId)
    const content = texts.text(pair)
    return texts.source(pair) === '' && isEmptyText(content) ? [] : [{ id: `p${index + 1}`, content, choiceId }]
  })
  if (prompts.length === 0) throw new SkippedQuestion('no_answers')
  const choices = [...ids].map(([text, id]) => ({ id, content: texts.plain(text) }))
  return { type: 'matching', prompts, choices }
}

function readOrdering(element: MarkupElement, texts: MoodleTexts) {
  const answers = childrenOf(element, 'answer').toSorted(
    (a, b) => Number(a.attributes.fraction) - Number(b.attributes.fraction),
  )
  if (answers.length === 0) throw new SkippedQuestion('no_answers')
  const grading = textAtPath(element, 'gradingtype')
  const ids = partIds(
    answers.map(() => undefined),
    'i',
  )
  const items = answers.map((answer, index) => ({ id: ids[index], content: texts.text(answer) }))
  const partialCredit = grading !== 'ALL_OR_NOTHING' && grading !== '-1'
  // Positions or pairs count there, and here the longest sequence in the right order.
  if (partialCredit) texts.note('scoring_changed')
  return { type: 'ordering', items, partialCredit }
}

/** Markers `[[2]]` contain the number of the right option; the options of its group are shown. */
function readGapSelect(type: string, element: MarkupElement, texts: MoodleTexts) {
  if (type === 'ddwtos') texts.note('type_changed')
  const list = childrenOf(element, type === 'ddwtos' ? 'dragbox' : 'selectoption').map((option) => ({
    text: textLineOf(textAtPath(option, 'text').replace(/<[^<>]{0,200}>/g, ''), 200, texts.note),
    group: textAtPath(option, 'group') || '1',
  }))
  const gaps: unknown[] = []
  const stem = texts.stem((source) =>
    source.replace(/\[\[(\d{1,3})\]\]/g, (_, number: string) => {
      const right = list[Number(number) - 1]
      const offered = list.filter(({ group }) => group === right?.group)
      const id = `g${gaps.length + 1}`
      gaps.push({
        id,
        options: offered.map((option, index) => ({
          id: `o${index + 1}`,
          text: option.text,
          fraction: option === right ? 1 : 0,
        })),
      })
      return `[[${id}]]`
    }),
  )
  if (gaps.length === 0) throw new SkippedQuestion('no_answers')
  return { type: 'gapSelect', stem, gaps }
}
