import { type GIFTQuestion, parse, type TextFormat } from 'gift-pegjs'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import {
  acceptedNumbers,
  acceptedTexts,
  isSingleChoice,
  percentToShare,
  type ReadNumber,
  readOptions,
  readTags,
  textLineOf,
} from '../parts.ts'
import { type NoteChange, type QuestionReader, SkippedQuestion } from '../question-reader.ts'
import { TextReader } from '../text/read-text.ts'

/** The grammar backtracks: its time grows with the length of a question. */
const MAX_QUESTION = 100_000
const CATEGORY = /^\$CATEGORY:(.*)$/
const TAG = '[tag:'

/**
 * Parses questions in GIFT (docs.moodle.org/en/GIFT_format), separated by empty lines; each is parsed separately, so
 * that an error affects one question. The last part of a category becomes a tag.
 */
export function readGift(text: string, reader: QuestionReader): void {
  let categoryTag: string | null = null
  for (const { line, source } of splitQuestions(text)) {
    const category = CATEGORY.exec(source.trim())?.[1]
    if (category !== undefined) categoryTag = category.split('/').at(-1)?.trim() || null
    else {
      const title = /^::(.+?)::/s.exec(withoutComments(source))?.[1] ?? ''
      reader.add({ line, title: title.replace(/\\(.)/g, '$1') }, (note) =>
        readQuestion(source, categoryTag, reader, note),
      )
    }
  }
}

/** Blocks of lines that contain more than comments. */
function splitQuestions(text: string): { line: number; source: string }[] {
  const blocks: { line: number; source: string }[] = []
  let lines: string[] = []
  const lineEnds = text.replace(/\r\n?/g, '\n').split('\n')
  for (const [index, content] of [...lineEnds, ''].entries()) {
    if (content.trim() !== '') {
      lines.push(content)
      continue
    }
    const isComment = lines.every((entry) => entry.trimStart().startsWith('//'))
    if (!isComment) blocks.push(...splitCategory(lines, index - lines.length + 1))
    lines = []
  }
  return blocks
}

/** A category may directly precede its first question. */
function splitCategory(lines: readonly string[], line: number): { line: number; source: string }[] {
  const at = lines.findIndex((entry) => CATEGORY.test(entry.trim()))
  const comments = lines.findIndex((entry) => !entry.trimStart().startsWith('//'))
  if (at < 0) return [{ line: line + comments, source: lines.join('\n') }]
  const after = lines.slice(at + 1)
  const hasQuestion = after.some((entry) => !entry.trimStart().startsWith('//'))
  return [
    { line: line + at, source: lines[at] ?? '' },
    ...(hasQuestion ? [{ line: line + at + 1, source: after.join('\n') }] : []),
  ]
}

function readQuestion(source: string, categoryTag: string | null, reader: QuestionReader, note: NoteChange) {
  const question = parseQuestion(source)
  if (question.type === 'Category' || question.type === 'Description') throw new SkippedQuestion('not_a_question')
  const text = new TextReader(reader, note)
  const texts = (value: TextFormat | null | undefined) => (value ? readGiftText(value, text) : null)
  const tags = tagsIn(source)
  const common = { stem: readGiftText(question.stem, text), explanation: texts(question.globalFeedback) }
  const content = { ...common, ...readAnswers(question, text, note) }
  return { tags: readTags(categoryTag ? [categoryTag, ...tags] : tags, note), content }
}

type AnsweredQuestion = Exclude<GIFTQuestion, { type: 'Category' | 'Description' }>

function readAnswers(question: AnsweredQuestion, text: TextReader, note: NoteChange) {
  const explanationOf = (feedback: TextFormat | null) => (feedback ? text.optional(readGiftText(feedback, text)) : null)
  switch (question.type) {
    case 'MC': {
      const list = question.choices.map((choice) => ({
        content: readGiftText(choice.text, text),
        fraction: fractionOf(choice),
        explanation: explanationOf(choice.feedback),
      }))
      const isSingle = question.choices.some(({ isCorrect, weight }) => isCorrect && weight === null)
      if (isSingle && !isSingleChoice(list) && list.filter(({ fraction }) => fraction === 1).length > 1)
        return { type: 'multiple', options: readOptions(list) }
      return { type: isSingle ? 'single' : 'multiple', options: readOptions(list) }
    }
    case 'TF': {
      const [whenWrong, whenRight] = [question.trueFeedback, question.falseFeedback].map((entry) =>
        explanationOf(entry ?? null),
      )
      const explanations = question.isTrue
        ? { trueExplanation: whenRight, falseExplanation: whenWrong }
        : { trueExplanation: whenWrong, falseExplanation: whenRight }
      return { type: 'trueFalse', correct: question.isTrue, ...explanations }
    }
    case 'Short': {
      const list = question.choices.map((choice) => ({
        text: choice.text.text,
        fraction: fractionOf(choice),
        explanation: explanationOf(choice.feedback),
      }))
      return {
        type: 'shortText',
        accepted: acceptedTexts(list, note),
        wildcards: list.some((entry) => entry.text.includes('*')),
      }
    }
    case 'Numerical':
      return { type: 'number', accepted: acceptedNumbers(readNumbers(question, explanationOf, note)) }
    case 'Matching':
      return readGiftMatching(question.matchPairs, text, note)
    case 'Essay':
      return { type: 'essay' }
  }
}

