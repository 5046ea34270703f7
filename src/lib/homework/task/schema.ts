import { z } from 'zod'
import { GRADINGS, LATE_POLICIES, SHOW_SAMPLE, TASK_TYPES } from '#lib/core/shared/learning.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { MAX_ANSWER_FILE_BYTES } from '../rules.ts'
import { Criterion } from '../schema.ts'

const id = z.uuid()

/** Kinds of files that a task accepts, in addition to extensions such as `.psd`. */
export const ACCEPT_KINDS = ['image', 'video', 'audio', 'doc'] as const
export const MAX_FILES = 10
/** Modes of access rules with a date: only these can set a due date. */
const DUE_MODES = ['date', 'afterStart'] as const

export const LessonRef = z.object({ lessonId: id })
export const TaskRef = z.object({ taskId: id })

const points = z.number().int().min(1).max(1000).nullable()

/** The editable content of a task. A task without a title is not visible to students. */
export const TaskText = z.object({
  title: textLine(160),
  type: z.enum(TASK_TYPES),
  instructions: LessonDoc,
  fileIds: z.array(id).max(20),
  acceptTypes: z.array(z.enum(ACCEPT_KINDS).or(z.string().regex(/^\.[a-z0-9]{1,10}$/))).max(20),
  maxFiles: z.number().int().min(1).max(MAX_FILES),
  maxBytes: z.number().int().min(1024).max(MAX_ANSWER_FILE_BYTES),
  dueRule: AccessRule.refine((rule) => DUE_MODES.some((mode) => mode === rule.mode)).nullable(),
  latePolicy: z.enum(LATE_POLICIES),
  grading: z.enum(GRADINGS),
  maxPoints: points,
  passPoints: points,
  maxAttempts: z.number().int().min(1).max(50).nullable(),
  rubric: z.array(Criterion).max(20),
  sampleAnswer: LessonDoc.nullable(),
  showSample: z.enum(SHOW_SAMPLE),
  slaHours: z.number().int().min(1).max(2160).nullable(),
  required: z.boolean(),
})
export type TaskText = z.output<typeof TaskText>

export const SaveTask = TaskText.extend({ taskId: id, version: z.int32().min(1) }).superRefine(
  ({ grading, maxPoints, passPoints }, context) => {
    if (grading === 'points' && maxPoints === null) context.addIssue(issue('maxPoints', 'required'))
    if ((passPoints ?? 0) > (maxPoints ?? 1000)) context.addIssue(issue('passPoints', 'homework_pass_above'))
  },
)
export type SaveTask = z.output<typeof SaveTask>

const issue = (field: string, message: string) => ({ code: 'custom' as const, path: [field], message })
