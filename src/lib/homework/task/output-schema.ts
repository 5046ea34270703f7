import { z } from 'zod'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { Criterion } from '../schema.ts'

const TaskView = z.object({
  id: z.string(),
  version: z.number(),
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number() })),
  title: z.string(),
  type: z.enum(['video', 'file']),
  instructions: LessonDoc,
  fileIds: z.array(z.string()),
  acceptTypes: z.array(z.string()),
  maxFiles: z.number(),
  maxBytes: z.number(),
  dueRule: z
    .discriminatedUnion('mode', [
      z.object({ mode: z.literal('open') }),
      z.object({ mode: z.literal('date'), at: z.string() }),
      z.object({ mode: z.literal('afterStart'), days: z.number(), time: z.string(), zone: z.string() }),
      z.object({
        mode: z.literal('afterPrevious'),
        of: z.enum(['lesson', 'module']),
        require: z.enum(['opened', 'completed', 'homeworkAccepted', 'testPassed']),
        delayHours: z.number().optional(),
      }),
      z.object({ mode: z.literal('manual') }),
      z.object({ mode: z.literal('all'), rules: z.array(AccessRule) }),
      z.object({ mode: z.literal('any'), rules: z.array(AccessRule) }),
    ])
    .nullable(),
  latePolicy: z.enum(['accept', 'acceptMarked', 'refuse']),
  grading: z.enum(['acceptReject', 'points']),
  maxPoints: z.number().nullable(),
  passPoints: z.number().nullable(),
  maxAttempts: z.number().nullable(),
  rubric: z.array(Criterion),
  sampleAnswer: LessonDoc.nullable(),
  showSample: z.enum(['never', 'afterAccept']),
  slaHours: z.number().nullable(),
  required: z.boolean(),
})

export const ListTasksOutput = z.array(TaskView)

export const FindTaskOutput = z.object({ title: z.string() })

export const AddTaskOutput = z.object({ taskId: z.string() })

export const SaveTaskOutput = z.object({ version: z.number() })
