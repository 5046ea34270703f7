import { SkippedQuestion } from '../question-reader.ts'
import { maskSource, unmask } from './mask.ts'

/** A text with the name of its format: `moodle` unless the file names another one. */
export interface GiftText {
  format: string
  text: string
}

export interface GiftAnswer {
  /** `=`, `~`, or nothing before the first sign. */
  sign: '=' | '~' | ''
  text: GiftText
  /** Percentage of the points; null without one. */
  weight: number | null
  feedback: GiftText | null
}

export type GiftAnswers =
  | { type: 'choice' | 'shortText' | 'number'; answers: GiftAnswer[] }
  | { type: 'matching'; pairs: { prompt: GiftText; answer: string }[] }
  | { type: 'trueFalse'; isTrue: boolean; whenWrong: GiftText | null; whenRight: GiftText | null }
  | { type: 'essay' }

export type GiftQuestion = GiftAnswers & { title: string; stem: GiftText; feedback: GiftText | null }

const MAX_QUESTION = 100_000

/**
 * Parses one question as Moodle does (question/format/gift/format.php): everything outside of the braces is the stem, in
 * which no character has to be escaped. Unlike in Moodle, the signs inside of TeX formulas and HTML attributes are part
 * of the text. Throws SkippedQuestion: not_a_question without braces, syntax, too_large.
 */
export function parseGift(source: string): GiftQuestion {
  if (source.length > MAX_QUESTION) throw new SkippedQuestion('too_large')
  const lines = source.split('\n').filter((line) => !line.trimStart().startsWith('//'))
  const plain = lines.join('\n').trim()
  const masked = maskSource(plain, { formulas: true })
  const text = masked.includes('{') ? masked : maskSource(plain, { formulas: false })
  const titleEnd = text.startsWith('::') ? text.indexOf('::', 2) : -1
  const body = titleEnd < 0 ? text : text.slice(titleEnd + 2).trim()
  const [start, end] = [body.indexOf('{'), body.indexOf('}', body.indexOf('{'))]
  if (start < 0) throw new SkippedQuestion('not_a_question')
  if (end < 0) throw new SkippedQuestion('syntax')
  const rest = body.slice(end + 1).trim()
  const stem = textOf(rest === '' ? body.slice(0, start) : `${body.slice(0, start)}_____${body.slice(end + 1)}`)
  const [answers = '', ...feedback] = body.slice(start + 1, end).split('####')
  return {
    title: titleEnd < 0 ? '' : unmask(text.slice(2, titleEnd)).trim(),
    stem,
    feedback: feedback.length > 0 ? textOf(feedback.join('####'), stem.format) : null,
    ...parseAnswers(answers.trim(), stem.format),
  }
}

function parseAnswers(source: string, format: string): GiftAnswers {
  if (source === '') return { type: 'essay' }
  if (source.startsWith('#')) return { type: 'number', answers: giftAnswersOf(source.slice(1), format) }
  if (source.includes('~')) return { type: 'choice', answers: giftAnswersOf(source, format) }
  if (source.includes('=') && source.includes('->')) return { type: 'matching', pairs: pairsOf(source, format) }
  const [value = '', whenWrong, ...more] = source.split('#')
  if (/^\s*(t|true|f|false)\s*$/i.test(value))
    return {
      type: 'trueFalse',
      isTrue: /^\s*t/i.test(value),
      whenWrong: optionalText(whenWrong, format),
      whenRight: more.length > 0 ? optionalText(more.join('#'), format) : null,
    }
  return { type: 'shortText', answers: giftAnswersOf(source, format) }
}

/** The answers after their signs; text before the first sign is an answer without one. */
function giftAnswersOf(source: string, format: string): GiftAnswer[] {
  const parts = source.split(/(?=[=~])/).filter((part) => part.trim() !== '')
  return parts.map((part) => {
    const sign = part.startsWith('=') ? '=' : part.startsWith('~') ? '~' : ''
    const [, percent, rest = ''] =
      /^\s*(?:%(-?\d{1,3}(?:[.,]\d{0,20})?)%)?([\s\S]*)$/.exec(part.slice(sign.length)) ?? []
    const [text = '', ...feedback] = rest.split('#')
    return {
      sign,
      text: textOf(text, format),
      weight: percent === undefined ? null : Number(percent.replace(',', '.')),
      feedback: feedback.length > 0 ? optionalText(feedback.join('#'), format) : null,
    }
  })
}

function pairsOf(source: string, format: string) {
  const parts = source.split('=').filter((part) => part.trim() !== '')
  return parts.map((part) => {
    const at = part.indexOf('->')
    if (at < 0) throw new SkippedQuestion('syntax')
    return { prompt: textOf(part.slice(0, at), format), answer: unmask(part.slice(at + 2)).trim() }
  })
}

const optionalText = (source: string | undefined, format: string): GiftText | null =>
  source === undefined || source.trim() === '' ? null : textOf(source, format)

/** The text after the name of its format in brackets, of which the four formats of Moodle are known. */
function textOf(source: string, inherited = 'moodle'): GiftText {
  const [, format, rest = ''] = /^\s*(?:\[(html|moodle|plain|markdown)\])?([\s\S]*)$/.exec(source) ?? []
  return { format: format ?? inherited, text: unmask(rest).trim() }
}
