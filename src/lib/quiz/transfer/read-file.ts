import { readFile, stat } from 'node:fs/promises'
import { readCsv } from '#lib/core/csv/csv.ts'
import { decodeTable } from '#lib/core/csv/decode.ts'
import { readXlsx } from '#lib/core/csv/read-xlsx.ts'
import { openArchive } from '#lib/core/files/archive/archive.ts'
import { withoutFolder } from '#lib/core/files/archive/archive-folder.ts'
import { isAiken, readAiken } from './aiken.ts'
import { readGift } from './gift/read-gift.ts'
import { readMoodleQuestions } from './moodle/read-moodle.ts'
import { normalizeQti, qtiVersion } from './qti/normalize.ts'
import { QTI_MANIFEST, readQtiPackage } from './qti/package.ts'
import { readQtiItem } from './qti/read-item.ts'
import { readQti12 } from './qti12/read-qti12.ts'
import { importRefusal, QuestionReader, type ReadQuestions } from './question-reader.ts'
import { type ImportFormat, MAX_IMPORTED_QUESTIONS, MAX_QUESTION_FILE_BYTES } from './schema.ts'
import { delimiterOf, headingRowOf, readSheet } from './sheet/read-sheet.ts'
import { decodeXml, readXml } from './xml.ts'

const WORKBOOK = 'xl/workbook.xml'

/**
 * Parses the questions of a file. The format is detected by the content, never by the name. Refuses with too_large, and
 * with unprocessable: questions_unknown, questions_empty, questions_many, and as for archives and tables.
 */
export async function readQuestionFile({ path, scratch }: { path: string; scratch: string }): Promise<ReadQuestions> {
  const { size } = await stat(path)
  if (size > MAX_QUESTION_FILE_BYTES) throw importRefusal('questions_too_large')
  const reader = new QuestionReader()
  const bytes = await readFile(path)
  const format = isArchive(bytes) ? await readArchive(path, scratch, bytes, reader) : readSingleFile(bytes, reader)
  if (reader.questions.length === 0) throw importRefusal('questions_empty')
  return reader.result(format)
}

const isArchive = (bytes: Buffer): boolean =>
  bytes.subarray(0, 2).toString('latin1') === 'PK' || (bytes[0] === 0x1f && bytes[1] === 0x8b)

async function readArchive(
  path: string,
  scratch: string,
  bytes: Buffer,
  reader: QuestionReader,
): Promise<ImportFormat> {
  const archive = withoutFolder(await openArchive(path, scratch), [QTI_MANIFEST])
  try {
    if (!archive.names.includes(WORKBOOK)) return await readQtiPackage(archive, reader)
  } finally {
    archive.close()
  }
  readSheet(await readXlsx(bytes, MAX_IMPORTED_QUESTIONS + 20), reader)
  return 'xlsx'
}

function readSingleFile(bytes: Buffer, reader: QuestionReader): ImportFormat {
  const start = decodeXml(bytes.subarray(0, 2000))
    .replace(/^\ufeff/, '')
    .trimStart()
  if (
    start.startsWith('<?xml') ||
    /^<(!--|[\w-]{1,40}:)?(quiz|questestinterop|assessmentItem|qti-assessment-item)/.test(start) ||
    /^<!DOCTYPE\s{1,20}(quiz|questestinterop|assessmentItem|qti-assessment-item)\b/.test(start)
  )
    return readXmlFile(bytes, reader)
  const text = decodeTable(bytes)
  if (text === null || /^\s*(<!doctype|<html|%PDF|\{\s*")/i.test(text)) throw importRefusal('questions_unknown')
  if (isTable(text)) {
    readSheet(readCsv(text, { maxRows: MAX_IMPORTED_QUESTIONS + 20, delimiter: delimiterOf(text) }), reader)
    return 'csv'
  }
  if (isAiken(text)) {
    readAiken(text, reader)
    return 'aiken'
  }
  if (!text.includes('{')) throw importRefusal('questions_unknown')
  readGift(text.replace(/^\ufeff/, ''), reader)
  return 'gift'
}

/** Whether one of the first lines contains the headings of a table. */
function isTable(text: string): boolean {
  const rows = readCsv(text.slice(0, 20_000), { maxRows: 15, delimiter: delimiterOf(text) })
  const row = headingRowOf(rows)
  return row !== null && (rows[row] ?? []).length > 1
}

function readXmlFile(bytes: Buffer, reader: QuestionReader): ImportFormat {
  const root = readXml(bytes, '')
  if (root.name === 'quiz') {
    readMoodleQuestions(bytes, reader)
    return 'moodle'
  }
  if (root.name === 'questestinterop') {
    readQti12(root, decodeXml(bytes), reader, () => null, null)
    return 'qti12'
  }
  const version = qtiVersion(root)
  if (!version) throw importRefusal('questions_unknown')
  const item = normalizeQti(root)
  reader.add({ line: 1, title: item.attributes.title ?? '' }, (note) => readQtiItem(item, reader, note, () => null))
  return version
}
