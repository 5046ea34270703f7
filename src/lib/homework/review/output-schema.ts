import { z } from 'zod'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { Picture } from '#lib/storage/output-schema.ts'
import { Annotation, Criterion, RubricMark } from '../schema.ts'
import { WORK_KINDS } from './schema.ts'

const MemberView = z.object({ id: z.string(), name: z.string() })

const QueueRow = z.object({
  id: z.string(),
  kind: z.enum(WORK_KINDS),
  href: z.string(),
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected', 'graded']),
  attempt: z.number(),
  late: z.boolean(),
  submittedAt: z.date().nullable(),
  answerBy: z.date().nullable(),
  reviewedAt: z.date().nullable(),
  score: z.number().nullable(),
  maxPoints: z.number().nullable(),
  files: z.number(),
  task: z.string(),
  course: z.object({ id: z.string(), title: z.string() }),
  lesson: z.object({ id: z.string(), title: z.string() }).nullable(),
  student: MemberView,
  assignedTo: MemberView.nullable(),
  lockedBy: MemberView.nullable(),
  reviewedBy: MemberView.nullable(),
})

export const QueuePage = z.object({ items: z.array(QueueRow), next: z.string().nullable() })

export const QueueCounts = z.object({ toCheck: z.number(), mine: z.number(), overdue: z.number() })

const Reviewer = z.object({ waiting: z.number(), id: z.string(), name: z.string() })

export const ListReviewersOutput = z.array(Reviewer)

const SubmissionFile = z.object({
  id: z.string(),
  name: z.string(),
  mime: z.string(),
  kind: z.string(),
  size: z.number(),
  picture: Picture.nullable(),
  address: z.string(),
  download: z.string(),
})

const QueueStep = z.object({ id: z.string(), kind: z.enum(WORK_KINDS), href: z.string() })

export const GetReviewPageOutput = z.object({
  previous: QueueStep.nullable(),
  next: QueueStep.nullable(),
  task: z.object({
    instructions: z.string(),
    sampleAnswer: z.string().nullable(),
    id: z.string(),
    title: z.string(),
    type: z.enum(['video', 'file']),
    grading: z.enum(['acceptReject', 'points']),
    maxPoints: z.number().nullable(),
    passPoints: z.number().nullable(),
    rubric: z.array(Criterion),
    maxAttempts: z.number().nullable(),
  }),
  answerBy: z.date().nullable(),
  holder: MemberView.nullable(),
  isMine: z.boolean(),
  draft: z.object({
    feedback: LessonDoc.nullable(),
    score: z.number().nullable(),
    rubricMarks: z.array(RubricMark),
    annotations: z.array(Annotation),
    voiceFileId: z.string().nullable(),
    version: z.number(),
  }),
  attempts: z.array(
    z.object({
      id: z.string(),
      attempt: z.number(),
      state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
      late: z.boolean(),
      text: z.string(),
      submittedAt: z.date().nullable(),
      reviewedAt: z.date().nullable(),
      score: z.number().nullable(),
      by: z.string().nullable(),
      files: z.array(SubmissionFile),
      feedback: z.string().nullable(),
      voiceFileId: z.string().nullable(),
      annotations: z.array(Annotation),
    }),
  ),
  events: z.array(
    z.object({
      event: z.enum([
        'accepted',
        'submitted',
        'returned',
        'rejected',
        'withdrawn',
        'locked',
        'released',
        'taken_over',
        'assigned',
        'reopened',
      ]),
      at: z.date(),
      by: z.string(),
    }),
  ),
  course: z.object({ id: z.string(), title: z.string() }),
  lesson: z.object({ id: z.string(), title: z.string() }),
  student: z.object({ id: z.string(), name: z.string(), email: z.string(), locale: z.enum(['uk', 'en']) }),
  groups: z.array(z.string()),
  id: z.string(),
})

export const LockView = z.object({
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
  holder: MemberView.nullable(),
  isMine: z.boolean(),
  version: z.number(),
})

export const SaveReviewOutput = z.object({ version: z.number() })

export const ReviewHomeworkOutput = z.object({
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
})

export const ReopenHomeworkOutput = z.object({
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
})

export const AssignHomeworkOutput = z.object({ assigned: z.array(z.string()) })

const AcceptancePreview = z.object({
  submissionId: z.string(),
  student: z.string(),
  task: z.string(),
  skip: z.enum(['locked', 'notWaiting', 'needsScore']).nullable(),
})

export const PreviewAcceptOutput = z.array(AcceptancePreview)

export const AcceptSubmissionsOutput = z.object({ accepted: z.array(z.string()) })

export const RecallVerdictsOutput = z.object({ recalled: z.array(z.string()) })

export const SubmissionsZipLink = z.object({
  address: z.string(),
  submissions: z.number(),
  files: z.number(),
  size: z.number(),
})

const SnippetView = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  shared: z.boolean(),
  isEditable: z.boolean(),
})

export const ListSnippetsOutput = z.array(SnippetView)

export const SaveSnippetOutput = z.object({ snippetId: z.string() })
