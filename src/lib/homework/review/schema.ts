import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { line, text } from '#lib/core/shared/text/text.ts'
import { Annotation, RubricMark } from '../schema.ts'

const id = z.uuid()

/** The parts of the queue; `overdue` are those whose promised hour has passed. */
export const QUEUE_TABS = ['toCheck', 'mine', 'overdue', 'returned', 'accepted', 'rejected'] as const
export type QueueTab = (typeof QUEUE_TABS)[number]

/** Works a page of the queue. */
export const QUEUE_PAGE = 40
/** A lock nobody has touched for so long holds no more. */
export const LOCK_MINUTES = 30
/** For so long a verdict can be taken back before the student is told. */
export const RECALL_SECONDS = 60
export const BULK_MOST = 200

export const QueueFilter = z.object({
  tab: z.enum(QUEUE_TABS).default('toCheck'),
  courseId: id.optional(),
  groupId: id.optional(),
  lessonId: id.optional(),
  studentId: id.optional(),
  /** Whom it is assigned to; `none`: nobody yet. */
  curator: id.or(z.literal('none')).optional(),
  /** Part of a student's name or e-mail. */
  q: text(100).default(''),
  /** Days in the reader's own zone, both included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  late: z.stringbool().or(z.boolean()).default(false),
})
export type QueueFilter = z.output<typeof QueueFilter>

export const ListQueue = QueueFilter.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(QUEUE_PAGE),
})
export type ListQueue = z.input<typeof ListQueue>

export const GetDesk = QueueFilter.extend({ submissionId: id })
export type GetDesk = z.input<typeof GetDesk>

export const SubmissionId = z.object({ submissionId: id })
export const WorkFile = SubmissionId.extend({ fileId: id })
export type WorkFile = z.infer<typeof WorkFile>
export const OpenWork = SubmissionId.extend({ takeOver: z.boolean().default(false) })
export type OpenWork = z.input<typeof OpenWork>

/** What a reviewer has put down so far: the draft that the student does not see. */
export const ReviewDraft = z.object({
  feedback: LessonDoc.nullable(),
  score: z.number().int().min(0).max(1000).nullable(),
  rubricMarks: z.array(RubricMark).max(40),
  annotations: z.array(Annotation).max(300),
  voiceFileId: id.nullable(),
})
export type ReviewDraft = z.infer<typeof ReviewDraft>

export const SaveReview = SubmissionId.extend({ version: z.int32().min(1), ...ReviewDraft.shape })
export type SaveReview = z.input<typeof SaveReview>

export const VERDICTS = ['accept', 'return', 'reject'] as const
export type VerdictAct = (typeof VERDICTS)[number]

/** `version` of the feedback that the reviewer has before their eyes. */
export const FinishReview = SubmissionId.extend({ verdict: z.enum(VERDICTS), version: z.int32().min(1) })
export type FinishReview = z.infer<typeof FinishReview>

export const SomeWorks = z.object({ submissionIds: z.array(id).min(1).max(BULK_MOST) })
export type SomeWorks = z.infer<typeof SomeWorks>
export const AssignWorks = SomeWorks.extend({ memberId: id.nullable() })
export type AssignWorks = z.infer<typeof AssignWorks>

/** Why one of several works is passed over: keys `homework:queue.skipped.<code>`. */
export const SKIPS = ['notWaiting', 'locked', 'needsScore'] as const
export type Skip = (typeof SKIPS)[number]

export const SaveSnippet = z.object({
  snippetId: id.optional(),
  title: line(80).min(1, 'required'),
  body: text(4000).min(1, 'required'),
  shared: z.boolean().default(false),
})
export type SaveSnippet = z.input<typeof SaveSnippet>
export const SnippetId = z.object({ snippetId: id })
