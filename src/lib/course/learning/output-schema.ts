import { z } from 'zod'
import { Picture, PlaybackView } from '#lib/storage/output-schema.ts'
import { Access } from '../access/output-schema.ts'
import { WatchedRanges } from '../output-schema.ts'

const StudentCourse = z.object({
  resume: z.object({ id: z.string(), title: z.string() }).nullable(),
  id: z.string(),
  title: z.string(),
  shortDescription: z.string(),
  cover: Picture.nullable(),
  access: Access,
  completed: z.number(),
  total: z.number(),
  lastOpenedAt: z.date().nullable(),
})

export const ListMineCourseOutput = z.array(StudentCourse)

const StudentLesson = z.object({
  id: z.string(),
  title: z.string(),
  durationMinutes: z.number().nullable(),
  state: z.enum(['done', 'open', 'locked', 'started']),
  access: Access,
})

const StudentModule = z.object({ id: z.string(), title: z.string(), lessons: z.array(StudentLesson) })

export const GetMineCourseOutput = z.object({
  modules: z.array(StudentModule),
  completed: z.number(),
  total: z.number(),
  resumeLessonId: z.string().nullable(),
  course: z.object({
    id: z.string(),
    title: z.string(),
    shortDescription: z.string(),
    coverFileId: z.string().nullable(),
    language: z.enum(['uk', 'en']),
    lessonNumbering: z.boolean(),
  }),
  access: Access,
  about: z.object({ html: z.string().nullable(), promo: PlaybackView.nullable() }).nullable(),
})

const StudentLessonPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('html'), html: z.string() }),
  z.object({ kind: z.literal('task'), taskId: z.string() }),
  z.object({ kind: z.literal('test'), testId: z.string().nullable() }),
  z.object({ kind: z.literal('media'), fileId: z.string(), view: PlaybackView }),
])

const Material = z.object({
  kind: z.enum(['folder', 'image', 'video', 'audio', 'doc', 'file']),
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  open: z.string(),
  download: z.string(),
  fileId: z.string(),
})

/** A lesson of a student with its position in the course. */
const LessonPage = z.object({
  access: Access,
  lesson: z.object({
    id: z.string(),
    title: z.string(),
    completedAt: z.date().nullable(),
    durationMinutes: z.number().nullable(),
  }),
  previous: StudentLesson.nullable(),
  next: StudentLesson.nullable(),
  modules: z.array(StudentModule),
  completed: z.number(),
  total: z.number(),
  resumeLessonId: z.string().nullable(),
  course: z.object({
    id: z.string(),
    title: z.string(),
    shortDescription: z.string(),
    coverFileId: z.string().nullable(),
    language: z.enum(['uk', 'en']),
    lessonNumbering: z.boolean(),
  }),
})

export const OpenLessonOutput = z.union([
  LessonPage.extend({ content: z.null() }),
  LessonPage.extend({
    content: z.object({
      parts: z.array(StudentLessonPart),
      materials: z.array(Material),
      completion: z.object({
        mode: z.enum(['manual', 'testPassed', 'watched', 'taskAccepted']),
        missing: z
          .discriminatedUnion('kind', [
            z.object({ kind: z.literal('watched'), percent: z.number(), watched: z.number() }),
            z.object({
              kind: z.literal('task'),
              state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']).nullable(),
            }),
            z.object({ kind: z.literal('test') }),
          ])
          .nullable(),
      }),
      watched: WatchedRanges,
      note: z.object({ text: z.string(), version: z.number() }),
      isFirstVisit: z.boolean(),
    }),
  }),
])

export const LessonCompletion = z.object({
  courseId: z.string(),
  completedAt: z.date().nullable(),
  completed: z.number(),
  total: z.number(),
  nextLessonId: z.string().nullable(),
})

export const SavedProgress = z.object({
  shares: z.record(z.string(), z.number()),
  missing: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('watched'), percent: z.number(), watched: z.number() }),
      z.object({
        kind: z.literal('task'),
        state: z.enum(['draft', 'accepted', 'submitted', 'in_review', 'returned', 'rejected']).nullable(),
      }),
      z.object({ kind: z.literal('test') }),
    ])
    .nullable(),
  completedAt: z.date().nullable(),
  completion: LessonCompletion.nullable(),
})

export const SaveNoteOutput = z.object({ version: z.number(), updatedAt: z.date() })

export const ListLessonNotesOutput = z.array(
  z.object({ lessonId: z.string(), lesson: z.string(), module: z.string(), text: z.string(), updatedAt: z.date() }),
)
