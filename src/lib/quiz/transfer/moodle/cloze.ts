import type { MixedGap } from '../../question/schema.ts'

/** A gap of a Cloze text (docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type). */
export interface ClozeGap {
  kind: MixedGap['kind']
  caseSensitive: boolean
  weight: number
  answers: { text: string; fraction: number; feedback: string }[]
}

export interface ClozeText {
  /** The text with `[[g1]]`, `[[g2]]` ... at the positions of the gaps. */
  html: string
  gaps: ClozeGap[]
}

const HEAD = /^\{([0-9]{0,7}):([A-Z_]{1,25}):/
/** The start of a gap without answers, as in `{1:MULTICHOICE}`. */
const UNFINISHED = /^\{[0-9]{0,7}:[A-Z_]{2,25}\}/
const KINDS: readonly (readonly [RegExp, ClozeGap['kind'], boolean])[] = [
  [/^(SHORTANSWER|SA|MW)$/, 'text', false],
  [/^(SHORTANSWER_C|SAC|MWC)$/, 'text', true],
  [/^(NUMERICAL|NM)$/, 'number', false],
  [
    /^(MULTICHOICE|MULTICHOICE_S|MULTICHOICE_V|MULTICHOICE_H|MULTICHOICE_VS|MULTICHOICE_HS|MC|MCS|MCV|MCH|MCVS|MCHS)$/,
    'menu',
    false,
  ],
  [/^(MULTIRESPONSE|MULTIRESPONSE_H|MULTIRESPONSE_S|MULTIRESPONSE_HS|MR|MRH|MRS|MRHS)$/, 'several', false],
]
const MAX_GAP = 20_000

/** Parses the gaps of a Cloze text; null when a gap has an unknown kind, no answers or no end. */
export function readCloze(source: string): ClozeText | null {
  const gaps: ClozeGap[] = []
  let html = ''
  let start = 0
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', Math.max(at + 1, start))) {
    const [head, weight, name = ''] = HEAD.exec(source.slice(at, at + 36)) ?? []
    if (source[at - 1] === '\\') continue
    if (head === undefined) {
      if (UNFINISHED.test(source.slice(at, at + 36))) return null
      continue
    }
    const [, kind, caseSensitive] = KINDS.find(([pattern]) => pattern.test(name)) ?? []
    const end = endOfGap(source, at + head.length)
    if (kind === undefined || caseSensitive === undefined || end < 0) return null
    const answers = splitAnswers(source.slice(at + head.length, end))
    gaps.push({ kind, caseSensitive, weight: Number(weight || 1), answers })
    html += `${source.slice(start, at)}[[g${gaps.length}]]`
    start = end + 1
  }
  return { html: html + source.slice(start), gaps }
}

/** The brace that closes a gap; one after a backslash is part of a text. */
function endOfGap(source: string, start: number): number {
  const last = Math.min(source.length, start + MAX_GAP)
  for (let at = start; at < last; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '}') return at
  }
  return -1
}

function splitAnswers(source: string): ClozeGap['answers'] {
  return splitAt(source, '~')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, equals, percent, rest = ''] = /^\s*(=?)\s*(?:%(-?[0-9.,]{1,20})%)?([\s\S]*)$/.exec(part) ?? []
      const [text = '', ...feedback] = splitAt(rest, '#')
      const fraction = percent !== undefined ? Number(percent.replace(',', '.')) / 100 : equals ? 1 : 0
      return { text: unescapeCloze(text).trim(), fraction, feedback: unescapeCloze(feedback.join('#')).trim() }
    })
}

/** Parts between a character that is not after a backslash; the escapes remain. */
function splitAt(source: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at] ?? ''
    if (character === '\\') {
      part += character + (source[at + 1] ?? '')
      at += 1
    } else if (character === separator) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}

const unescapeCloze = (text: string): string => text.replace(/\\([}~#/"\\{])/g, '$1')

export const escapeCloze = (text: string): string => text.replace(/[}~#/"\\{]/g, '\\$&')
