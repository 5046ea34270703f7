import { z } from 'zod'
import { QUESTION_VERDICTS, VERDICT_REASONS } from '#lib/core/shared/quiz.ts'
import { NOTE_KINDS, TRANSFER_FORMATS } from './schema.ts'

export const StartImportOutput = z.object({ transferId: z.string() })

const TransferFailure = z.object({
  code: z.string(),
  fields: z.record(z.string(), z.array(z.string())),
  variables: z.record(z.string(), z.union([z.string(), z.number()])),
})

const SourceItems = z.object({ found: z.number(), imported: z.number(), listed: z.number() })

const TransferNote = z.object({
  kind: z.enum(NOTE_KINDS),
  title: z.string(),
  files: z.number().optional(),
  links: z.number().optional(),
  characters: z.number().optional(),
})

const TestVerdict = z.object({
  kind: z.enum(['test', 'bank']),
  title: z.string(),
  verdict: z.enum(QUESTION_VERDICTS),
  reasons: z.array(z.enum(VERDICT_REASONS)),
  counts: z.object({ imported: z.number(), changed: z.number(), skipped: z.number() }),
  questions: z.array(
    z.object({
      title: z.string(),
      line: z.number(),
      verdict: z.enum(QUESTION_VERDICTS),
      reasons: z.array(z.enum(VERDICT_REASONS)),
    }),
  ),
  moreQuestions: z.number(),
})

const TransferReport = z.object({
  format: z.enum(TRANSFER_FORMATS),
  modules: z.number(),
  lessons: z.number(),
  tasks: z.number(),
  tests: z.array(TestVerdict).optional(),
  files: z.number(),
  reused: z.number(),
  imported: z
    .object({
      folder: z.number().optional(),
      file: z.number().optional(),
      link: z.number().optional(),
      label: z.number().optional(),
      page: z.number().optional(),
      assignment: z.number().optional(),
      section: z.number().optional(),
      lessonPage: z.number().optional(),
      chapter: z.number().optional(),
      glossaryEntry: z.number().optional(),
      test: z.number().optional(),
      questionBank: z.number().optional(),
    })
    .optional(),
  source: SourceItems.optional(),
  notes: z.array(TransferNote),
  moreNotes: z.number(),
})

export const GetTransferOutput = z.object({
  id: z.string(),
  fileName: z.string(),
  state: z.enum(['queued', 'failed', 'running', 'done']),
  progress: z.number(),
  courseId: z.string().nullable(),
  courseTitle: z.string().nullable(),
  failure: TransferFailure.nullable(),
  report: TransferReport.nullable(),
  createdAt: z.date(),
})

export const ListTransfersOutput = z.array(GetTransferOutput)
