import { plainTextOf, type QuestionDoc } from '../../question/rich-text-schema.ts'
import type { AcceptedNumber, QuestionContent, QuestionContentOfType, QuestionDraft } from '../../question/schema.ts'
import { noteMultipleShares, noteSettings, shareToPercent } from '../parts.ts'
import { type NoteChange, SkippedQuestion } from '../question-reader.ts'
import { isPlainText } from '../text/plain.ts'
import { type TextTarget, texFormula, writeInlineHtml } from '../text/write-text.ts'

/** An arrow would turn the answers into pairs. */
export function writeGift(
  { content, tags, difficulty }: QuestionDraft,
  media: (fileId: string) => string | null,
  note: NoteChange,
): string {
  noteSettings(content, difficulty, note)
  const target: TextTarget = { address: media, formula: texFormula, note }
  const usable = tags.filter((tag) => !tag.includes(']'))
  if (usable.length < tags.length) note('tags_lost')
  const comment = usable.length > 0 ? `// ${usable.map((tag) => `[tag:${tag}]`).join(' ')}\n` : ''
  const feedback = content.explanation ? `\n####${write(content.explanation, target)}` : ''
  return `${comment}[html]${write(content.stem, target)}{${writeAnswers(content, target)}${feedback}\n}\n\n`
}

function writeAnswers(content: QuestionContent, target: TextTarget): string {
  const comment = (explanation: QuestionDoc | null) => (explanation ? `#${write(explanation, target)}` : '')
  switch (content.type) {
    case 'single':
      if (content.options.filter(({ fraction }) => fraction === 1).length !== 1) target.note('type_changed')
      return content.options
        .map(
          ({ content: text, fraction, explanation }) =>
            `\n${sign(fraction, '~')}${write(text, target)}${comment(explanation)}`,
        )
        .join('')
    case 'multiple':
      noteMultipleShares(content.options, target.note)
      return content.options
        .map(
          ({ content: text, fraction, explanation }) =>
            `\n~%${shareToPercent(fraction)}%${write(text, target)}${comment(explanation)}`,
        )
        .join('')
    case 'trueFalse':
      return writeTrueFalse(content, target)
    case 'shortText':
      // An arrow would make pairs of the answers.
      if (content.accepted.some(({ text }) => text.includes('->'))) throw new SkippedQuestion('type_unsupported')
      if (content.caseSensitive || !content.trim || content.lenient === false) target.note('scoring_changed')
      if (!content.wildcards && content.accepted.some(({ text }) => text.includes('*'))) target.note('scoring_changed')
      return content.accepted
        .map(({ text, fraction, explanation }) => `\n${sign(fraction, '=')}${escapeGift(text)}${comment(explanation)}`)
        .join('')
    case 'number':
      if (content.unit !== '') target.note('settings_lost')
      return `#${content.accepted.map((entry) => `\n${sign(entry.fraction, '=')}${writeNumber(entry, target.note)}${comment(entry.explanation)}`).join('')}`
    case 'essay':
      if (content.minWords !== null || content.maxWords !== null || content.sampleAnswer) target.note('settings_lost')
      return ''
    case 'matching':
      return writeMatching(content, target)
    default:
      throw new SkippedQuestion('type_unsupported')
  }
}

function writeTrueFalse(content: QuestionContentOfType<'trueFalse'>, target: TextTarget): string {
  if (content.correct === null) throw new SkippedQuestion('no_answers')
  const [whenRight, whenWrong] = content.correct
    ? [content.trueExplanation, content.falseExplanation]
    : [content.falseExplanation, content.trueExplanation]
  const wrong = whenWrong || whenRight ? `#${whenWrong ? write(whenWrong, target) : ''}` : ''
  return `${content.correct ? 'TRUE' : 'FALSE'}${wrong}${whenRight ? `#${write(whenRight, target)}` : ''}`
}

/** GIFT matches each prompt with a line of plain text; a choice without a prompt has an empty prompt. */
function writeMatching({ prompts, choices }: QuestionContentOfType<'matching'>, target: TextTarget): string {
  const answerOf = (content: QuestionDoc): string => {
    if (!isPlainText(content)) target.note('formatting_lost')
    return escapeGift(plainTextOf(content))
  }
  const byId = new Map(choices.map(({ id, content }) => [id, answerOf(content)]))
  const used = new Set(prompts.map(({ choiceId }) => choiceId))
  const pairs = prompts.map(
    ({ content, choiceId }) => `\n=${write(content, target)} -> ${byId.get(choiceId ?? '') ?? ''}`,
  )
  const others = choices.filter(({ id }) => !used.has(id)).map(({ id }) => `\n= -> ${byId.get(id)}`)
  return [...pairs, ...others].join('')
}

const sign = (fraction: number, partial: '=' | '~'): string =>
  fraction === 1 ? '=' : fraction === 0 && partial === '~' ? '~' : `${partial}%${shareToPercent(fraction)}%`

function writeNumber(entry: AcceptedNumber, note: NoteChange): string {
  const numbers = entry.kind === 'range' ? [entry.min, entry.max] : [entry.value, entry.tolerance]
  // The parser reads numbers as floating-point numbers.
  if (numbers.some((text) => text.replace(/^-?0*|\./g, '').length > 15)) note('scoring_changed')
  return numbers.join(entry.kind === 'range' ? '..' : ':')
}

const write = (doc: QuestionDoc, target: TextTarget): string => escapeGift(writeInlineHtml(doc, target))

const escapeGift = (text: string): string => text.replace(/[\\~=#{}:]/g, '\\$&').replaceAll('\n', '\\n')
