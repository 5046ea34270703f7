import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { AccessRule, CompletionRule } from '../schema.ts'

/** Days during which deleted lessons and modules can be restored. */
export const OUTLINE_TRASH_DAYS = 30

/** Maximum number of lessons in one change. */
const MAX_LESSONS_AT_ONCE = 500

const id = z.uuid()
const title = textLine(160).min(1, 'required')
const courseId = id
const lessonIds = z.array(id).min(1).max(MAX_LESSONS_AT_ONCE)

/** Titles of lessons to add at the end of a module or before one of its lessons. */
export const AddLessons = z.object({
  moduleId: id,
  titles: z.array(title).min(1).max(100),
  beforeId: id.nullish(),
})
export type AddLessons = z.output<typeof AddLessons>

/** Fields of one or many lessons; omitted fields stay. */
export const LessonSettingsChange = z.object({
  hidden: z.boolean().optional(),
  required: z.boolean().optional(),
  freePreview: z.boolean().optional(),
  availability: AccessRule.optional(),
  completionRule: CompletionRule.optional(),
  durationMinutes: z.number().int().min(1).max(600).nullable().optional(),
})
export type LessonSettingsChange = z.infer<typeof LessonSettingsChange>

export const ChangeLessons = z.object({ courseId, lessonIds, change: LessonSettingsChange })
export type ChangeLessons = z.output<typeof ChangeLessons>

export const ModuleChange = z.object({
  title: title.optional(),
  description: multilineText(1000).optional(),
  hidden: z.boolean().optional(),
  availability: AccessRule.optional(),
})
export type ModuleChange = z.infer<typeof ModuleChange>

/** `was`: the texts that the author saw; if they have changed since, the change is refused. */
export const ChangeModule = z.object({
  moduleId: id,
  change: ModuleChange,
  previous: z
    .object({ title: z.string().max(400).optional(), description: z.string().max(4000).optional() })
    .optional(),
})
export type ChangeModule = z.output<typeof ChangeModule>

export const RenameLesson = z.object({ lessonId: id, title, previousTitle: z.string().max(400).optional() })
export type RenameLesson = z.output<typeof RenameLesson>

export const LessonIds = z.object({ courseId, lessonIds })
export type LessonIds = z.infer<typeof LessonIds>

/**
 * Lessons to place together in a module, in list order: before one of its lessons, or at the end. Never a complete
 * order, so that concurrent moves by two authors both take effect.
 */
export const PlaceLessons = z.object({ courseId, lessonIds, moduleId: id, beforeId: id.nullable() })
export type PlaceLessons = z.infer<typeof PlaceLessons>

/** A module to place before another, or at the end. */
export const PlaceModule = z.object({ moduleId: id, beforeId: id.nullable() })
export type PlaceModule = z.infer<typeof PlaceModule>

const by = z.union([z.literal(-1), z.literal(1)])

/** One position up or down. */
export const MoveModule = z.object({ moduleId: id, direction: by })
export type MoveModule = z.infer<typeof MoveModule>

/** One position up or down; past the edge of its module a lesson moves to the adjacent one. */
export const MoveLesson = z.object({ lessonId: id, direction: by })
export type MoveLesson = z.infer<typeof MoveLesson>

export const UndoChange = z.object({ changeId: id })
export type UndoChange = z.infer<typeof UndoChange>

export const DuplicateLessons = z.object({ courseId, lessonIds, tasks: z.boolean().default(true) })
export type DuplicateLessons = z.output<typeof DuplicateLessons>

export const DuplicateModule = z.object({ moduleId: id, tasks: z.boolean().default(true) })
export type DuplicateModule = z.output<typeof DuplicateModule>

/** A copy of a course as a draft; `shiftDays` moves all dates by days at the same local time. */
export const DuplicateCourse = z.object({
  courseId,
  title: title.optional(),
  tasks: z.boolean().default(true),
  tests: z.boolean().default(true),
  staff: z.boolean().default(true),
  groups: z.boolean().default(false),
  shiftDays: z.number().int().min(-3650).max(3650).default(0),
})
export type DuplicateCourse = z.output<typeof DuplicateCourse>

export interface OutlineLesson {
  id: string
  title: string
  words: number
  durationMinutes: number | null
  /** Never published, published without later changes, or changed since. */
  state: 'new' | 'published' | 'changed'
  hidden: boolean
  required: boolean
  freePreview: boolean
  availability: AccessRule
  completionRule: CompletionRule
  /** Number of required tasks. */
  taskCount: number
}
export interface OutlineModule {
  id: string
  title: string
  description: string
  hidden: boolean
  availability: AccessRule
  lessons: OutlineLesson[]
}
