import type { QuestionType } from '#lib/core/shared/quiz.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import {
  acceptedTexts,
  decimalText,
  percentToShare,
  type ReadNumber,
  readOptions,
  requiredNumbers,
  textLineOf,
} from '../parts.ts'
import { type NoteChange, SkippedQuestion } from '../question-reader.ts'
import { readGapSettings } from './gap-settings.ts'

/** The cells of one answer. */
export interface AnswerRow {
  number: number
  text: string
  match: string
  /** Percentage of the points; null when the table has none. */
  share: number | null
  explanation: string
}

export interface SheetQuestion {
  answers: readonly AnswerRow[]
  settings: ReadonlyMap<string, string>
  rich(text: string): QuestionDoc
  note: NoteChange
}

/** The type of a question in a table without a column for it. */
export function inferType(answers: readonly AnswerRow[]): QuestionType {
  if (answers.length === 0) return 'essay'
  if (answers.some(({ match, text }) => match !== '' && text !== '')) return 'matching'
  if (answers.length === 1) return decimalText(answers[0]?.text) === null ? 'shortText' : 'number'
  return answers.filter(({ share }) => (share ?? 0) > 0).length > 1 ? 'multiple' : 'single'
}

/** The part of a question that depends on its type. Throws SkippedQuestion. */
export function readSheetAnswers(type: QuestionType, question: SheetQuestion) {
  const { answers, settings, rich, note } = question
  const explanationOf = ({ explanation }: AnswerRow) => (explanation === '' ? null : rich(explanation))
  const comparison = {
    caseSensitive: settings.get('case') === 'yes',
    trim: settings.get('trim') !== 'no',
    wildcards: settings.get('wildcards') === 'yes',
    ...(settings.get('lenient') === 'no' ? { lenient: false } : {}),
  }
  switch (type) {
    case 'single':
    case 'multiple': {
      const list = answers.map((answer) => ({
        content: rich(answer.text),
        fraction: percentToShare(answer.share ?? 0),
        explanation: explanationOf(answer),
      }))
      return { type, options: readOptions(list), shuffle: settings.get('shuffle') !== 'no' }
    }
    case 'trueFalse':
      return readTrueFalse(answers, explanationOf)
    case 'shortText':
      return {
        type,
        accepted: acceptedTexts(
          answers.map((answer) => fullAnswer(answer, explanationOf)),
          note,
        ),
        ...comparison,
      }
    case 'number': {
      const list = answers.map((answer) => ({ ...fullAnswer(answer, explanationOf), ...readNumber(answer.text) }))
      return { type, accepted: requiredNumbers(list, note), unit: textLineOf(settings.get('unit') ?? '', 40, note) }
    }
    case 'essay':
      return {
        type,
        minWords: integerOf(settings.get('minwords'), 1, 10_000),
        maxWords: integerOf(settings.get('maxwords'), 1, 10_000),
        sampleAnswer: answers[0] ? rich(answers[0].text) : null,
      }
    case 'fileUpload':
      return {
        type,
        acceptTypes: (settings.get('accept') ?? '')
          .split(/[\s,]+/)
          .filter((kind) => /^(image|video|audio|doc|\.[a-z0-9]{1,10})$/.test(kind)),
        maxFiles: integerOf(settings.get('files'), 1, 10) ?? 1,
        maxBytes: integerOf(settings.get('bytes'), 1024, 1024 ** 3) ?? 100 * 1024 ** 2,
      }
    case 'matching':
      return readSheetMatching(question)
    case 'ordering':
      return { type, items: answers.map(({ text }, index) => ({ id: `i${index + 1}`, content: rich(text) })) }
    case 'gapText':
    case 'gapSelect':
      return { ...readGaps(type, question, explanationOf), ...(type === 'gapText' ? comparison : {}) }
    case 'gapMixed':
      return { type, gaps: readMixedGaps(question, explanationOf) }
    case 'scale':
      return readScale(settings, note)
    case 'hotspot':
      throw new SkippedQuestion('type_unsupported')
  }
}

const fullAnswer = (answer: AnswerRow, explanationOf: (answer: AnswerRow) => QuestionDoc | null) => ({
  text: answer.text,
  fraction: answer.share === null ? 1 : percentToShare(answer.share),
  explanation: explanationOf(answer),
})

// «так», «ні», «правда», «неправда».
const TRUE_WORDS = /^(true|t|yes|1|\u0442\u0430\u043a|\u043f\u0440\u0430\u0432\u0434\u0430)$/i
const FALSE_WORDS = /^(false|f|no|0|\u043d\u0456|\u043d\u0435\u043f\u0440\u0430\u0432\u0434\u0430)$/i