function parseQuestion(source: string): GIFTQuestion {
  if (source.length > MAX_QUESTION) throw new SkippedQuestion('too_large')
  try {
    const [question] = parse(source.trimEnd())
    if (question) return question
  } catch (error) {
    // Errors of the parser have a location; all others are bugs.
    if (!(error instanceof Error) || !('location' in error)) throw error
  }
  throw new SkippedQuestion('syntax')
}

function readGiftText({ format, text }: TextFormat, reader: TextReader): QuestionDoc {
  switch (format) {
    case 'plain':
      return reader.plainWithFormulas(text)
    case 'markdown':
      if (/[*_`[\]>-]|^#/m.test(text)) reader.note('formatting_lost')
      return reader.plainWithFormulas(text)
    case 'html':
      return reader.html(text)
    default:
      // Moodle treats line ends of its own format as line breaks, and HTML as such.
      return reader.html(text.replaceAll('\n', '<br>'))
  }
}

const fractionOf = ({ isCorrect, weight }: { isCorrect: boolean; weight: number | null }): number =>
  weight === null ? (isCorrect ? 1 : 0) : percentToShare(weight)

type NumericalQuestion = Extract<GIFTQuestion, { type: 'Numerical' }>

function readNumbers(
  { choices }: NumericalQuestion,
  explanationOf: (feedback: TextFormat | null) => QuestionDoc | null,
  note: NoteChange,
): ReadNumber[] {
  const list = Array.isArray(choices) ? choices : [{ isCorrect: true, weight: null, text: choices, feedback: null }]
  return list.flatMap((choice): ReadNumber[] => {
    const { type, number, range, numberLow, numberHigh } = choice.text
    const common = { fraction: fractionOf(choice), explanation: explanationOf(choice.feedback) }
    if (type === 'high-low') return [{ min: String(numberLow), max: String(numberHigh), ...common }]
    if (type === 'range') return [{ value: String(number), tolerance: String(range), ...common }]
    if (type === 'simple') return [{ value: String(number), ...common }]
    // Feedback on all other numbers.
    note('feedback_lost')
    return []
  })
}

type MatchPairs = Extract<GIFTQuestion, { type: 'Matching' }>['matchPairs']

function readGiftMatching(pairs: MatchPairs, text: TextReader, note: NoteChange) {
  const choices: { id: string; content: QuestionDoc }[] = []
  const idsByText = new Map<string, string>()
  const choiceOf = (answer: string): string => {
    const known = idsByText.get(answer)
    if (known) return known
    const id = `c${choices.length + 1}`
    idsByText.set(answer, id)
    choices.push({ id, content: text.plainWithFormulas(answer) })
    return id
  }
  const prompts = pairs.flatMap(({ subquestion, subanswer }, index) => {
    const choiceId = choiceOf(textLineOf(decodeEscapes(subanswer), 10_000, note))
    return subquestion.text.trim() === ''
      ? []
      : [{ id: `p${index + 1}`, content: readGiftText(subquestion, text), choiceId }]
  })
  return { type: 'matching', prompts, choices }
}

const ESCAPES = new Map([
  ['092', '\\'],
  ['058', ':'],
  ['035', '#'],
  ['061', '='],
  ['123', '{'],
  ['125', '}'],
  ['126', '~'],
])

/** The parser leaves its own escape codes in the answers of pairs. */
const decodeEscapes = (text: string): string =>
  text.replace(
    /&&(092|058|035|061|123|125|126);|&&010/g,
    (_, code: string | undefined) => ESCAPES.get(code ?? '') ?? ' ',
  )

const isComment = (line: string): boolean => line.trimStart().startsWith('//')

const withoutComments = (source: string): string =>
  source
    .split('\n')
    .filter((line) => !isComment(line))
    .join('\n')
    .trim()

/** `[tag:name]` in comments, as Moodle writes them. */
function tagsIn(source: string): string[] {
  return source
    .split('\n')
    .filter(isComment)
    .flatMap((line) => line.split(TAG).slice(1))
    .flatMap((part) => (part.includes(']') ? [part.slice(0, part.indexOf(']'))] : []))
}
