import { plainTextOf, type QuestionDoc } from '../../question/rich-text-schema.ts'
import type {
  AcceptedNumber,
  AcceptedText,
  MixedGap,
  QuestionContent,
  QuestionContentOfType,
  QuestionDraft,
} from '../../question/schema.ts'
import { shareToPercent } from '../parts.ts'
import { type NoteChange, SkippedQuestion } from '../question-reader.ts'
import { isPlainText } from '../text/plain.ts'
import { type TextTarget, texFormula, writeHtml } from '../text/write-text.ts'
import { ANSWER_COLUMNS, COLUMNS, MAX_ANSWERS } from './columns.ts'
import { writeGapSettings } from './gap-settings.ts'
import { writeSettings } from './settings.ts'

/** Maximum length of a text in a cell of XLSX. */
const MAX_CELL = 32_767

interface AnswerCells {
  text?: string
  match?: string
  share?: number
  explanation?: QuestionDoc | null
}

/** The heading of a table for questions with at most this many answers. */
export const sheetHeading = (answers: number): string[] => [
  ...WRITTEN_COLUMNS,
  ...Array.from({ length: answers }, (_, index) => ANSWER_COLUMNS.map((column) => `${column} ${index + 1}`)).flat(),
]

// The column of right answers is only for tables that are written manually.
const WRITTEN_COLUMNS = COLUMNS.filter((column) => column !== 'correct')

/** The cells of one question in the order of the heading. Throws SkippedQuestion. */
export function writeSheetRow({ content, tags, difficulty, locale }: QuestionDraft, note: NoteChange): string[] {
  const target: TextTarget = { address: () => null, formula: texFormula, note }
  const cell = (doc: QuestionDoc | null | undefined) => (doc ? writeCell(doc, target) : '')
  const answers = answersOf(content, cell)
  if (answers.length > MAX_ANSWERS) throw new SkippedQuestion('too_large')
  const usable = tags.filter((tag) => !/[,;|]/.test(tag))
  if (usable.length < tags.length) note('tags_lost')
  const cells = [
    content.type,
    cell(content.stem),
    String(content.points),
    String(difficulty),
    usable.join(', '),
    locale,
    cell(content.explanation),
    settingsOf(content),
    ...answers.flatMap(({ text = '', match = '', share, explanation }) => [
      text,
      match,
      share === undefined ? '' : String(shareToPercent(share)),
      cell(explanation),
    ]),
  ]
  if (cells.some((text) => text.length > MAX_CELL)) throw new SkippedQuestion('too_large')
  return cells
}

/** Plain text where that loses no formatting, so that the table can be edited. */
function writeCell(doc: QuestionDoc, target: TextTarget): string {
  if (isPlainText(doc)) {
    const text = plainTextOf(doc)
    const isSame = text === (doc.content[0]?.content ?? []).map((node) => node.text ?? '').join('')
    if (isSame && !/^<|\$\$|\\[([]/.test(text)) return text
  }
  return writeHtml(doc, target)
}

function answersOf(content: QuestionContent, cell: (doc: QuestionDoc | null) => string): AnswerCells[] {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return content.options.map(({ content: text, fraction, explanation }) => ({
        text: cell(text),
        share: fraction,
        explanation,
      }))
    case 'trueFalse':
      return [
        { text: 'true', share: content.correct === true ? 1 : 0, explanation: content.trueExplanation },
        { text: 'false', share: content.correct === false ? 1 : 0, explanation: content.falseExplanation },
      ]
    case 'shortText':
      return content.accepted.map(acceptedCells)
    case 'number':
      return content.accepted.map((entry) => ({
        text: numberCell(entry),
        share: entry.fraction,
        explanation: entry.explanation,
      }))
    case 'essay':
      return content.sampleAnswer ? [{ text: cell(content.sampleAnswer) }] : []
    case 'matching':
      return matchingCells(content, cell)
    case 'ordering':
      return content.items.map(({ content: text }) => ({ text: cell(text) }))
    case 'gapText':
      return content.gaps.flatMap(({ id, accepted }) =>
        accepted.map((entry) => ({ ...acceptedCells(entry), match: id })),
      )
    case 'gapSelect':
      return content.gaps.flatMap(({ id, options }) =>
        options.map(({ text, fraction }) => ({ text, match: id, share: fraction })),
      )
    case 'gapMixed':
      return content.gaps.flatMap(mixedCells)
    case 'fileUpload':
    case 'scale':
      return []
    case 'hotspot':
      throw new SkippedQuestion('type_unsupported')
  }
}

const acceptedCells = ({ text, fraction, explanation }: AcceptedText): AnswerCells => ({
  text,
  share: fraction,
  explanation,
})

function mixedCells(gap: MixedGap): AnswerCells[] {
  const match = gap.id
  if (gap.kind === 'number')
    return gap.accepted.map((entry) => ({
      text: numberCell(entry),
      match,
      share: entry.fraction,
      explanation: entry.explanation,
    }))
  const list = 'options' in gap ? gap.options : gap.accepted
  return list.map((entry) => ({ ...acceptedCells(entry), match }))
}

const numberCell = (entry: AcceptedNumber): string => {
  if (entry.kind === 'range') return `${entry.min}..${entry.max}`
  return entry.tolerance === '0' ? entry.value : `${entry.value}±${entry.tolerance}`
}

function matchingCells(
  { prompts, choices }: QuestionContentOfType<'matching'>,
  cell: (doc: QuestionDoc) => string,
): AnswerCells[] {
  const texts = new Map(choices.map(({ id, content }) => [id, cell(content)]))
  const used = new Set(prompts.map(({ choiceId }) => choiceId))
  return [
    ...prompts.map(({ content, choiceId }) => ({ text: cell(content), match: texts.get(choiceId ?? '') ?? '' })),
    ...choices.filter(({ id }) => !used.has(id)).map(({ id }) => ({ match: texts.get(id) ?? '' })),
  ]
}

function settingsOf(content: QuestionContent): string {
  const comparison =
    content.type === 'shortText' || content.type === 'gapText'
      ? {
          case: content.caseSensitive || null,
          trim: content.trim ? null : false,
          wildcards: content.wildcards || null,
          lenient: content.lenient === false ? false : null,
        }
      : {}
  return writeSettings({
    penalty: content.penalty || null,
    partial: content.partialCredit ? null : false,
    ...('shuffle' in content && !content.shuffle ? { shuffle: false } : {}),
    ...comparison,
    ...(content.type === 'gapMixed' ? { gaps: content.gaps.map(writeGapSettings).join(' ') } : {}),
    ...(content.type === 'number' ? { unit: content.unit } : {}),
    ...(content.type === 'essay' ? { minwords: content.minWords, maxwords: content.maxWords } : {}),
    ...(content.type === 'fileUpload'
      ? { accept: content.acceptTypes.join(','), files: content.maxFiles, bytes: content.maxBytes }
      : {}),
    ...(content.type === 'scale' ? scaleSettings(content) : {}),
  })
}

const scaleSettings = ({ min, max, step, minLabel, maxLabel, correct }: QuestionContentOfType<'scale'>) => ({
  min,
  max,
  step,
  minlabel: minLabel,
  maxlabel: maxLabel,
  right: correct ? `${correct.min}..${correct.max}` : null,
})
