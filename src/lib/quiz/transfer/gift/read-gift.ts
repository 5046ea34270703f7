import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import {
  acceptedTexts,
  noteMultipleShares,
  percentToShare,
  type ReadNumber,
  readOptions,
  readTags,
  requiredNumbers,
  textLineOf,
} from '../parts.ts'
import type { NoteChange, QuestionReader } from '../question-reader.ts'
import { TextReader } from '../text/read-text.ts'
import { type GiftAnswer, type GiftAnswers, type GiftText, parseGift } from './parse-gift.ts'

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
function splitQuestions(text: string): Block[] {
  const blocks: Block[] = []
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
  return joinBlocks(blocks)
}

type Block = { line: number; source: string }

/**
 * Questions with empty lines inside: a titled text without answers continues in the blocks without a title after it, up
 * to the answers; answers that are not closed continue too.
 */
function joinBlocks(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index]
    if (!block) break
    const end = endOfQuestion(blocks, index)
    joined.push({
      line: block.line,
      source: blocks
        .slice(index, end + 1)
        .map(({ source }) => source)
        .join('\n\n'),
    })
    index = end
  }
  return joined
}

const MAX_JOINED = 20

/** The index of the block with the end of the question that starts in a block; that block itself where there is none. */
function endOfQuestion(blocks: readonly Block[], start: number): number {
  const first = withoutComments(blocks[start]?.source ?? '')
  const isOpen = hasOpenBrace(first)
  const next = withoutComments(blocks[start + 1]?.source ?? '')
  if (CATEGORY.test(first) || !(isOpen || (!first.includes('{') && (first.startsWith('::') || next.startsWith('{')))))
    return start
  for (let index = start + 1; index < Math.min(blocks.length, start + MAX_JOINED); index += 1) {
    const source = withoutComments(blocks[index]?.source ?? '')
    if (source.startsWith('::') || source.startsWith('$CATEGORY:')) return start
    if (isOpen && source.includes('{')) return start
    if (source.includes(isOpen ? '}' : '{')) return hasOpenBrace(source) ? start : index
  }
  return start
}

const hasOpenBrace = (source: string): boolean => source.includes('{') && !source.includes('}', source.indexOf('{'))

/** A category may directly precede its first question. */
function splitCategory(lines: readonly string[], line: number): Block[] {
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
  const question = parseGift(source)
  const text = new TextReader(reader, note)
  const tags = tagsIn(source)
  const explanation = question.feedback ? text.optional(readGiftText(question.feedback, text)) : null
  const content = { stem: readGiftText(question.stem, text), explanation, ...readAnswers(question, text, note) }
  return { tags: readTags(categoryTag ? [categoryTag, ...tags] : tags, note), content }
}

function readAnswers(question: GiftAnswers, text: TextReader, note: NoteChange) {
  const explanationOf = (feedback: GiftText | null) => (feedback ? text.optional(readGiftText(feedback, text)) : null)
  switch (question.type) {
    case 'choice':
      return readGiftChoice(question.answers, text, note)
    case 'trueFalse': {
      const [whenWrong, whenRight] = [explanationOf(question.whenWrong), explanationOf(question.whenRight)]
      const explanations = question.isTrue
        ? { trueExplanation: whenRight, falseExplanation: whenWrong }
        : { trueExplanation: whenWrong, falseExplanation: whenRight }
      return { type: 'trueFalse', correct: question.isTrue, ...explanations }
    }
    case 'shortText': {
      const list = question.answers.map((answer) => ({
        text: answer.text.text,
        fraction: answer.weight === null ? 1 : percentToShare(answer.weight),
        explanation: explanationOf(answer.feedback),
      }))
      return {
        type: 'shortText',
        accepted: acceptedTexts(list, note),
        wildcards: list.some((entry) => entry.text.includes('*')),
      }
    }
    case 'number':
      return readNumbers(question.answers, explanationOf, note)
    case 'matching':
      return readGiftMatching(question.pairs, text, note)
    case 'essay':
      return { type: 'essay' }
  }
}

function readGiftChoice(answers: readonly GiftAnswer[], text: TextReader, note: NoteChange) {
  const list = answers.map(({ text: content, sign, weight, feedback }) => ({
    content: readGiftText(content, text),
    fraction: weight === null ? (sign === '=' ? 1 : 0) : percentToShare(weight),
    explanation: feedback ? text.optional(readGiftText(feedback, text)) : null,
  }))
  const hasRight = answers.some(({ sign }) => sign === '=')
  if (hasRight && list.filter(({ fraction }) => fraction === 1).length <= 1)
    return { type: 'single', options: readOptions(list) }
  // One of several right options is enough in Moodle; here all of them are chosen.
  if (hasRight) note('type_changed')
  noteMultipleShares(list, note)
  return { type: 'multiple', options: readOptions(list) }
}

function readGiftText({ format, text }: GiftText, reader: TextReader): QuestionDoc {
  if (format === 'plain') return reader.plainWithFormulas(text)
  if (format === 'markdown') return reader.markdown(text)
  if (format === 'html') return reader.html(text)
  // Moodle treats line ends of its own format as line breaks, and HTML as such.
  return reader.html(text.replaceAll('\n', '<br>'))
}

function readNumbers(
  answers: readonly GiftAnswer[],
  explanationOf: (feedback: GiftText | null) => QuestionDoc | null,
  note: NoteChange,
) {
  const list = answers.flatMap((answer): ReadNumber[] => {
    const source = answer.text.text
    const fraction = answer.weight === null ? (answer.sign === '~' ? 0 : 1) : percentToShare(answer.weight)
    const common = { fraction, explanation: explanationOf(answer.feedback) }
    if (answer.sign === '~' || source === '*' || source === '') {
      // Feedback on all other numbers.
      note('feedback_lost')
      return []
    }
    const [low = '', high] = source.split('..')
    if (high !== undefined) return [{ min: low, max: high, ...common }]
    const [value = '', tolerance = '0'] = source.split(':')
    return [{ value, tolerance, ...common }]
  })
  return { type: 'number', accepted: requiredNumbers(list, note) }
}

function readGiftMatching(pairs: readonly { prompt: GiftText; answer: string }[], text: TextReader, note: NoteChange) {
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
  const prompts = pairs.flatMap(({ prompt, answer }, index) => {
    const choiceId = choiceOf(textLineOf(answer, 10_000, note))
    return prompt.text === '' ? [] : [{ id: `p${index + 1}`, content: readGiftText(prompt, text), choiceId }]
  })
  return { type: 'matching', prompts, choices }
}

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
