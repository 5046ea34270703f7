import { buffer } from 'node:stream/consumers'
import { makeZip } from 'client-zip'
import { writeCsv } from '#lib/core/csv/csv.ts'
import { writeXlsx, XLSX_TYPE } from '#lib/core/csv/xlsx.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { type ExportedQuestion, loadQuestionDrafts } from '../bank/transfer.ts'
import type { QuestionDoc } from '../question/rich-text-schema.ts'
import { titleTextOf } from '../question/rules.ts'
import type { QuestionContent } from '../question/schema.ts'
import { writeGift } from './gift/write-gift.ts'
import { MOODLE_END, MOODLE_START, writeMoodleQuestion } from './moodle/write-moodle.ts'
import { type PackagedMedia, packageFiles } from './qti/write-package.ts'
import { type NoteChange, SkippedQuestion } from './question-reader.ts'
import { type ExportFormat, type ExportQuestions, MAX_MEDIA_BYTES, type QuestionVerdict } from './schema.ts'
import { sheetHeading, writeSheetRow } from './sheet/write-sheet.ts'

export interface ExportedFile {
  body: BodyInit
  type: string
  /** Extension of a file without a name. */
  extension: string
  questions: QuestionVerdict[]
}

const TYPES: Record<ExportFormat, { type: string; extension: string }> = {
  gift: { type: 'text/plain; charset=utf-8', extension: 'gift.txt' },
  moodle: { type: 'application/xml; charset=utf-8', extension: 'xml' },
  qti22: { type: 'application/zip', extension: 'qti22.zip' },
  qti30: { type: 'application/zip', extension: 'qti30.zip' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
  xlsx: { type: XLSX_TYPE, extension: 'xlsx' },
}

/**
 * Questions as a file in a format, with the outcome for each: content that the format does not support is reported as a
 * change, and unsupported types are skipped. Refuses with forbidden, unprocessable (export_too_large) when the images
 * exceed the size limit.
 */
export async function exportQuestions(actor: Actor, { format, ...selection }: ExportQuestions): Promise<ExportedFile> {
  const questions = await loadQuestionDrafts(actor, selection)
  const media = format === 'csv' || format === 'xlsx' ? new Map() : await loadMedia(actor, questions)
  const verdicts: QuestionVerdict[] = []
  const written = questions.flatMap((question): { question: ExportedQuestion; text: string | string[] }[] => {
    const text = writeOne(question, verdicts, (note) => writeQuestion(question, format, media, note))
    return text === null ? [] : [{ question, text }]
  })
  const texts = written.map(({ text }) => text)
  const body = await bodyOf(
    format,
    texts,
    written.map(({ question }) => question),
    media,
  )
  return { body, ...TYPES[format], questions: verdicts }
}

function writeOne<T>(
  { draft }: ExportedQuestion,
  verdicts: QuestionVerdict[],
  write: (note: NoteChange) => T,
): T | null {
  const reasons = new Set<QuestionVerdict['reasons'][number]>()
  const number = verdicts.length + 1
  const title = titleTextOf(draft.content).slice(0, 200).toWellFormed()
  const add = (verdict: QuestionVerdict['verdict']) =>
    verdicts.push({ number, file: null, line: number, title, verdict, reasons: [...reasons] })
  try {
    const text = write((reason) => reasons.add(reason))
    add(reasons.size > 0 ? 'changed' : 'imported')
    return text
  } catch (error) {
    if (!(error instanceof SkippedQuestion)) throw error
    reasons.clear()
    reasons.add(error.reason)
    add('skipped')
    return null
  }
}

type Media = ReadonlyMap<string, PackagedMedia>

function writeQuestion(
  { draft, questionId }: ExportedQuestion,
  format: ExportFormat,
  media: Media,
  note: NoteChange,
): string | string[] {
  switch (format) {
    case 'gift':
      return writeGift(draft, (fileId) => dataAddress(media.get(fileId)), note)
    case 'moodle':
      return writeMoodleQuestion(draft, (fileId) => media.get(fileId) ?? null, note)
    case 'csv':
    case 'xlsx':
      return writeSheetRow(draft, note)
    case 'qti22':
    case 'qti30':
      return packageFiles.item(draft, questionId, format, media, note)
  }
}

/** GIFT has no files: images are embedded in the text. */
function dataAddress(file: PackagedMedia | undefined): string | null {
  return file && /^image\//.test(file.mime)
    ? `data:${file.mime};base64,${Buffer.from(file.bytes).toString('base64')}`
    : null
}

async function bodyOf(
  format: ExportFormat,
  texts: (string | string[])[],
  questions: ExportedQuestion[],
  media: Media,
): Promise<BodyInit> {
  const rows = texts.filter((text) => Array.isArray(text))
  const heading = sheetHeading(Math.max(1, ...rows.map((row) => Math.ceil((row.length - sheetHeading(0).length) / 4))))
  switch (format) {
    case 'gift':
      return texts.join('')
    case 'moodle':
      return `${MOODLE_START}${texts.join('')}${MOODLE_END}`
    case 'csv':
      return writeCsv(heading, rows)
    case 'xlsx':
      return writeXlsx(rowsOf([heading, ...rows]))
    case 'qti22':
    case 'qti30': {
      const items = texts.map((text, index) => ({ question: questions[index], xml: String(text) }))
      return makeZip(
        packageFiles.entries(
          items.flatMap(({ question, xml }) => (question ? [{ question, xml }] : [])),
          format,
          media,
        ),
      )
    }
  }
}

async function* rowsOf(rows: readonly string[][]): AsyncGenerator<string[]> {
  yield* rows
}

/** The images and files of questions. Deleted ones are omitted. */
async function loadMedia(actor: Actor, questions: readonly ExportedQuestion[]): Promise<Map<string, PackagedMedia>> {
  const media = new Map<string, PackagedMedia>()
  let bytes = 0
  for (const fileId of new Set(questions.flatMap(({ draft }) => fileIdsOf(draft.content)))) {
    const view = await findFile(actor, fileId).catch((error) => {
      if (error instanceof Refusal && error.code === 'not_found') return null
      throw error
    })
    if (!view) continue
    bytes += view.size ?? 0
    if (bytes > MAX_MEDIA_BYTES) throw new Refusal('unprocessable', { fields: { file: ['export_too_large'] } })
    const stream = await store.read(`${actor.tenantId}/${fileId}`)
    if (!stream) continue
    const { name, mime, width = null, height = null } = view
    media.set(fileId, { name, mime: mime ?? '', bytes: await buffer(stream), width, height })
  }
  return media
}

/** Ids of all files of a question, including those of its parts. */
function fileIdsOf(content: QuestionContent): string[] {
  const ids = new Set<string>()
  const pending: unknown[] = [content]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (isDoc(value)) for (const id of filesOf(value)) ids.add(id)
    else pending.push(...Object.values(value))
  }
  if (content.type === 'hotspot' && content.imageFileId) ids.add(content.imageFileId)
  return [...ids]
}

const isDoc = (value: object): value is QuestionDoc => 'type' in value && value.type === 'doc' && 'content' in value
