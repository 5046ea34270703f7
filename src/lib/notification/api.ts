import { z } from 'zod'
import { NoInput, NoOutput, noOutput, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import {
  archiveNotifications,
  countUnread,
  listNotifications,
  markRead,
  openNotification,
  undoNotificationChange,
} from './notification.ts'
import { NotificationChange, NotificationPage } from './output-schema.ts'
import { subscribePush, unsubscribePush } from './push/push.ts'
import { SubscribePush, UnsubscribePush } from './push/schema.ts'
import * as schema from './schema.ts'
import { listMutes, muteSubject, unmuteSubject } from './settings/mute.ts'
import { MuteInput, MuteSubject, NotificationSettings, SaveNotificationSettings } from './settings/schema.ts'
import { getNotificationSettings, saveNotificationSettings } from './settings/settings.ts'

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
  getSettings: signedInProcedure
    .route({ summary: 'Returns the notification settings of the actor' })
    .input(NoInput)
    .output(NotificationSettings)
    .handler(({ context }) => getNotificationSettings(context.actor)),
  saveSettings: signedInProcedure
    .route({ summary: 'Saves the notification settings of the actor' })
    .input(SaveNotificationSettings)
    .output(NoOutput)
    .handler(({ input, context }) => saveNotificationSettings(context.actor, input).then(noOutput)),
  mute: signedInProcedure
    .route({ summary: 'Mutes the notifications of a course, group or conversation' })
    .input(MuteInput)
    .output(NoOutput)
    .handler(({ input, context }) => muteSubject(context.actor, input).then(noOutput)),
  unmute: signedInProcedure
    .route({ summary: 'Ends the muting of a course, group or conversation' })
    .input(MuteSubject)
    .output(NoOutput)
    .handler(({ input, context }) => unmuteSubject(context.actor, input).then(noOutput)),
  listMutes: signedInProcedure
    .route({ summary: 'Returns the courses, groups and conversations that the actor has muted' })
    .input(NoInput)
    .output(z.array(MuteSubject.extend({ until: z.date().nullable() })))
    .handler(({ context }) => listMutes(context.actor)),
  subscribePush: signedInProcedure
    .route({ summary: 'Sends push messages for the actor to a browser' })
    .input(SubscribePush)
    .output(NoOutput)
    .handler(({ input, context }) => subscribePush(context.actor, input).then(noOutput)),
  unsubscribePush: signedInProcedure
    .route({ summary: 'Ends the push messages to a browser' })
    .input(UnsubscribePush)
    .output(NoOutput)
    .handler(({ input, context }) => unsubscribePush(context.actor, input).then(noOutput)),
}
