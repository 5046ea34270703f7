import { readCsv } from '#lib/core/csv/csv.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { decimalText, pointsOf, readTags } from '../parts.ts'
import { importRefusal, type NoteChange, type QuestionReader, SkippedQuestion } from '../question-reader.ts'
import { TextReader } from '../text/read-text.ts'
import { type Column, columnMeaning, typeByName } from './columns.ts'
import { type AnswerRow, inferType, readSheetAnswers } from './read-answers.ts'
import { readSettings } from './settings.ts'

interface SheetRow {
  cells: Map<Column, string>
  answers: AnswerRow[]
}

/** Rows above the headings, which templates of other products have. */
const MAX_TITLE_ROWS = 15

/**
 * Questions of a table, one per row below the headings. Refuses with unprocessable (questions_no_column) without a
 * column of questions.
 */
export function readSheet(rows: readonly (readonly string[])[], reader: QuestionReader): void {
  const headingRow = headingRowOf(rows)
  if (headingRow === null) throw importRefusal('questions_no_column')
  const headings = rows[headingRow] ?? []
  const meanings = headings.map(columnMeaning)
  const isLettered = headings.some(
    (heading, place) => meanings[place]?.column === 'answer' && /\s[a-z]\s*$/i.test(heading),
  )
  for (const [index, cells] of rows.entries()) {
    if (index <= headingRow || cells.every((cell) => cell.trim() === '')) continue
    const row = readRow(cells, meanings)
    const unknown = headings.filter(
      (heading, place) => meanings[place] === null && !isNumbering(heading) && (cells[place] ?? '').trim() !== '',
    )
    for (const heading of unknown) reader.addUnknownColumn(heading)
    const question = row.cells.get('question') ?? ''
    reader.add({ line: index + 1, title: isHtml(question) ? '' : question }, (note) => {
      if (unknown.length > 0) note('column_unknown')
      return readQuestion(row, { reader, note, isLettered })
    })
  }
}

/** A column without a heading, or with `№`, numbers the rows. */
const isNumbering = (heading: string | undefined): boolean =>
  /^(|#|no\.?|id|\u2116.{0,5})$/i.test(heading?.trim() ?? '')

/** The index of the row with the headings; null without a column of questions. */
export function headingRowOf(rows: readonly (readonly string[])[]): number | null {
  const index = rows.slice(0, MAX_TITLE_ROWS).findIndex((row, place) => {
    const columns = row.flatMap((cell) => columnMeaning(cell)?.column ?? [])
    return columns.includes('question') && (place === 0 || new Set(columns).size > 1)
  })
  return index < 0 ? null : index
}

/** The delimiter of a CSV file: the one by which most headings are recognised. */
export function delimiterOf(text: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => {
    const rows = readCsv(text.slice(0, 20_000), { maxRows: MAX_TITLE_ROWS, delimiter })
    const heading = rows[headingRowOf(rows) ?? 0] ?? []
    return { delimiter, count: heading.filter((cell) => columnMeaning(cell) !== null).length * 1000 + heading.length }
  })
  return counts.reduce((most, entry) => (entry.count > most.count ? entry : most)).delimiter
}

function readRow(cells: readonly string[], meanings: readonly ReturnType<typeof columnMeaning>[]): SheetRow {
  const row: SheetRow = { cells: new Map(), answers: [] }
  const answers = new Map<number, AnswerRow>()
  for (const [index, meaning] of meanings.entries()) {
    const cell = cells[index]?.trim() ?? ''
    if (!meaning || cell === '') continue
    if (!('number' in meaning)) {
      if (!row.cells.has(meaning.column)) row.cells.set(meaning.column, cell)
      continue
    }
    const answer = answers.get(meaning.number) ?? {
      number: meaning.number,
      text: '',
      match: '',
      share: null,
      explanation: '',
    }
    answers.set(meaning.number, answer)
    if (meaning.column === 'answer') answer.text = cell
    else if (meaning.column === 'match') answer.match = cell
    else if (meaning.column === 'answer explanation') answer.explanation = cell
    else answer.share = Number.parseFloat(cell.replace(',', '.'))
  }
  row.answers = [...answers.values()].sort((a, b) => a.number - b.number)
  return row
}

interface ReadOptions {
  reader: QuestionReader
  note: NoteChange
  /** The columns of the answers have letters, so that a number in the key is the text of an answer. */
  isLettered: boolean
}

