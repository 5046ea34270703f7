import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { COURSE_STATUS } from '#lib/core/shared/learning.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { Email } from '#lib/core/shared/text/email.ts'
import { PersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'

/** Filter of the course list: a status or "all". */
export const COURSE_FILTER = ['all', ...COURSE_STATUS] as const

const zone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

const RuleSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('open') }),
  z.object({ mode: z.literal('date'), at: z.iso.datetime() }),
  z.object({ mode: z.literal('afterStart'), days: z.number().int().min(0).max(3650), time, zone }),
  z.object({
    mode: z.literal('afterPrevious'),
    of: z.enum(['lesson', 'module']),
    require: z.enum(['opened', 'completed', 'homeworkAccepted', 'testPassed']),
    delayHours: z.number().int().min(0).max(8760).optional(),
  }),
  z.object({ mode: z.literal('manual') }),
  z.object({
    mode: z.literal('all'),
    get rules() {
      return z.array(RuleSchema).min(1).max(8)
    },
  }),
  z.object({
    mode: z.literal('any'),
    get rules() {
      return z.array(RuleSchema).min(1).max(8)
    },
  }),
])
export type AccessRule = z.infer<typeof RuleSchema>

/** Maximum nesting of conditions. */
const RULE_DEPTH = 4

/** When a module or a lesson opens for a student. The depth is checked before the recursive schema is applied. */
export const AccessRule: z.ZodType<AccessRule> = z.unknown().refine(isShallow, { abort: true }).pipe(RuleSchema)

function isShallow(rule: unknown, depth = 0): boolean {
  if (depth > RULE_DEPTH) return false
  if (typeof rule !== 'object' || rule === null || !('rules' in rule) || !Array.isArray(rule.rules)) return true
  return rule.rules.length <= 8 && rule.rules.every((inner) => isShallow(inner, depth + 1))
}

export const CompletionRule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('manual') }),
  z.object({ mode: z.literal('watched'), percent: z.number().int().min(1).max(100) }),
  z.object({ mode: z.literal('taskAccepted') }),
  z.object({ mode: z.literal('testPassed') }),
])
export type CompletionRule = z.infer<typeof CompletionRule>

/** ISO instants; `to` is open while the freeze lasts. */
export const FrozenInterval = z.object({ from: z.iso.datetime(), to: z.iso.datetime().nullable() })
export type FrozenInterval = z.infer<typeof FrozenInterval>

/** By media file: pairs of seconds `[from, to]`, ascending, without overlaps. */
export type WatchedRanges = Record<string, [number, number][]>

const id = z.uuid()
const title = textLine(160).min(1)

export const ListCourses = z.object({
  status: z.enum(COURSE_FILTER).default('all'),
  q: multilineText(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(12),
})
export type ListCourses = z.output<typeof ListCourses>

export const CreateCourse = z.object({
  title,
  shortDescription: multilineText(300).default(''),
  language: z.enum(['uk', 'en']).default('uk'),
})
export type CreateCourse = z.output<typeof CreateCourse>

export const CourseId = z.object({ courseId: id })
export const ModuleId = z.object({ moduleId: id })
export const LessonId = z.object({ lessonId: id })

export const AddModule = z.object({ courseId: id, title, description: multilineText(1000).optional() })
export type AddModule = z.output<typeof AddModule>

export const AddLesson = z.object({
  moduleId: id,
  title,
  blocks: LessonDoc.optional(),
  durationMinutes: z.number().int().min(1).max(600).nullish(),
})
export type AddLesson = z.output<typeof AddLesson>

export const InviteToCourse = z.object({
  courseId: id,
  email: Email,
  name: PersonName.default(''),
})
export type InviteToCourse = z.output<typeof InviteToCourse>

export const GrantAccess = z.object({ courseId: id, studentId: id })
export type GrantAccess = z.infer<typeof GrantAccess>

export const ListCourseStudents = z.object({
  courseId: id,
  q: multilineText(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListCourseStudents = z.output<typeof ListCourseStudents>
