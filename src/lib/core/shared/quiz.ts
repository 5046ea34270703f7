/*
 * The closed lists of values of tests, shared by tables, modules and the browser. Without zod, so that tables may
 * import them.
 */

export const QUESTION_TYPES = [
  'single',
  'multiple',
  'trueFalse',
  'shortText',
  'number',
  'essay',
  'fileUpload',
  'matching',
  'ordering',
  'gapText',
  'gapSelect',
  'gapMixed',
  'hotspot',
  'scale',
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** Question types whose answers are marked by a reviewer. */
export const MANUAL_TYPES: readonly QuestionType[] = ['essay', 'fileUpload']

export const DIFFICULTIES = [1, 2, 3] as const

export const QUIZ_STATUS = ['draft', 'published'] as const
export type QuizStatus = (typeof QUIZ_STATUS)[number]

/**
 * What happens when the time limit is reached: the saved answers are submitted; the student may submit, but not change
 * them, within a grace period, after which they are submitted; or nothing is submitted unless the student did so in
 * time.
 */
export const ON_EXPIRY = ['autoSubmit', 'graceSubmit', 'discard'] as const
export const GRADE_OF = ['best', 'last', 'first', 'average'] as const
export const NAVIGATIONS = ['free', 'forward'] as const
export const FEEDBACK_TIMES = ['afterEach', 'afterAttempt', 'afterClose', 'never'] as const
export type FeedbackTime = (typeof FEEDBACK_TIMES)[number]

/**
 * A section uses its questions in the order of the list, or selects random ones from the bank by tag and difficulty.
 */
export const SECTION_PICKS = ['fixed', 'random'] as const

export const ATTEMPT_STATES = ['inProgress', 'overdue', 'submitted', 'needsReview', 'graded', 'abandoned'] as const
export type AttemptState = (typeof ATTEMPT_STATES)[number]
/** States in which a student can still work on the attempt; a student has at most one such attempt in a test. */
export const RUNNING_STATES: readonly AttemptState[] = ['inProgress', 'overdue']

export const ATTEMPT_EVENTS = [
  'started',
  'resumed',
  'expired',
  'submitted',
  'abandoned',
  'timeGranted',
  'graded',
  'regraded',
  'lateAccepted',
] as const
export type AttemptEvent = (typeof ATTEMPT_EVENTS)[number]

/** `waiting`: answers of the attempt wait for marks in the review queue. */
export const ATTEMPT_REVIEW_STATES = ['waiting', 'reviewed'] as const

export const REGRADE_STATES = ['running', 'done'] as const

/** The outcome of a question of a file, or of a test of a course. */
export const QUESTION_VERDICTS = ['imported', 'changed', 'skipped'] as const
export type QuestionVerdictName = (typeof QUESTION_VERDICTS)[number]

/** What is different in the imported or exported question. */
export const CHANGE_REASONS = [
  'column_unknown',
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
export const IMPORT_SKIP_REASONS = [
  'calculated_unsupported',
  'invalid',
  'no_answers',
  'not_a_question',
  'number_unreadable',
  'several_interactions',
  'syntax',
  'too_large',
  'type_unsupported',
] as const
export type ImportSkipReason = (typeof IMPORT_SKIP_REASONS)[number]

/** Everything that the verdict on a question can give as its reason. */
export const VERDICT_REASONS = [...CHANGE_REASONS, ...IMPORT_SKIP_REASONS] as const
export type VerdictReason = (typeof VERDICT_REASONS)[number]

/** `running` ends with one of the last three; a canceled import has added nothing. */
export const QUESTION_IMPORT_STATES = ['queued', 'running', 'done', 'failed', 'canceled'] as const
