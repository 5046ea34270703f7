import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'

/** A conversation with messages from `fromSeq` on whose readers are to be notified. */
export interface ChatNotificationJob {
  tenantId: string
  conversationId: string
  fromSeq: number
}

/** Readers who have the conversation open have read a message after this time. */
const NOTIFY_AFTER_MS = 10_000
/** Readers who have not read a message after this time get an email. */
const EMAIL_AFTER_MS = 30 * MINUTE_MS

/**
 * Plans the notifications of a message with its commit; `fromSeq` is its number, or a smaller one. Messages that follow
 * while a job waits are covered by it, so that many messages are one notification.
 */
export function planNotifications(tenantId: string, conversationId: string, fromSeq: number): Promise<void> {
  return enqueueChatJob('chat.notify', { tenantId, conversationId, fromSeq }, NOTIFY_AFTER_MS)
}

/** Plans the email about messages that the job has notified of. It covers the messages that follow while it waits. */
export function planUnreadEmail(job: ChatNotificationJob): Promise<void> {
  return enqueueChatJob('chat.emailUnread', job, EMAIL_AFTER_MS - NOTIFY_AFTER_MS)
}

function enqueueChatJob(name: string, job: ChatNotificationJob, afterMs: number): Promise<void> {
  const startAfter = new Date(Date.now() + afterMs)
  return enqueueJob(name, { ...job }, { startAfter, singletonKey: job.conversationId })
}

/** Unread notifications about the messages of a conversation are one row. */
export const notificationGroup = (conversationId: string): string => `chat/${conversationId}`

/**
 * Readers share this lock; the job that notifies them takes it exclusively. Otherwise a notification could stay unread
 * about messages that are read in the same moment.
 */
export async function lockReading(tx: Tx, conversationId: string, isExclusive = false): Promise<void> {
  await lockUntilCommit(tx, 'chat reading', conversationId, !isExclusive)
}
