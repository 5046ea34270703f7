/* The closed lists of imports of questions: values that tables, modules and pages share. Without zod, so that tables may import them. */

/** What became of a question of a file, or of a test of a course. */
export const QUESTION_VERDICTS = ['imported', 'changed', 'skipped'] as const
export type QuestionVerdictName = (typeof QUESTION_VERDICTS)[number]

/** What is different in the imported or exported question. */
export const CHANGE_REASONS = [
  'file_missing',
  'feedback_lost',
  'formatting_lost',
  'formula_text',
  'image_missing',
  'incomplete',
  'layout_lost',
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

/** Everything that the verdict on a question can give as its reason. */
export const VERDICT_REASONS = [...CHANGE_REASONS, ...SKIP_REASONS] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** `running` ends with one of the last three; a canceled import has added nothing. */
export const QUESTION_IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'canceled'] as const