/** Both answers with their shares, or only the right answer. */
function readTrueFalse(answers: readonly AnswerRow[], explanationOf: (answer: AnswerRow) => QuestionDoc | null) {
  const whenTrue = answers.find(({ text }) => TRUE_WORDS.test(text))
  const whenFalse = answers.find(({ text }) => FALSE_WORDS.test(text))
  const isRight = (answer: AnswerRow | undefined) =>
    answer !== undefined && (answer.share ?? (answers.length === 1 ? 100 : 0)) > 0
  const correct = isRight(whenTrue) ? true : isRight(whenFalse) ? false : null
  return {
    type: 'trueFalse',
    correct,
    trueExplanation: whenTrue ? explanationOf(whenTrue) : null,
    falseExplanation: whenFalse ? explanationOf(whenFalse) : null,
  }
}

/** `5`, `5±0.1` or `1..3`. */
function readNumber(text: string): Pick<ReadNumber, 'value' | 'tolerance' | 'min' | 'max'> {
  const [min, max] = text.split('..')
  if (min !== undefined && max !== undefined) return { min: min.trim(), max: max.trim() }
  const [value = '', tolerance = '0'] = text.split('±')
  return { value: value.trim(), tolerance: tolerance.trim() }
}

function readSheetMatching({ answers, rich }: SheetQuestion) {
  const ids = new Map<string, string>()
  const prompts = answers.flatMap(({ text, match }, index) => {
    const choiceId = ids.get(match) ?? `c${ids.size + 1}`
    if (match !== '') ids.set(match, choiceId)
    return text === '' ? [] : [{ id: `p${index + 1}`, content: rich(text), choiceId: match === '' ? null : choiceId }]
  })
  return { type: 'matching', prompts, choices: [...ids].map(([text, id]) => ({ id, content: rich(text) })) }
}

function readGaps(
  type: 'gapText' | 'gapSelect',
  { answers, note }: SheetQuestion,
  explanationOf: (answer: AnswerRow) => QuestionDoc | null,
) {
  const byGap = Map.groupBy(answers, ({ match }) => match)
  const gaps = [...byGap].map(([id, list]) => {
    if (type === 'gapText')
      return {
        id,
        accepted: acceptedTexts(
          list.map((answer) => fullAnswer(answer, explanationOf)),
          note,
        ),
      }
    const selects = list.map((answer, index) => ({
      id: `o${index + 1}`,
      text: textLineOf(answer.text, 200, note),
      fraction: percentToShare(answer.share ?? 0),
    }))
    return { id, options: selects }
  })
  return { type, gaps }
}

function readMixedGaps(
  { answers, settings, note }: SheetQuestion,
  explanationOf: (answer: AnswerRow) => QuestionDoc | null,
) {
  const kinds = readGapSettings(settings.get('gaps') ?? '')
  return [...Map.groupBy(answers, ({ match }) => match)].map(([id, rows]) => {
    const { kind = 'text', weight = 1, ...comparison } = kinds.get(id) ?? {}
    const list = rows.map((answer) => fullAnswer(answer, explanationOf))
    if (kind === 'number') {
      const numbers = list.map((entry) => ({ ...entry, ...readNumber(entry.text) }))
      return { id, kind, weight, accepted: requiredNumbers(numbers, note) }
    }
    if (kind === 'text') return { id, kind, weight, accepted: acceptedTexts(list, note), ...comparison }
    const options = rows.map((answer, index) => ({
      id: `o${index + 1}`,
      text: textLineOf(answer.text, 500, note),
      fraction: percentToShare(answer.share ?? 0),
      explanation: explanationOf(answer),
    }))
    return { id, kind, weight, options }
  })
}

function readScale(settings: ReadonlyMap<string, string>, note: NoteChange) {
  const [low, high] = (settings.get('right') ?? '').split('..').map((text) => integerOf(text, -1000, 1000))
  return {
    type: 'scale',
    min: integerOf(settings.get('min'), -1000, 1000) ?? 1,
    max: integerOf(settings.get('max'), -1000, 1000) ?? 5,
    step: integerOf(settings.get('step'), 1, 1000) ?? 1,
    minLabel: textLineOf(settings.get('minlabel') ?? '', 80, note),
    maxLabel: textLineOf(settings.get('maxlabel') ?? '', 80, note),
    correct: typeof low === 'number' && typeof high === 'number' ? { min: low, max: high } : null,
  }
}

function integerOf(text: string | undefined, min: number, max: number): number | null {
  const value = Number(text?.trim() || Number.NaN)
  return Number.isInteger(value) && value >= min && value <= max ? value : null
}
