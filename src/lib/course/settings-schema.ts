import { z } from 'zod'
import { LEVELS, PROGRESSIONS, START_FROM } from '#lib/core/shared/learning.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
const instant = z.iso.datetime({ offset: true }).nullable()

/** Larger values are considered typing errors. */
const MAX_MINUTES = 100_000
const MAX_SLA_HOURS = 720

/** Settings of a course; an export bundle contains the same fields. */
export const CourseSettings = z.object({
  title: textLine(160).min(1, 'required'),
  shortDescription: multilineText(300),
  description: LessonDoc.nullable(),
  category: textLine(60).nullable(),
  tags: z.array(textLine(40).min(1)).max(12),
  language: z.enum(['uk', 'en']),
  level: z.enum(LEVELS).nullable(),
  progression: z.enum(PROGRESSIONS),
  startFrom: z.enum(START_FROM),
  accessStart: instant,
  accessEnd: instant,
  lessonNumbering: z.boolean(),
  seoTitle: textLine(70),
  seoDescription: multilineText(200),
  /** Set by the author instead of the sum of the lessons. */
  estimatedMinutes: z.number().int().min(1, 'number_min').max(MAX_MINUTES, 'number_max').nullable(),
  homeworkSlaHours: z.number().int().min(1, 'number_min').max(MAX_SLA_HOURS, 'number_max').nullable(),
  coverFileId: id.nullable(),
  promoVideoFileId: id.nullable(),
})
export type CourseSettings = z.output<typeof CourseSettings>

/** Omitted fields stay. `version`: the version that the change is based on; without it the change always applies. */
export const UpdateCourse = CourseSettings.partial().extend({ courseId: id, version: z.int32().min(1).optional() })
export type UpdateCourse = z.output<typeof UpdateCourse>

export const STAFF_ROLES = ['expert', 'curator'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/** The whole staff of a course, by membership. */
export const SetCourseStaff = z.object({
  courseId: id,
  staff: z.array(z.object({ memberId: id, role: z.enum(STAFF_ROLES) })).max(200),
})
export type SetCourseStaff = z.output<typeof SetCourseStaff>

const MAX_COURSES = 100
export const CourseIds = z.object({ courseIds: z.array(id).min(1, 'required').max(MAX_COURSES) })
export type CourseIds = z.output<typeof CourseIds>
