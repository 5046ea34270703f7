import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { STUDENT_STATUS } from '#lib/core/shared/learning.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'

/** The status filter: a status of the specification, or one of two additional states. */
export const STATUS_FILTER = [...STUDENT_STATUS, 'blocked', 'deleted'] as const
/** Ranges of the progress over all courses; `noCourse` has none. */
export const PROGRESS_FILTER = ['noCourse', 'notStarted', 'started', 'finished'] as const
/** Last activity: within 7 days, none for this many days, or never. */
export const ACTIVITY_FILTER = ['active7', 'inactive7', 'inactive14', 'inactive30', 'never'] as const
export const STUDENT_SORTS = ['created', 'name', 'surname', 'active', 'progress', 'overdue'] as const
export type StudentSort = (typeof STUDENT_SORTS)[number]
/** Columns in addition to the name, which is always shown. */
export const STUDENT_COLUMNS = [
  'status',
  'phone',
  'courses',
  'tags',
  'fields',
  'progress',
  'overdue',
  'active',
  'created',
] as const
export type StudentColumn = (typeof STUDENT_COLUMNS)[number]
export const DEFAULT_COLUMNS: readonly StudentColumn[] = ['status', 'courses', 'tags', 'progress', 'active']

export const Tag = textLine(40).min(1, 'required')

/** The filter of the student list; the same filter selects the students of a bulk action. */
export const StudentFilter = z.object({
  q: multilineText(100).default(''),
  status: z.enum(STATUS_FILTER).optional(),
  courseId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  tag: Tag.optional(),
  /** A choice of a custom field: `<field id>.<value>`. */
  field: z
    .string()
    .max(100)
    .regex(new RegExp(`^${UUID_SOURCE}\\..`))
    .optional(),
  progress: z.enum(PROGRESS_FILTER).optional(),
  activity: z.enum(ACTIVITY_FILTER).optional(),
  overdue: z.coerce.boolean().default(false),
})
export type StudentFilter = z.infer<typeof StudentFilter>

export const ListStudents = StudentFilter.extend({
  sort: z.enum(STUDENT_SORTS).default('created'),
  /** Names ascending, everything else descending by default. */
  descending: z.coerce.boolean().optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type ListStudents = z.output<typeof ListStudents>

export const SaveView = z.object({ name: textLine(60).min(1, 'required'), query: z.string().max(2000) })
export type SaveView = z.infer<typeof SaveView>
export const ViewId = z.object({ viewId: z.uuid() })
export type ViewId = z.infer<typeof ViewId>
