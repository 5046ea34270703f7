/*
 * The closed lists of values of learning, shared by tables, modules and the browser. Without zod, so that tables may
 * import them.
 */

export const COURSE_STATUS = ['draft', 'published', 'archived'] as const
export type CourseStatus = (typeof COURSE_STATUS)[number]

export const LEVELS = ['beginner', 'middle', 'advanced'] as const
export const PROGRESSIONS = ['free', 'sequential', 'drip'] as const
export const START_FROM = ['group', 'grant', 'opening'] as const
export const OVERRIDE_EFFECTS = ['open', 'close', 'shiftDays'] as const
export type OverrideEffect = (typeof OVERRIDE_EFFECTS)[number]
/** Colors of study groups; each has a name, so that information is never conveyed by color only. */
export const GROUP_COLORS = ['blue', 'green', 'yellow', 'red', 'purple', 'gray'] as const
export type GroupColor = (typeof GROUP_COLORS)[number]

/** The specification's statuses of a student (section 4). */
export const STUDENT_STATUS = ['invited', 'registered', 'accepted', 'unknown'] as const
export type StudentStatus = (typeof STUDENT_STATUS)[number]

/** What can be sent to many students at once: a new invitation, or an email. */
export const MESSAGE_ACTIONS = ['invite', 'email'] as const

/** The bulk actions on students. */
export const BULK_ACTIONS = [
  'addToCourse',
  'addToGroup',
  'extend',
  'freeze',
  'tag',
  'untag',
  'block',
  'unblock',
  'delete',
  'restore',
] as const
/** The states of a bulk action; a draft waits for its confirmation. */
export const BULK_STATES = ['draft', 'queued', 'running', 'done'] as const
/** The outcome of a bulk action for one student. */
export const BULK_OUTCOMES = ['done', 'unchanged', 'failed'] as const

/** The specification's types of a lesson's task. */
export const TASK_TYPES = ['file', 'video'] as const
export const LATE_POLICIES = ['accept', 'acceptMarked', 'refuse'] as const
export const GRADINGS = ['acceptReject', 'points'] as const
export const SHOW_SAMPLE = ['never', 'afterAccept'] as const

/** The state of one attempt at a task. */
export const SUBMISSION_STATES = ['draft', 'submitted', 'in_review', 'accepted', 'returned', 'rejected'] as const
export type SubmissionState = (typeof SUBMISSION_STATES)[number]

export const SUBMISSION_EVENTS = [
  'submitted',
  'withdrawn',
  'locked',
  'released',
  'taken_over',
  'assigned',
  'accepted',
  'returned',
  'rejected',
  'reopened',
] as const

export const ROADMAP_VISIBILITY = ['public', 'link', 'students'] as const

/** The states of an import into a course. */
export const TRANSFER_STATES = ['queued', 'running', 'done', 'failed'] as const
export type TransferState = (typeof TRANSFER_STATES)[number]

/** Whether a file name is that of a Word document, for which the split is chosen. The content decides how it is parsed. */
export const isWordName = (name: string): boolean => /\.docx$/i.test(name)

/** How a Word document is split into lessons: keys `transfer:split.<split>`, in the order of preference. */
export const DOCUMENT_SPLITS = ['headings', 'modules', 'bold', 'numbered', 'pages', 'none'] as const
export type DocumentSplit = (typeof DOCUMENT_SPLITS)[number]

export const isDocumentSplit = (value: string): value is DocumentSplit =>
  (DOCUMENT_SPLITS as readonly string[]).includes(value)
