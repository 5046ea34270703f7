import { z } from 'zod'
import { KIND_NAMES } from './kind-schema.ts'
import { NotificationData } from './schema.ts'

export const NotificationView = z.object({
  id: z.string(),
  kind: z.enum(KIND_NAMES),
  data: NotificationData,
  /** Path of the page that shows what it is about. */
  link: z.string(),
  /** How often it happened since the person last read a notification of the group. */
  count: z.number(),
  latestAt: z.date(),
  readAt: z.date().nullable(),
  archivedAt: z.date().nullable(),
})
export type NotificationView = z.output<typeof NotificationView>

export const NotificationPage = z.object({ items: z.array(NotificationView), next: z.string().nullable() })

/** The number of changed notifications, and the instant that undoes the change. */
export const NotificationChange = z.object({ count: z.number(), at: z.iso.datetime() })
export type NotificationChange = z.output<typeof NotificationChange>
