import { z } from 'zod'
import { ClosedItem, INBOX_KINDS } from './schema.ts'

export const InboxItemView = z.object({
  /** `<kind>.<key>`. */
  ref: z.string(),
  kind: z.enum(INBOX_KINDS),
  /** Empty when the account of the student was deleted. */
  student: z.string(),
  studentId: z.string().nullable(),
  studentFirstName: z.string(),
  studentPatronymic: z.string(),
  /** The latest text of the student, or the first answer of a booking; empty for submissions and attempts. */
  excerpt: z.string(),
  course: z.string().nullable(),
  lesson: z.string().nullable(),
  groupName: z.string().nullable(),
  /** Title of the task, test or mentoring program. */
  task: z.string().nullable(),
  /** When the session of a booking starts. */
  startAt: z.date().nullable(),
  /** The page with the whole conversation, the review or the booking. */
  href: z.string(),
  conversationId: z.string().nullable(),
  courseId: z.string().nullable(),
  taskId: z.string().nullable(),
  /** Of a conversation of a course or group several people read the answer. */
  isShared: z.boolean(),
  /** A direct conversation cannot be assigned to another member. */
  isDirect: z.boolean(),
  /** Waits since, in microseconds since 1970. */
  since: z.string(),
  sinceAt: z.date(),
  /** The promised time of the answer. */
  dueAt: z.date(),
  snoozedUntil: z.date().nullable(),
  assignedTo: z.object({ id: z.string(), name: z.string() }).nullable(),
})
export type InboxItemView = z.output<typeof InboxItemView>

export const InboxCounts = z.object({ open: z.number(), mine: z.number(), overdue: z.number(), snoozed: z.number() })
export type InboxCounts = z.output<typeof InboxCounts>

export const InboxPage = z.object({ items: z.array(InboxItemView), counts: InboxCounts, next: z.string().nullable() })
export type InboxPage = z.output<typeof InboxPage>

export const BulkAnswer = z.object({ sent: z.number(), skipped: z.number() })
export type BulkAnswer = z.output<typeof BulkAnswer>

export const ChangedItems = z.object({ changed: z.number(), skipped: z.number() })
export type ChangedItems = z.output<typeof ChangedItems>

export const ClosedItems = ChangedItems.extend({ closed: z.array(ClosedItem) })
export type ClosedItems = z.output<typeof ClosedItems>

export const InboxSettings = z.object({ answerHours: z.number() })
export type InboxSettings = z.output<typeof InboxSettings>
