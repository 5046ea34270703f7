import {
  archiveNotifications as domainArchive,
  listNotifications as domainList,
  undoNotificationChange as domainUndo,
} from '#lib/notification/notification.ts'
import { ArchiveNotifications, ListNotifications, UndoNotificationChange } from '#lib/notification/schema.ts'
import { parsed } from './parsed/parsed.ts'

export const listNotifications = parsed(ListNotifications, domainList)
export const archiveNotifications = parsed(ArchiveNotifications, domainArchive)
export const undoNotificationChange = parsed(UndoNotificationChange, domainUndo)
