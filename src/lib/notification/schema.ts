import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'

/** The variables of the text: names at the time of the notification, not translated. */
export const NotificationData = z.object({
  /** What it is about, e.g. the title of a task. */
  subject: z.string(),
  /** Where that is, e.g. the title of the lesson. */
  context: z.string().optional(),
  /** When what it is about takes place; shown in the time zone of the receiver. */
  at: z.iso.datetime().optional(),
  /** The time that `at` replaces. */
  previousAt: z.iso.datetime().optional(),
})
export type NotificationData = z.output<typeof NotificationData>

/** The sections of the list. */
export const NOTIFICATION_VIEWS = ['unread', 'all', 'archived'] as const

export const ListNotifications = z.object({
  view: z.enum(NOTIFICATION_VIEWS).default('unread'),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListNotifications = z.output<typeof ListNotifications>

export const NotificationId = z.object({ notificationId: z.uuid() })

const ids = z.array(z.uuid()).min(1).max(100)

/** Without ids, all unread notifications are marked. */
export const MarkRead = z.object({ ids: ids.optional() })
export type MarkRead = z.output<typeof MarkRead>

export const ArchiveNotifications = z.object({ ids })
export type ArchiveNotifications = z.output<typeof ArchiveNotifications>

/** `at` is the instant that the change returned. */
export const UndoNotificationChange = z.object({ change: z.enum(['read', 'archived']), at: z.iso.datetime() })
export type UndoNotificationChange = z.output<typeof UndoNotificationChange>
