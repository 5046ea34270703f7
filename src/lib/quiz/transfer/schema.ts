import { z } from 'zod'

/** Formats that questions are imported from. A file's format is found by its content. */
export const IMPORT_FORMATS = ['gift', 'aiken', 'moodle', 'qti12', 'qti21', 'qti22', 'qti30', 'csv', 'xlsx'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

export const EXPORT_FORMATS = ['gift', 'moodle', 'qti22', 'qti30', 'csv', 'xlsx', 'pdf', 'pdfAnswers'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const IMPORT_VERDICTS = ['imported', 'changed', 'skipped'] as const
export type ImportVerdict = (typeof IMPORT_VERDICTS)[number]

/** What is different in the imported or exported question. */
export const CHANGE_REASONS = [
  'file_missing',
  'feedback_lost',
  'formatting_lost',
  'formula_text',
  'image_missing',
  'incomplete',
  'layout_lost',
  'passage_added',
  'points_limited',
  'scoring_changed',
  'settings_lost',
  'tags_lost',
  'text_shortened',
  'type_changed',
] as const
export type ChangeReason = (typeof CHANGE_REASONS)[number]

/** Why a question was not imported or exported. */
export const SKIP_REASONS = [
  'invalid',
  'no_answers',
  'not_a_question',
  'several_interactions',
  'syntax',
  'too_large',
  'type_unsupported',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** The most questions of a file, its bytes, and the bytes of all its images together. */
export const MAX_QUESTIONS = 2000
export const MAX_IMPORT_BYTES = 20 * 1024 ** 2
export const MAX_MEDIA_BYTES = 40 * 1024 ** 2

/** The outcome for one question of an imported file. */
export const QuestionVerdict = z.object({
  number: z.int().min(1),
  /** File of the package; null for a single file. */
  file: z.string().nullable(),
  /** Line of the file, or row of the table. */
  line: z.int().min(1),
  title: z.string(),
  verdict: z.enum(IMPORT_VERDICTS),
  reasons: z.array(z.enum([...CHANGE_REASONS, ...SKIP_REASONS])),
})
export type QuestionVerdict = z.output<typeof QuestionVerdict>
