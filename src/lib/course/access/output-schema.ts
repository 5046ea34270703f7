import { z } from 'zod'
import { StudyGroup } from '../group/output-schema.ts'

const MatrixLesson = z.object({
  id: z.string(),
  title: z.string(),
  moduleId: z.string(),
  moduleTitle: z.string(),
})

const AccessReason = z.enum([
  'open',
  'frozen',
  'opened_by_school',
  'course_not_published',
  'no_grant',
  'revoked',
  'not_started',
  'ended',
  'other_modules',
  'opens_at',
  'first_opening',
  'after_lesson',
  'by_school',
  'closed_by_school',
])

export const Access = z.object({
  allow: z.boolean(),
  reason: AccessReason,
  at: z.date().optional(),
  endedAt: z.date().optional(),
  after: z
    .object({
      lessonId: z.string(),
      title: z.string(),
      require: z.enum(['opened', 'completed', 'homeworkAccepted', 'testPassed']),
    })
    .optional(),
  grantId: z.string().optional(),
  overrideId: z.string().optional(),
})

const MatrixCell = z.object({
  state: z.enum(['done', 'open', 'locked', 'started']),
  homework: z.enum(['accepted', 'returned', 'rejected', 'waits']).nullable(),
  byHand: z.boolean(),
})

const MatrixRow = z.object({
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  entry: Access,
  cells: z.array(MatrixCell),
})

export const GetMatrixOutput = z.object({
  course: z.object({
    id: z.string(),
    title: z.string(),
    status: z.enum(['draft', 'published', 'archived']),
    numbered: z.boolean(),
  }),
  zone: z.string(),
  modules: z.array(z.object({ id: z.string(), title: z.string() })),
  lessons: z.array(MatrixLesson),
  rows: z.array(MatrixRow),
  groups: z.array(StudyGroup),
  next: z.string().nullable(),
})

const NamedPerson = z.object({ id: z.string(), name: z.string() })

const GrantView = z.object({
  id: z.string(),
  sourceType: z.enum(['group', 'manual', 'free', 'invite', 'order']),
  name: z.string().nullable(),
  startsAt: z.date(),
  endsAt: z.date().nullable(),
  access: Access,
  withReview: z.boolean(),
  covers: z.boolean(),
})

const OverrideView = z.object({
  id: z.string(),
  effect: z.enum(['open', 'close', 'shiftDays']),
  days: z.number(),
  note: z.string(),
  by: z.string(),
  at: z.date(),
  scope: z.enum(['course', 'group', 'student']),
})

export const AccessExplanation = z.object({
  student: NamedPerson,
  lesson: z.object({ id: z.string(), title: z.string() }),
  at: z.date(),
  zone: z.string(),
  access: Access,
  grants: z.array(GrantView),
  override: OverrideView.nullable(),
})

export const ListGrantsOutput = z.object({
  student: NamedPerson,
  zone: z.string(),
  grants: z.array(GrantView),
  lessons: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      moduleTitle: z.string(),
      completedAt: z.date().nullable(),
      openedAt: z.date().nullable(),
      access: Access,
    }),
  ),
})

const AccessEffect = z.object({
  studentId: z.string(),
  name: z.string(),
  opens: z.array(z.string()),
  closes: z.array(z.string()),
  moves: z.array(z.object({ title: z.string(), from: z.date().nullable(), to: z.date().nullable() })),
  endsAt: z.object({
    from: z.union([z.literal('none'), z.date()]).nullable(),
    to: z.union([z.literal('none'), z.date()]).nullable(),
  }),
})

export const AccessPreview = z.object({ students: z.number(), effects: z.array(AccessEffect), examined: z.number() })

export const ChangeAccessOutput = z.object({ changeId: z.string(), students: z.number() })

export const UndoAccessOutput = z.object({ changeId: z.string() })

export const CourseStudent = z.object({
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.string(),
  completed: z.number(),
  total: z.number(),
  lastOpenedAt: z.date().nullable(),
})

export const RevokedAccess = z.object({ revoked: z.number(), changeId: z.string().nullable() })
