import { readOptions } from './parts.ts'
import { type QuestionReader, SkippedQuestion } from './question-reader.ts'
import { TextReader } from './text/read-text.ts'

const OPTION = /^([A-Z])[.)](.*)$/
const ANSWER = /^ANSWER:(.*)$/i

interface Block {
  line: number
  stem: string[]
  letters: string[]
  options: string[]
  answer: string | null
}

/**
 * Questions in Aiken (docs.moodle.org/en/Aiken_format): a question, its options with letters, and the letter of the right
 * one. Several letters separated by commas make a multiple choice.
 */
export function readAiken(text: string, reader: QuestionReader): void {
  for (const block of splitQuestions(text)) {
    const [title = ''] = block.stem
    reader.add({ line: block.line, title }, (note) => {
      if (block.stem.length === 0) throw new SkippedQuestion('syntax')
      if (block.answer === null || block.options.length < 2) throw new SkippedQuestion('no_answers')
      const answers = new Set(
        block.answer
          .toUpperCase()
          .split(/[\s,;]+/)
          .filter(Boolean),
      )
      const right = block.letters.filter((letter) => answers.has(letter))
      if (right.length === 0 || right.length < answers.size) throw new SkippedQuestion('syntax')
      const texts = new TextReader(reader, note)
      const list = block.options.map((option, index) => ({
        content: texts.plainWithFormulas(option),
        fraction: right.includes(block.letters[index] ?? '') ? 1 / right.length : 0,
      }))
      const type = right.length === 1 ? 'single' : 'multiple'
      return { content: { type, stem: texts.plainWithFormulas(block.stem.join('\n')), options: readOptions(list) } }
    })
  }
}

/** Whether a text is in Aiken: a line with an answer after a line with an option. */
export const isAiken = (text: string): boolean => /^ANSWER:[ \t]*[A-Z]/m.test(text) && /^[A-Z][.)]/m.test(text)

function splitQuestions(text: string): Block[] {
  const blocks: Block[] = []
  let current: Block | null = null
  let isAfterEmpty = false
  for (const [index, source] of text.replace(/\r\n?/g, '\n').split('\n').entries()) {
    const line = source.trim()
    const option = OPTION.exec(line)
    const answer = ANSWER.exec(line)
    if (line === '') {
      isAfterEmpty = true
      continue
    }
    // After an empty line, options and the answer continue the question; any other line starts the next question.
    if (current && current.options.length > 0 && isAfterEmpty && !option && !answer)
      current = closeBlock(blocks, current)
    isAfterEmpty = false
    current ??= { line: index + 1, stem: [], letters: [], options: [], answer: null }
    if (answer) {
      current.answer = (answer[1] ?? '').trim()
      current = closeBlock(blocks, current)
    } else if (option) {
      current.letters.push(option[1] ?? '')
      current.options.push((option[2] ?? '').trim())
    } else if (current.options.length > 0) current.options[current.options.length - 1] += `\n${line}`
    else current.stem.push(line)
  }
  if (current) closeBlock(blocks, current)
  return blocks
}

function closeBlock(blocks: Block[], block: Block): null {
  blocks.push(block)
  return null
}
