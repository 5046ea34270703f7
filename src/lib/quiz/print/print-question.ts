import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { acceptedNumberText, gapKeyOf } from '../attempt/describe/describe-answer.ts'
import type { FrozenQuestion } from '../attempt/schema.ts'
import type { QuestionDoc } from '../question/rich-text-schema.ts'
import { type GapContent, gapOptionsOf, hasGaps, isCorrectOption } from '../question/rules.ts'
import type { QuestionContent } from '../question/schema.ts'
import type { PrintedBlock, TextRun } from './printed.ts'
import { blocksOf } from './text-blocks.ts'

export interface PrintContext {
  t: Translate
  locale: Locale
  /** The letters of options, in their order. */
  letters: string
  answers: boolean
}

const INDENT = 18
const MARKER = /\[\[([A-Za-z0-9_-]{1,40})\]\]/g
const BLANK = '_'.repeat(18)
const ESSAY_LINES = 10

/** A question of a test for paper: number, text, points, fields, and the key with the explanation where it is asked for. */
export function printQuestion(
  frozen: FrozenQuestion,
  content: QuestionContent,
  number: number,
  context: PrintContext,
): PrintedBlock[] {
  const { t, answers } = context
  const points: TextRun = { text: ` (${t('quizprint:points', { count: frozen.points })})`, italic: true }
  const [first, ...rest] = blocksOf(withBlanks(frozen, content, context))
  const numbered: PrintedBlock[] =
    first?.kind === 'text'
      ? [{ ...first, marker: `${number}.`, runs: [...first.runs, points] }, ...rest]
      : [{ kind: 'text', runs: [points], indent: 0, marker: `${number}.` }, ...(first ? [first] : []), ...rest]
  const explanation = answers && content.explanation ? blocksOf(content.explanation, INDENT) : []
  return [
    ...numbered.map((block) => ({ ...block, indent: block.indent + INDENT })),
    ...printedFields(frozen, content, context),
    ...explanation,
  ]
}

const line = (runs: TextRun[], indent = INDENT): PrintedBlock => ({ kind: 'text', runs, indent })
const key = ({ t }: PrintContext, text: string): PrintedBlock =>
  line([{ text: `${t('quizprint:key')} `, bold: true }, { text }])

/** The options, fields and lines of a question in the order of its variant. */
function printedFields(frozen: FrozenQuestion, content: QuestionContent, context: PrintContext): PrintedBlock[] {
  const { t, answers } = context
  const ordered = <T extends { id: string }>(list: readonly T[]): T[] =>
    frozen.order.flatMap((id) => list.find((entry) => entry.id === id) ?? [])
  switch (content.type) {
    case 'single':
    case 'multiple':
      return ordered(content.options).flatMap((option, index) => {
        const right = answers && isCorrectOption(option)
        const explanation = answers && option.explanation ? blocksOf(option.explanation, INDENT * 2) : []
        return [...choice(option.content, index, content.type === 'single', right, context), ...explanation]
      })
    case 'trueFalse':
      return [true, false].flatMap((value): PrintedBlock[] => {
        const runs = [{ text: t(value ? 'attempt:true' : 'attempt:false') }]
        const explanation = value ? content.trueExplanation : content.falseExplanation
        return [
          {
            kind: 'text',
            runs,
            indent: INDENT * 2,
            choice: { round: true, filled: answers && content.correct === value },
          },
          ...(answers && explanation ? blocksOf(explanation, INDENT * 2) : []),
        ]
      })
    case 'shortText':
      return answers
        ? [
            key(
              context,
              content.accepted
                .filter(({ fraction }) => fraction > 0)
                .map(({ text }) => text)
                .join('; '),
            ),
          ]
        : [{ kind: 'lines', count: 1, indent: INDENT }]
    case 'number':
      return answers
        ? [key(context, numbersOf(content, context))]
        : [line([{ text: `${BLANK} ${content.unit}`.trim() }])]
    case 'essay':
      if (!answers) return [{ kind: 'lines', count: ESSAY_LINES, indent: INDENT }]
      return content.sampleAnswer ? [key(context, ''), ...blocksOf(content.sampleAnswer, INDENT)] : []
    case 'fileUpload':
      return [line([{ text: t('quizprint:fileUpload'), italic: true }])]
    case 'matching':
      return printMatching(ordered(content.choices), content, context)
    case 'ordering':
      return ordered(content.items).flatMap(({ id, content: text }) => {
        const place = content.items.findIndex((item) => item.id === id) + 1
        return withMarker(blocksOf(text, INDENT * 2), answers ? `${place}.` : '___')
      })
    case 'gapText':
      return answers ? content.gaps.map(({ accepted }, index) => gapKey(index, accepted[0]?.text)) : []
    case 'gapSelect':
      return answers
        ? content.gaps.map(({ options }, index) => gapKey(index, options.find(({ fraction }) => fraction === 1)?.text))
        : []
    case 'gapMixed':
      return answers ? content.gaps.map((gap, index) => gapKey(index, gapKeyOf(gap, context.locale))) : []
    case 'hotspot':
      return hotspot(content, context)
    case 'scale':
      return scale(content, context)
  }
}

