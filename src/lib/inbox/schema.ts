import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { UUID_SOURCE } from '#lib/core/shared/uuid.ts'

/**
 * What waits for an answer of the team. `chat`: a conversation; `lesson`: a question about a lesson; `thread`: the
 * conversation about a submission; `homework`: a submission; `test`: an attempt with answers that have to be marked;
 * `booking`: a session with a mentor that has to be confirmed; `task`: something that the team is to do about a student.
 */
export const INBOX_KINDS = ['chat', 'lesson', 'thread', 'homework', 'test', 'booking', 'task'] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

export const INBOX_TABS = ['open', 'mine', 'overdue', 'snoozed'] as const
export type InboxTab = (typeof INBOX_TABS)[number]

export const DEFAULT_ANSWER_HOURS = 24
export const MAX_ANSWER_HOURS = 720
const PAGE_SIZE = 40
const MAX_BULK = 100
const ANSWER_LIMIT = 4000

/** `<task>:<student>` of a thread; otherwise a conversation, a submission, an attempt, a booking or a task. */
const THREAD_KEY = `${UUID_SOURCE}:${UUID_SOURCE}`
const ONE_ID_KINDS = INBOX_KINDS.filter((kind) => kind !== 'thread')
const INBOX_ITEM_ID = new RegExp(`^(?:(?:${ONE_ID_KINDS.join('|')})\\.${UUID_SOURCE}|thread\\.${THREAD_KEY})$`)

/** An item as `<kind>.<key>`. */
export const InboxItemId = z.string().max(100).regex(INBOX_ITEM_ID)

export const InboxFilter = z.object({
  tab: z.enum(INBOX_TABS).default('open'),
  kind: z.enum(INBOX_KINDS).optional(),
})
export type InboxFilter = z.output<typeof InboxFilter>

export const ListInbox = InboxFilter.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(PAGE_SIZE),
})
export type ListInbox = z.output<typeof ListInbox>

export const InboxItemInput = z.object({ item: InboxItemId })
export type InboxItemInput = z.output<typeof InboxItemInput>

const body = multilineText(ANSWER_LIMIT).min(1, 'required')
const items = z.array(InboxItemId).min(1, 'required').max(MAX_BULK)

/** `since` is that of the item on the page: when it differs now, another member has answered or closed it. */
export const AnswerItem = InboxItemInput.extend({
  since: z.string().regex(/^\d{1,16}$/),
  /** Chosen by the form: the same id again is the same answer. */
  messageId: z.uuid(),
  body,
})
export type AnswerItem = z.output<typeof AnswerItem>

/** One answer to several questions; `{name}`, `{course}`, `{lesson}` and `{task}` are replaced. */
export const AnswerItems = z.object({ items, batchId: z.uuid(), body })
export type AnswerItems = z.output<typeof AnswerItems>

/** To nobody with null. */
export const AssignItems = z.object({ items, memberId: z.uuid().nullable() })
export type AssignItems = z.output<typeof AssignItems>

export const SNOOZES = ['tomorrow', 'threeDays', 'week', 'end'] as const
/** Until nine o'clock of a later day in the actor's time zone; `end` shows the items again. */
export const SnoozeItems = z.object({ items, until: z.enum(SNOOZES) })
export type SnoozeItems = z.output<typeof SnoozeItems>

export const CloseItems = z.object({ items })
export type CloseItems = z.output<typeof CloseItems>

/** A question that was closed, with the instant in milliseconds since 1970. */
export const ClosedItem = z
  .object({
    kind: z.enum(INBOX_KINDS),
    key: z.string().max(100),
    at: z.number().min(0).max(8.64e15),
  })
  .refine(({ kind, key }) => INBOX_ITEM_ID.test(`${kind}.${key}`), { path: ['key'] })

/** `closed` is what `closeItems` returned. */
export const ReopenItems = z.object({ closed: z.array(ClosedItem).min(1).max(MAX_BULK) })
export type ReopenItems = z.output<typeof ReopenItems>

export const UpdateInboxSettings = z.object({
  answerHours: z.coerce.number().int().min(1, 'number_min').max(MAX_ANSWER_HOURS, 'number_max'),
})
export type UpdateInboxSettings = z.output<typeof UpdateInboxSettings>
