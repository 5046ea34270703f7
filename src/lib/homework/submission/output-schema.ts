import { z } from 'zod'
import { Picture, PlaybackView } from '#lib/storage/output-schema.ts'
import { Annotation, Criterion } from '../schema.ts'

const AnswerFileView = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  mime: z.string(),
  size: z.number(),
  arrived: z.boolean(),
  picture: Picture.nullable(),
  address: z.string().nullable(),
  download: z.string().nullable(),
})

const VerdictView = z.object({
  at: z.date(),
  by: z.string().nullable(),
  score: z.number().nullable(),
  feedback: z.string().nullable(),
  rubric: z.array(z.object({ title: z.string(), level: z.string(), text: z.string(), points: z.number() })),
  voice: PlaybackView.nullable(),
  annotations: z.array(Annotation),
})

const AttemptView = z.object({
  attempt: z.number(),
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
  text: z.string(),
  files: z.array(AnswerFileView),
  submittedAt: z.date().nullable(),
  late: z.boolean(),
  answerBy: z.date().nullable(),
  verdict: VerdictView.nullable(),
  fresh: z.boolean(),
})

export const SubmissionMessageView = z.object({
  id: z.string(),
  body: z.string(),
  at: z.date(),
  author: z.string(),
  isMine: z.boolean(),
  isFromStudent: z.boolean(),
  readAt: z.date().nullable(),
})

const OwnTask = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(['video', 'file']),
  instructions: z.string(),
  files: z.array(AnswerFileView),
  acceptTypes: z.array(z.string()),
  maxFiles: z.number(),
  maxBytes: z.number(),
  dueAt: z.date().nullable(),
  latePolicy: z.enum(['accept', 'acceptMarked', 'refuse']),
  maxPoints: z.number().nullable(),
  passPoints: z.number().nullable(),
  maxAttempts: z.number().nullable(),
  rubric: z.array(Criterion),
  required: z.boolean(),
  sample: z.string().nullable(),
  attempts: z.array(AttemptView),
  draft: z
    .object({ attempt: z.number(), version: z.number(), text: z.string(), files: z.array(AnswerFileView) })
    .nullable(),
  closedReason: z.enum(['closed', 'exhausted', 'over']).nullable(),
  messages: z.array(SubmissionMessageView),
  hasCuratorSupport: z.boolean(),
})

export const GetHomeworkOutput = z.array(OwnTask)

export const SaveDraftOutput = z.object({ version: z.number() })

export const SubmissionReceipt = z.object({
  submissionId: z.string(),
  state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']),
  submittedAt: z.date().nullable(),
  late: z.boolean(),
})

export const StartedUpload = z.object({ uploadId: z.string(), partBytes: z.number(), parts: z.number() })

export const ListSubmissionMessagesOutput = z.array(SubmissionMessageView)