function readQuestion({ cells, answers }: SheetRow, { reader, note, isLettered }: ReadOptions) {
  const cell = (column: Column) => cells.get(column) ?? ''
  if (cell('question') === '') throw new SkippedQuestion('not_a_question')
  const texts = new TextReader(reader, note)
  const rich = (text: string): QuestionDoc => readCell(text, texts)
  const settings = readSettings(cell('settings'))
  const isNumbered = answers.length > 0 && !isLettered
  if (answers.length === 0) answers.push(...answerRowsOf(cell('options')))
  // Without options, the key is the answer itself.
  if (answers.length === 0) answers.push(...answerRowsOf(cell('correct')))
  else markCorrect(answers, { key: cell('correct'), isNumbered, note })
  const type = cell('type') === '' ? inferType(answers) : typeByName(cell('type'))
  if (!type) throw new SkippedQuestion('type_unsupported')
  const content = {
    stem: rich(cell('question')),
    explanation: cell('explanation') === '' ? null : texts.optional(rich(cell('explanation'))),
    points: cell('points') === '' ? 1 : pointsOf(cell('points').replace(',', '.'), note),
    penalty: settings.has('penalty') ? pointsOf(decimalText(settings.get('penalty')) ?? '0', note) : 0,
    partialCredit: settings.get('partial') !== 'no',
    ...readSheetAnswers(type, { answers, settings, rich, note }),
  }
  const difficulty = Number.parseInt(cell('difficulty'), 10)
  const locale = LOCALES.find((known) => known === cell('language').toLowerCase())
  return {
    content,
    tags: readTags(cell('tags').split(/[,;|]/), note),
    ...(difficulty >= 1 && difficulty <= 3 ? { difficulty } : {}),
    ...(locale ? { locale } : {}),
  }
}

/** Cells with HTML start with an element; all others are plain text with TeX. */
const readCell = (text: string, texts: TextReader): QuestionDoc =>
  isHtml(text) ? texts.html(text) : texts.plainWithFormulas(text)

const isHtml = (text: string): boolean => /^<[a-z]/i.test(text)

/** The options in one cell: a line each, or separated by semicolons or bars. */
function answerRowsOf(cell: string): AnswerRow[] {
  const separator = ['\n', ';', '|'].find((mark) => cell.includes(mark))
  const texts = (separator === undefined ? [cell] : cell.split(separator)).map((text) => text.trim())
  return texts
    .filter((text) => text !== '')
    .map((text, index) => ({ number: index + 1, text, match: '', share: null, explanation: '' }))
}

/**
 * `2`, `1, 3`, `B`, `A and C`, or the texts of the right answers. Notes a key that names no answer, and one whose numbers
 * are also the texts of other answers.
 */
function markCorrect(
  answers: AnswerRow[],
  { key, isNumbered, note }: { key: string; isNumbered: boolean; note: NoteChange },
): void {
  if (key === '' || answers.some(({ share }) => share !== null)) return
  const [byNumber, byText] = [rightByNumber(answers, key), rightByText(answers, key)]
  const [first, second] = isNumbered ? [byNumber, byText] : [byText, byNumber]
  const right = first.length > 0 ? first : second
  const isUnclear = isNumbered && byText.length > 0 && byText.some((answer) => !right.includes(answer))
  if (right.length === 0 || isUnclear) note('scoring_changed')
  for (const answer of answers) answer.share = right.includes(answer) ? 100 / right.length : 0
}

/** The answers that a key names by their numbers or letters; none where it contains anything else. */
function rightByNumber(answers: readonly AnswerRow[], key: string): AnswerRow[] {
  const parts = key.split(/[,;|\n&\s]/).filter((part) => part !== '' && !/^(and|\u0456|\u0442\u0430)$/i.test(part))
  const numbers = new Set(parts.map(numberOf))
  const right = answers.filter(({ number }) => numbers.has(number))
  return right.length === numbers.size ? right : []
}

function rightByText(answers: readonly AnswerRow[], key: string): AnswerRow[] {
  const isSame = (text: string, other: string) => text.trim().toLowerCase() === other.trim().toLowerCase()
  const exact = answers.filter(({ text }) => isSame(text, key))
  if (exact.length > 0) return exact
  const texts = key.split(/[,;|\n]/)
  const right = answers.filter(({ text }) => texts.some((part) => isSame(part, text)))
  return right.length === texts.length ? right : []
}

/** The number of an answer: `3`, `C`. */
function numberOf(part: string): number | null {
  if (/^[a-z]$/i.test(part)) return part.toLowerCase().charCodeAt(0) - 96
  return /^\d{1,2}[.)]?$/.test(part) ? Number.parseInt(part, 10) : null
}
