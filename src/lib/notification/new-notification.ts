import type { EmailRecipient, NotificationEmail } from './compose.ts'
import type { NotificationKind } from './kind-schema.ts'
import type { NotificationData } from './schema.ts'
import type { MuteSubject } from './settings/schema.ts'

/** What `notify` tells members. */
export interface NewNotification {
  kind: NotificationKind
  memberIds: readonly string[]
  /** Identifies the cause: a second notification of a member with the same key is dropped. */
  key: string
  data: NotificationData
  /** Path of the page that shows what it is about. */
  link: string
  /** Unread notifications with the same group key become one, with the number of causes. */
  groupKey?: string
  /** The number of causes in the group so far; without it, one more than before. */
  total?: number
  /** The course, group or conversation that it belongs to: members who muted one of them only find it in the list. */
  subjects?: readonly MuteSubject[]
  /**
   * The email of a member who is notified immediately; without it, the email has the title and a button. False if the cause
   * sends an email of its own.
   */
  email?: ((recipient: EmailRecipient) => NotificationEmail) | false
}
