import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
const instant = z.iso.datetime()
/** Null: every lesson, including future ones. */
const lessonIds = z.array(id).min(1).max(500).nullable()

/** Actions on the access of one or many students. */
export const AccessAction = z.discriminatedUnion('action', [
  z.object({ action: z.literal('open'), lessonIds }),
  z.object({ action: z.literal('close'), lessonIds }),
  z.object({
    action: z.literal('shift'),
    lessonIds,
    days: z
      .int()
      .min(-365)
      .max(365)
      .refine((days) => days !== 0, 'required'),
  }),
  /** Ends the overrides of the lessons. */
  z.object({ action: z.literal('asRules'), lessonIds }),
  z
    .object({ action: z.literal('freeze'), from: instant.nullable(), to: instant.nullable() })
    .refine(({ from, to }) => to === null || Date.parse(to) > (from ? Date.parse(from) : Date.now()), {
      path: ['to'],
      error: 'end_before_start',
    }),
  z.object({ action: z.literal('unfreeze') }),
  /** Null: no end. */
  z.object({ action: z.literal('extend'), until: instant.nullable() }),
  z.object({ action: z.literal('revoke') }),
  z.object({ action: z.literal('give'), until: instant.nullable(), moduleIds: z.array(id).min(1).max(100).nullable() }),
  z.object({ action: z.literal('addToGroup'), groupId: id }),
  /** Between groups of the course: the grant of one is revoked, the other gives its own. */
  z.object({ action: z.literal('moveToGroup'), fromGroupId: id, groupId: id }),
  /** Revokes the grant of the group; other grants stay. */
  z.object({ action: z.literal('removeFromGroup'), groupId: id }),
])
export type AccessAction = z.infer<typeof AccessAction>
export type AccessActionName = AccessAction['action']

/** Named students, or a group: overrides of a group also apply to later members. */
export const AccessTarget = z.union([
  z.object({ studentIds: z.array(id).min(1).max(200), grantIds: z.array(id).min(1).max(20).optional() }),
  z.object({ groupId: id }),
])
export type AccessTarget = z.infer<typeof AccessTarget>

export const ChangeAccess = z.object({
  courseId: id,
  target: AccessTarget,
  change: AccessAction,
  note: textLine(300).default(''),
})
export type ChangeAccess = z.output<typeof ChangeAccess>

export const ChangeId = z.object({ changeId: id })

export const StudentInCourse = z.object({ courseId: id, studentId: id })
export type StudentInCourse = z.infer<typeof StudentInCourse>

/** Input of explainAccess, now or `at` a moment. */
export const ExplainAccess = z.object({ courseId: id, studentId: id, lessonId: id, at: instant.optional() })
export type ExplainAccess = z.infer<typeof ExplainAccess>

export const GetMatrix = z.object({
  courseId: id,
  q: multilineText(100).default(''),
  groupId: id.optional(),
  moduleId: id.optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type GetMatrix = z.output<typeof GetMatrix>

/**
 * Student or group and moment of a preview; without either, a new student. `at` is local time (`2026-12-12T09:00`) in
 * the group's zone, else the tenant's.
 */
export const PreviewCourse = z.object({
  courseId: id,
  studentId: id.optional(),
  groupId: id.optional(),
  at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
    .refine((at) => !Number.isNaN(Date.parse(`${at}:00Z`)))
    .optional(),
  lessonId: id.optional(),
  /** Assumes that everything before a lesson was done in time. */
  assumeCompleted: z.boolean().default(false),
})
export type PreviewCourse = z.output<typeof PreviewCourse>
