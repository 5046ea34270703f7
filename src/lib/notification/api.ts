import { z } from 'zod'
import { NoInput, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import {
  archiveNotifications,
  countUnread,
  listNotifications,
  markRead,
  openNotification,
  undoNotificationChange,
} from './notification.ts'
import { NotificationChange, NotificationPage } from './output-schema.ts'
import * as schema from './schema.ts'

const Count = z.object({ count: z.number() })

export const notificationProcedures = {
  listNotifications: signedInProcedure
    .route({ summary: 'Returns the notifications of the actor, the latest first' })
    .input(schema.ListNotifications)
    .output(NotificationPage)
    .handler(({ input, context }) => listNotifications(context.actor, input)),
  countUnread: signedInProcedure
    .route({ summary: 'Returns the number of unread notifications' })
    .input(NoInput)
    .output(Count)
    .handler(async ({ context }) => ({ count: await countUnread(context.actor) })),
  openNotification: signedInProcedure
    .route({ summary: 'Marks a notification as read and returns the path that it links to' })
    .input(schema.NotificationId)
    .output(z.object({ link: z.string() }))
    .handler(async ({ input, context }) => ({ link: await openNotification(context.actor, input) })),
  markRead: signedInProcedure
    .route({ summary: 'Marks notifications as read, all without ids' })
    .input(schema.MarkRead)
    .output(NotificationChange)
    .handler(({ input, context }) => markRead(context.actor, input)),
  archiveNotifications: signedInProcedure
    .route({ summary: 'Archives notifications' })
    .input(schema.ArchiveNotifications)
    .output(NotificationChange)
    .handler(({ input, context }) => archiveNotifications(context.actor, input)),
  undoNotificationChange: signedInProcedure
    .route({ summary: 'Reverts marking as read or archiving' })
    .input(schema.UndoNotificationChange)
    .output(Count)
    .handler(({ input, context }) => undoNotificationChange(context.actor, input)),
}
