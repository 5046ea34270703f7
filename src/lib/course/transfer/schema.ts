import { z } from 'zod'
import { DOCUMENT_SPLITS, type DocumentSplit } from '#lib/core/shared/learning.ts'
import type { QuestionVerdictName, VerdictReason } from '#lib/core/shared/quiz.ts'

/** Format of an imported file: keys `transfer:format.<format>`. */
export const TRANSFER_FORMATS = ['bundle', 'docx', 'commonCartridge', 'moodle', 'markdown'] as const
export type TransferFormat = (typeof TRANSFER_FORMATS)[number]

/**
 * Items that were not imported, with reasons: keys `transfer:listed.<kind>.name` and `.reason`. `assignment` and
 * `activity` appear in reports of earlier versions too.
 */
export const OMITTED_KINDS = [
  'quiz',
  'questionBank',
  'assignment',
  'forum',
  'survey',
  'package',
  'lti',
  'activity',
  'settings',
  'answers',
  'pictureMissing',
  'pictureUnknown',
  'pictureOutside',
  'fileMissing',
  'linkMissing',
  'frontMatter',
  'pagesSkipped',
  'filesUnused',
  'fileRefused',
  'captionsUnreadable',
  'comment',
  'chart',
  'diagram',
  'object',
  'pageHeader',
] as const

/** Items that were imported in another form than in the source; same keys. */
export const CHANGED_KINDS = ['frame', 'linkLost', 'empty', 'shortened'] as const

export const NOTE_KINDS = [...OMITTED_KINDS, ...CHANGED_KINDS] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

export interface TransferNote {
  kind: NoteKind
  /** The title of the activity, page or file in the source. */
  title: string
  /** Number of its files that were not imported. */
  files?: number
  /** Number of its links that were not kept. */
  links?: number
  /** Length of its text that was not imported. */
  characters?: number
}

/** The lessons that a Word document would become. */
export interface DocumentPreview {
  title: string
  /** Default way to split. */
  defaultSplit: DocumentSplit
  /** The ways to split the document, including not splitting it. */
  options: { split: DocumentSplit; lessons: number; titles: string[] }[]
}

/** Content of the source that was imported: keys `transfer:imported.<kind>`, plural. */
export const IMPORTED_KINDS = [
  'section',
  'page',
  'lessonPage',
  'chapter',
  'label',
  'link',
  'folder',
  'file',
  'assignment',
  'glossaryEntry',
  'test',
  'questionBank',
] as const
export type ImportedKind = (typeof IMPORTED_KINDS)[number]

/** Items of the source, each counted once: Moodle activities, or resources in the manifest of a cartridge. */
export interface SourceItems {
  found: number
  imported: number
  listed: number
}

/** The outcome of a test, or of a bank of questions, of the source. */
export interface TestVerdict {
  kind: 'test' | 'bank'
  title: string
  verdict: QuestionVerdictName
  /** Of the test itself: what of its settings was not imported. */
  reasons: VerdictReason[]
  /** Its questions by verdict. */
  counts: Record<QuestionVerdictName, number>
  /** Those that were changed or skipped. */
  questions: { title: string; line: number; verdict: QuestionVerdictName; reasons: VerdictReason[] }[]
  /** Such questions beyond those that are listed. */
  moreQuestions: number
}

export interface TransferReport {
  format: TransferFormat
  modules: number
  lessons: number
  tasks: number
  /** Missing in reports of earlier versions. */
  tests?: TestVerdict[]
  files: number
  /** Files that were already in the storage. */
  reused: number
  imported?: Partial<Record<ImportedKind, number>>
  source?: SourceItems
  notes: TransferNote[]
  /** Number of notes above the limit. */
  moreNotes: number
}

/** Reason of a failed import: a refusal's code, message keys and variables. */
export interface TransferFailure {
  code: string
  fields: Record<string, string[]>
  variables: Record<string, string | number>
}

export const MAX_NOTES = 2000
/** The most changed and skipped questions that a report lists for one test. */
export const MAX_LISTED_QUESTIONS = 200

const id = z.uuid()
export const StartImport = z.object({
  fileId: id,
  /** For a Word document; chosen automatically by default. */
  split: z.enum(DOCUMENT_SPLITS).optional(),
})
export type StartImport = z.output<typeof StartImport>
export const PreviewImport = z.object({ fileId: id })
export type PreviewImport = z.output<typeof PreviewImport>
export const TransferId = z.object({ transferId: id })
