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

/**
 * Questions of a table, one per row; the first row contains the headings. Refuses with unprocessable
 * (questions_no_column) without a column of questions.
 */
export function readSheet(rows: readonly (readonly string[])[], reader: QuestionReader): void {
  const [heading = [], ...body] = rows
  const meanings = heading.map(columnMeaning)
  if (!meanings.some((meaning) => meaning?.column === 'question')) throw importRefusal('questions_no_column')
  for (const [index, cells] of body.entries()) {
    const row = readRow(cells, meanings)
    reader.add({ line: index + 2, title: '' }, (note) => readQuestion(row, reader, note))
  }
}

/** The delimiter of a CSV file: the one that occurs most often in the heading. */
export function delimiterOf(text: string): string {
  const [heading = ''] = text.split('\n', 1)
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: heading.split(delimiter).length }))
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

function readQuestion({ cells, answers }: SheetRow, reader: QuestionReader, note: NoteChange) {
  const cell = (column: Column) => cells.get(column) ?? ''
  if (cell('question') === '') throw new SkippedQuestion('not_a_question')
  const texts = new TextReader(reader, note)
  const rich = (text: string): QuestionDoc => readCell(text, texts)
  const settings = readSettings(cell('settings'))
  markCorrect(answers, cell('correct'))
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
  /^<[a-z]/i.test(text) ? texts.html(text) : texts.plainWithFormulas(text)

/** `2`, `1, 3` or `B` in the column of right answers. */
function markCorrect(answers: AnswerRow[], cell: string): void {
  if (cell === '' || answers.some(({ share }) => share !== null)) return
  const numbers = cell
    .split(/[\s,;]+/)
    .map((part) => (/^[a-z]$/i.test(part) ? part.toLowerCase().charCodeAt(0) - 96 : Number(part)))
  const right = answers.filter(({ number, text }) => numbers.includes(number) || text === cell)
  for (const answer of answers) answer.share = right.includes(answer) ? 100 / right.length : 0
}
