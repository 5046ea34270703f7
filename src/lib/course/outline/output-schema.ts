import { z } from 'zod'
import { AccessRule, CompletionRule } from '../schema.ts'

const OutlineLesson = z.object({
  id: z.string(),
  title: z.string(),
  words: z.number(),
  durationMinutes: z.number().nullable(),
  state: z.enum(['published', 'new', 'changed']),
  hidden: z.boolean(),
  required: z.boolean(),
  freePreview: z.boolean(),
  availability: AccessRule,
  completionRule: CompletionRule,
  taskCount: z.number(),
})

const OutlineModule = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  hidden: z.boolean(),
  availability: AccessRule,
  lessons: z.array(OutlineLesson),
})

export const GetOutlineOutput = z.array(OutlineModule)

export const CourseDates = z.object({ first: z.date().nullable(), count: z.number(), groups: z.number() })

const TrashItem = z.object({
  kind: z.enum(['lesson', 'module']),
  id: z.string(),
  title: z.string(),
  moduleTitle: z.string().nullable(),
  lessonCount: z.number(),
  deletedAt: z.date(),
  deletedBy: z.string().nullable(),
})

export const ListTrashOutput = z.array(TrashItem)

export const AddModuleOutput = z.object({ changeId: z.string().nullable(), moduleId: z.string() })

export const OutlineChanged = z.object({ changeId: z.string().nullable() })

export const AddLessonOutput = z.object({ lessonId: z.string(), courseId: z.string() })

export const AddLessonsOutput = z.object({ changeId: z.string().nullable(), lessonIds: z.array(z.string()) })

export const RenameLessonOutput = z.object({ changeId: z.string().nullable(), version: z.number() })

export const LessonsChanged = z.object({ changed: z.array(z.string()), changeId: z.string().nullable() })

export const PlaceLessonsOutput = z.object({
  changeId: z.string().nullable(),
  orders: z.record(z.string(), z.array(z.string())),
})

export const PublishLessonsOutput = z.object({
  changed: z.array(z.string()),
  changeId: z.string().nullable(),
  empty: z.array(z.string()),
})

export const DuplicateLessonsOutput = z.object({ changeId: z.string().nullable(), lessonIds: z.array(z.string()) })

export const DuplicateModuleOutput = z.object({ changeId: z.string().nullable(), moduleId: z.string() })

export const DuplicateCourseOutput = z.object({ courseId: z.string(), slug: z.string() })
