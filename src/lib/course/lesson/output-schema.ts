import { z } from 'zod'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'

export const GetLessonOutput = z.object({
  state: z.enum(['published', 'new', 'changed']),
  id: z.string(),
  courseId: z.string(),
  moduleId: z.string(),
  title: z.string(),
  blocks: LessonDoc,
  words: z.number(),
  version: z.number(),
  durationMinutes: z.number().nullable(),
  publishedVersion: z.number().nullable(),
  publishedBlocks: LessonDoc.nullable(),
  publishedAt: z.date().nullable(),
  updatedAt: z.date(),
})

const RevisionItem = z.object({
  version: z.number(),
  kind: z.enum(['published', 'auto', 'restore', 'named']),
  note: z.string().nullable(),
  title: z.string(),
  at: z.date(),
  by: z.string(),
})

export const ListRevisionsOutput = z.array(RevisionItem)

export const LessonText = z.object({ version: z.number(), title: z.string(), blocks: LessonDoc })

export const SaveLessonOutput = z.object({ version: z.number(), savedAt: z.date() })

export const PublishLessonOutput = z.object({ version: z.number() })

export const DiscardLessonOutput = z.object({ version: z.number() })

export const RestoreRevisionOutput = z.object({ version: z.number() })

export const ContentIssues = z.object({
  lessonId: z.string(),
  title: z.string(),
  imagesWithoutAlt: z.number(),
  hasUnorderedHeadings: z.boolean(),
  emptyTestCount: z.number(),
  unavailableTestCount: z.number(),
})