const gapKey = (index: number, text = ''): PrintedBlock => line([{ text: `${index + 1}. `, bold: true }, { text }])

function choice(
  text: QuestionDoc,
  index: number,
  round: boolean,
  filled: boolean,
  { letters }: PrintContext,
): PrintedBlock[] {
  const letter = letters[index] ?? String(index + 1)
  const [first, ...rest] = blocksOf(text, INDENT * 2)
  const runs: TextRun[] = [{ text: `${letter}) `, ...(filled ? { bold: true } : {}) }]
  const field = { round, filled }
  if (first?.kind === 'text') return [{ ...first, runs: [...runs, ...first.runs], choice: field }, ...rest]
  return [{ kind: 'text', runs, indent: INDENT * 2, choice: field }, ...(first ? [first] : []), ...rest]
}

function withMarker(blocks: PrintedBlock[], marker: string): PrintedBlock[] {
  const [first, ...rest] = blocks
  if (first?.kind === 'text') return [{ ...first, marker }, ...rest]
  return [{ kind: 'text', runs: [], indent: INDENT * 2, marker }, ...blocks]
}

function numbersOf({ accepted, unit }: Extract<QuestionContent, { type: 'number' }>, { locale }: PrintContext): string {
  const texts = accepted.filter(({ fraction }) => fraction > 0).map((entry) => acceptedNumberText(entry, locale))
  return `${texts.join('; ')} ${unit}`.trim()
}

/** Prompts with a place for a letter, then the choices with their letters. */
function printMatching(
  choices: readonly { id: string; content: QuestionDoc }[],
  { prompts }: Extract<QuestionContent, { type: 'matching' }>,
  { letters, answers }: PrintContext,
): PrintedBlock[] {
  const letterOf = (id: string | null) => {
    const index = choices.findIndex((entry) => entry.id === id)
    return letters[index] ?? String(index + 1)
  }
  return [
    ...prompts.flatMap(({ content, choiceId }, index) =>
      withMarker(blocksOf(content, INDENT * 3), `${answers ? letterOf(choiceId) : '___'}  ${index + 1}.`),
    ),
    ...choices.flatMap(({ id, content }) => withMarker(blocksOf(content, INDENT * 2), `${letterOf(id)})`)),
  ]
}

function hotspot(
  { imageFileId, imageAlt, regions }: Extract<QuestionContent, { type: 'hotspot' }>,
  context: PrintContext,
): PrintedBlock[] {
  const right = context.answers ? regions.filter(({ correct }) => correct) : []
  const image: PrintedBlock[] = imageFileId
    ? [{ kind: 'image', fileId: imageFileId, alt: imageAlt, indent: INDENT, regions: right }]
    : []
  const labels = right.map(({ label }) => label).filter((label) => label !== '')
  return [...image, ...(labels.length > 0 ? [key(context, labels.join('; '))] : [])]
}

function scale(
  { min, max, step, minLabel, maxLabel, correct }: Extract<QuestionContent, { type: 'scale' }>,
  context: PrintContext,
): PrintedBlock[] {
  const values = Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step)
  const shown = values.length > 25 ? `${min} … ${max}` : values.join('   ')
  const row = line([{ text: [minLabel, shown, maxLabel].filter(Boolean).join('   ') }])
  return context.answers && correct ? [row, key(context, `${correct.min} … ${correct.max}`)] : [row]
}

/** The text of a question; gaps are lines to write on, or numbers of their answers, with the options of lists. */
function withBlanks({ order }: FrozenQuestion, content: QuestionContent, { answers }: PrintContext): QuestionDoc {
  if (!hasGaps(content)) return content.stem
  const gaps: readonly GapContent['gaps'][number][] = content.gaps
  const blankOf = (id: string): string => {
    const index = gaps.findIndex((gap) => gap.id === id)
    const gap = gaps[index]
    const list = gap ? gapOptionsOf(gap) : []
    const isSeveral = gap && 'kind' in gap && gap.kind === 'several'
    const texts = order.flatMap((key) => list.find((option) => key === `${id}/${option.id}`)?.text ?? [])
    if (isSeveral) return `${answers ? `[${index + 1}] ` : ''}(${texts.map((text) => `[  ] ${text}`).join('  ')})`
    const options = texts.length > 0 ? ` (${texts.join(' / ')})` : ''
    return `${answers ? `[${index + 1}]` : BLANK}${options}`
  }
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name,
        name === 'text' && typeof entry === 'string'
          ? entry.replace(MARKER, (_, id: string) => blankOf(id))
          : fill(entry),
      ]),
    )
  }
  return fill(content.stem) as QuestionDoc
}
