import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { ChangeReason, ImportSkipReason } from '#lib/core/shared/quiz.ts'
import { questionIssues, titleTextOf } from '../question/rules.ts'
import { QuestionDraft } from '../question/schema.ts'
import { type ImportFormat, MAX_IMPORTED_QUESTIONS, MAX_MEDIA_BYTES, type QuestionVerdict } from './schema.ts'

/** A question of a file with its outcome; `draft` is null for a skipped one. */
export interface ReadQuestion extends QuestionVerdict {
  draft: QuestionDraft | null
}

/** A file that questions show; texts refer to it by `id`. */
export interface MediaFile {
  id: string
  name: string
  /** Shown as an image. */
  picture: boolean
  bytes: Uint8Array
}

/** The questions that were read from a file. Plain data, because it comes from a worker process. */
export interface ReadQuestions {
  format: ImportFormat
  questions: ReadQuestion[]
  files: MediaFile[]
  /** Headings of the columns of a table that are not imported. */
  unknownColumns: string[]
}

/** Skips the current question; the reader continues with the next one. */
export class SkippedQuestion extends Error {
  readonly reason: ImportSkipReason

  constructor(reason: ImportSkipReason) {
    super(reason)
    this.reason = reason
  }
}

/** Notes a part of a question that could not be kept. */
export type NoteChange = (reason: ChangeReason) => void

export interface QuestionPlace {
  file?: string | null
  line: number
  title: string
}

const MAX_TITLE = 200
const MAX_UNKNOWN_COLUMNS = 50
const MAX_COLUMN_NAME = 80

/** Takes an image or another file that a question shows; gives its id, or null where it has no place. */
export type AddFile = (key: string, name: string, picture: boolean, bytes: Uint8Array) => string | null

/** Collects the questions and images of one file. */
export class QuestionReader {
  readonly questions: ReadQuestion[] = []
  readonly #unknownColumns = new Set<string>()
  readonly #files = new Map<string, MediaFile>()
  readonly #maxQuestions: number
  readonly #addFile: AddFile | null
  #mediaBytes = 0

  /** `addFile`: takes the files where they are not kept here. */
  constructor({ maxQuestions = MAX_IMPORTED_QUESTIONS, addFile }: { maxQuestions?: number; addFile?: AddFile } = {}) {
    this.#maxQuestions = maxQuestions
    this.#addFile = addFile ?? null
  }

  /**
   * Adds the question that `build` returns, with the changes that it notes; when it throws `SkippedQuestion`, the
   * question is listed as skipped. Refuses with unprocessable (questions_many) above the maximum number of questions.
   */
  add({ file = null, line, title }: QuestionPlace, build: (note: NoteChange) => unknown): ReadQuestion {
    if (this.questions.length >= this.#maxQuestions) throw importRefusal('questions_many')
    const reasons = new Set<QuestionVerdict['reasons'][number]>()
    const draft = this.#build(build, reasons)
    const shownTitle = titleFromText(title) || (draft ? titleFromText(titleTextOf(draft.content)) : '')
    const verdict = draft === null ? 'skipped' : reasons.size > 0 ? 'changed' : 'imported'
    const number = this.questions.length + 1
    const read: ReadQuestion = { number, file, line, title: shownTitle, verdict, reasons: [...reasons], draft }
    this.questions.push(read)
    return read
  }

  /**
   * Adds an image or another file, each once by its key; returns its id. Null when the total size of all files is
   * exceeded.
   */
  addFile(key: string, name: string, picture: boolean, bytes: Uint8Array): string | null {
    if (this.#addFile) return this.#addFile(key, name, picture, bytes)
    const known = this.#files.get(`${picture} ${key}`)
    if (known) return known.id
    if (bytes.length === 0 || this.#mediaBytes + bytes.length > MAX_MEDIA_BYTES) return null
    this.#mediaBytes += bytes.length
    const file = { id: newId(), name: name.slice(-200) || 'file', picture, bytes }
    this.#files.set(`${picture} ${key}`, file)
    return file.id
  }

  /** Names a column of a table that is not imported. */
  addUnknownColumn(heading: string): void {
    const name = titleFromText(heading).slice(0, MAX_COLUMN_NAME).toWellFormed()
    if (name !== '' && this.#unknownColumns.size < MAX_UNKNOWN_COLUMNS) this.#unknownColumns.add(name)
  }

  result(format: ImportFormat): ReadQuestions {
    return {
      format,
      questions: this.questions,
      files: [...this.#files.values()],
      unknownColumns: [...this.#unknownColumns],
    }
  }

  #build(build: (note: NoteChange) => unknown, reasons: Set<QuestionVerdict['reasons'][number]>): QuestionDraft | null {
    try {
      const parsed = QuestionDraft.safeParse(build((reason) => reasons.add(reason)))
      if (!parsed.success) {
        const tooLarge = parsed.error.issues.some(({ code }) => code === 'too_big')
        throw new SkippedQuestion(tooLarge ? 'too_large' : 'invalid')
      }
      if (questionIssues(parsed.data.content).length > 0) reasons.add('incomplete')
      return parsed.data
    } catch (error) {
      if (!(error instanceof SkippedQuestion)) throw error
      reasons.clear()
      reasons.add(error.reason)
      return null
    }
  }
}

function titleFromText(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/gu, ' ').trim()
  return [...line].slice(0, MAX_TITLE).join('').toWellFormed()
}

/** The refusal of a whole file. */
export const importRefusal = (key: string): Refusal => new Refusal('unprocessable', { fields: { file: [key] } })
