import { z } from 'zod'
import { QUESTION_IMPORT_STATES, QUESTION_TYPES, QUESTION_VERDICTS, VERDICT_REASONS } from '#lib/core/shared/quiz.ts'

/** Formats that questions are imported from. A file's format is found by its content. */
export const IMPORT_FORMATS = ['gift', 'aiken', 'moodle', 'qti12', 'qti21', 'qti22', 'qti30', 'csv', 'xlsx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export const EXPORT_FORMATS = ['gift', 'moodle', 'qti22', 'qti30', 'csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Maximum number of questions in a file, its maximum size, and the maximum total size of its images; in bytes. */
export const MAX_IMPORTED_QUESTIONS = 2000
export const MAX_QUESTION_FILE_BYTES = 20 * 1024 ** 2
export const MAX_MEDIA_BYTES = 40 * 1024 ** 2
/** Maximum size in bytes of a file that a form uploads. */
export const MAX_FORM_BYTES = 10 * 1024 ** 2

/** The outcome for one question of an imported file. */
export const QuestionVerdict = z.object({
  number: z.int().min(1),
  /** File of the package; null for a single file. */
  file: z.string().nullable(),
  /** Line of the file, or row of the table. */
  line: z.int().min(1),
  title: z.string(),
  verdict: z.enum(QUESTION_VERDICTS),
  reasons: z.array(z.enum(VERDICT_REASONS)),
})
export type QuestionVerdict = z.output<typeof QuestionVerdict>

export const PreviewQuestions = z.object({ fileId: z.uuid() })
export type PreviewQuestions = z.output<typeof PreviewQuestions>

export const ImportQuestions = PreviewQuestions.extend({ bankId: z.uuid().nullable().default(null) })
export type ImportQuestions = z.output<typeof ImportQuestions>

/** The questions of a file with their outcomes. */
export const ReadFile = z.object({
  fileName: z.string(),
  format: z.enum(IMPORT_FORMATS),
  counts: z.object({ imported: z.int(), changed: z.int(), skipped: z.int() }),
  /** Headings of columns with texts that are not imported. */
  unknownColumns: z.array(z.string()).optional(),
  questions: z.array(QuestionVerdict.extend({ type: z.enum(QUESTION_TYPES).nullable() })),
})
export type ReadFile = z.output<typeof ReadFile>

export const QuestionImportId = z.object({ importId: z.uuid() })
export type QuestionImportId = z.output<typeof QuestionImportId>

/** Reason of a failed import: a refusal's code, message keys and variables. */
export const ImportFailure = z.object({
  code: z.string(),
  fields: z.record(z.string(), z.array(z.string())),
  variables: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type ImportFailure = z.output<typeof ImportFailure>

/** Progress and result of an import. */
export const QuestionImportView = z.object({
  id: z.string(),
  fileName: z.string(),
  bankId: z.string().nullable(),
  state: z.enum(QUESTION_IMPORT_STATES),
  /** Percent. */
  progress: z.number(),
  /** Questions that the bank did not have yet. */
  inserted: z.number(),
  result: ReadFile.nullable(),
  failure: ImportFailure.nullable(),
  createdAt: z.date(),
})
export type QuestionImportView = z.output<typeof QuestionImportView>

/** Questions of a bank (null: the general one), of a test, or by their ids. */
export const ExportQuestions = z.union([
  z.object({ format: z.enum(EXPORT_FORMATS), questionIds: z.array(z.uuid()).min(1).max(2000) }),
  z.object({ format: z.enum(EXPORT_FORMATS), quizId: z.uuid() }),
  z.object({ format: z.enum(EXPORT_FORMATS), bankId: z.uuid().nullable() }),
])
export type ExportQuestions = z.infer<typeof ExportQuestions>
