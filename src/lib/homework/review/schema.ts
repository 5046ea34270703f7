import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { Annotation, RubricMark } from '../schema.ts'

const id = z.uuid()

/**
 * Tabs of the queue; `overdue`: the promised response time has passed; `graded`: attempts at tests that were reviewed.
 */
export const QUEUE_TABS = ['toCheck', 'mine', 'overdue', 'returned', 'accepted', 'rejected', 'graded'] as const
export type QueueTab = (typeof QUEUE_TABS)[number]

/** The kinds of reviewed work: submissions of homework, and attempts at tests with answers that have to be marked. */
export const WORK_KINDS = ['homework', 'test'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** Submissions on a page of the queue. */
const QUEUE_PAGE_SIZE = 40
/** A lock without activity expires after this time. */
export const LOCK_MINUTES = 30
/** A verdict can be recalled for this long, before the student is notified. */
export const VERDICT_RECALL_SECONDS = 60
const MAX_BULK = 200

export const QueueFilter = z.object({
  tab: z.enum(QUEUE_TABS).default('toCheck'),
  kind: z.enum(WORK_KINDS).optional(),
  courseId: id.optional(),
  groupId: id.optional(),
  lessonId: id.optional(),
  studentId: id.optional(),
  /** Membership of the assigned reviewer; `none`: not assigned. */
  curator: id.or(z.literal('none')).optional(),
  /** Part of a student's name or email address. */
  q: multilineText(100).default(''),
  /** Days in the reader's time zone, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  late: z.stringbool().or(z.boolean()).default(false),
})
export type QueueFilter = z.output<typeof QueueFilter>

export const ListQueue = QueueFilter.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(QUEUE_PAGE_SIZE),
})
export type ListQueue = z.output<typeof ListQueue>

export const GetReviewPage = QueueFilter.extend({ submissionId: id })
export type GetReviewPage = z.output<typeof GetReviewPage>

export const GetAdjacentWork = QueueFilter.extend({ attemptId: id })
export type GetAdjacentWork = z.output<typeof GetAdjacentWork>

export const SubmissionId = z.object({ submissionId: id })
export const FileOfSubmission = SubmissionId.extend({ fileId: id })
export type FileOfSubmission = z.infer<typeof FileOfSubmission>
export const OpenSubmission = SubmissionId.extend({ takeOver: z.boolean().default(false) })
export type OpenSubmission = z.output<typeof OpenSubmission>

/** The unfinished review, not visible to the student. */
export const ReviewDraft = z.object({
  feedback: LessonDoc.nullable(),
  score: z.number().int().min(0).max(1000).nullable(),
  rubricMarks: z.array(RubricMark).max(40),
  annotations: z.array(Annotation).max(300),
  voiceFileId: id.nullable(),
})
export type ReviewDraft = z.infer<typeof ReviewDraft>

export const SaveReview = SubmissionId.extend({ version: z.int32().min(1), ...ReviewDraft.shape })
export type SaveReview = z.output<typeof SaveReview>

export const VERDICTS = ['accept', 'return', 'reject'] as const
export type VerdictAction = (typeof VERDICTS)[number]

/** `version` of the draft that the reviewer sees. */
export const FinishReview = SubmissionId.extend({ verdict: z.enum(VERDICTS), version: z.int32().min(1) })
export type FinishReview = z.infer<typeof FinishReview>

export const SubmissionIds = z.object({ submissionIds: z.array(id).min(1).max(MAX_BULK) })
export type SubmissionIds = z.infer<typeof SubmissionIds>
export const AssignSubmissions = SubmissionIds.extend({ memberId: id.nullable() })
export type AssignSubmissions = z.infer<typeof AssignSubmissions>

/** Reasons why a bulk action skipped a submission: keys `homework:queue.skipped.<code>`. */
const SKIP_REASONS = ['notWaiting', 'locked', 'needsScore'] as const
export type BulkSkipReason = (typeof SKIP_REASONS)[number]

export const SaveSnippet = z.object({
  snippetId: id.optional(),
  title: textLine(80).min(1, 'required'),
  body: multilineText(4000).min(1, 'required'),
  shared: z.boolean().default(false),
})
export type SaveSnippet = z.output<typeof SaveSnippet>
export const SnippetId = z.object({ snippetId: id })
