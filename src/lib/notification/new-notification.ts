import type { EmailRecipient, NotificationEmail } from './compose.ts'
import type { NotificationChannel, NotificationKind } from './kind-schema.ts'
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
  /** The number of causes in the group so far, for all members or by member; without it, one more than before. */
  total?: number | ReadonlyMap<string, number>
  /** The course, group or conversation that it belongs to: members who muted one of them only find it in the list. */
  subjects?: readonly MuteSubject[]
  /** When it has no use any more, such as the start of what it reminds of: what is not delivered by then is dropped. */
  expiresAt?: Date
  /** Only these channels, for a cause that is sent by others at another time; without it, all that a member has chosen. */
  channels?: readonly NotificationChannel[]
  /**
   * The email of a member who is notified immediately; without it, the email has the title and a button. False if the cause
   * sends an email of its own.
   */
  email?: ((recipient: EmailRecipient) => NotificationEmail) | false
}

/** The number of causes that a notification states for a member; undefined when it is counted. */
export function totalFor({ total }: NewNotification, memberId: string): number | undefined {
  return typeof total === 'object' ? total.get(memberId) : total
}
