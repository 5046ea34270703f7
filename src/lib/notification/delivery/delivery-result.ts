import type { EmailRecipient, EmailSchool } from '../compose.ts'
import type { notificationDelivery } from './table.ts'

/** A stored delivery whose time has come. */
export type DueDelivery = typeof notificationDelivery.$inferSelect

/** The receiver of deliveries. */
export type Receiver = EmailRecipient

/** What is sent to one member by one channel in one message. */
export interface DueMessage {
  school: EmailSchool
  receiver: Receiver
  rows: DueDelivery[]
  now: Date
}

export type DeliveryResult =
  | { outcome: 'sent' }
  /** The person can no longer be reached by the channel. */
  | { outcome: 'skipped' }
  | { outcome: 'postponed'; until: Date }
  /** A temporary failure; without `retryAfterMs` the wait grows with the attempts. */
  | { outcome: 'retry'; error: string; retryAfterMs?: number; receivedBy?: string[] }
