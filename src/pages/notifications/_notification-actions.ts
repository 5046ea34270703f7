import type { Actor } from '#lib/core/shared/actor.ts'
import {
  archiveNotifications,
  markRead,
  openNotification,
  undoNotificationChange,
} from '#lib/notification/notification.ts'
import type { NotificationChange } from '#lib/notification/output-schema.ts'
import { ArchiveNotifications, MarkRead, UndoNotificationChange } from '#lib/notification/schema.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'

/** Form actions of the list of notifications; after them the same section is shown, with an undo. */
export function notificationActions(actor: Actor, here: URL): FormActions {
  const view = here.searchParams.get('view')
  const pathTo = (fields: Record<string, string>) =>
    `/notifications?${new URLSearchParams({ ...(view ? { view } : {}), ...fields })}`
  const changed = (saved: 'read' | 'archived', { count, at }: NotificationChange) =>
    pathTo({ saved, count: String(count), at })
  const ids = (form: FormData) => form.getAll('ids').map(String)
  return {
    open: async () => openNotification(actor, { notificationId: parseId(here.searchParams.get('open')) }),
    markAllRead: async () => changed('read', await markRead(actor, {})),
    markRead: async (form) => changed('read', await markRead(actor, MarkRead.parse({ ids: ids(form) }))),
    archive: async (form) =>
      changed('archived', await archiveNotifications(actor, ArchiveNotifications.parse({ ids: ids(form) }))),
    undo: async (form) => {
      const input = { change: formText(form, 'change'), at: formText(form, 'at') }
      await undoNotificationChange(actor, UndoNotificationChange.parse(input))
      return pathTo({ saved: 'undone' })
    },
  }
}
