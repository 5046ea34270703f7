import { and, eq, gte, inArray, isNotNull, isNull, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { dropPlannedMessages } from '#lib/outbox/create.ts'
import { findEvent, type RegistrationEvent } from '../event.ts'
import { isOfEvent } from '../seat.ts'
import { registration, registrationEmail } from '../table.ts'
import { maySendMessage, messageIdOf, planEventMessage } from './message.ts'
import { canSendAtHour, findSendWindow, LEFT_EARLY_MINUTES, type ReminderKind } from './rules.ts'
import { type RegistrationRow, sendEmails } from './send.ts'
import { hourInZone } from './time-texts.ts'

export interface ReminderJob {
  tenantId: string
  workshopId: string
  sessionId: string | null
  kind: ReminderKind
  /** Version of the schedule; reminders of an older one are not sent. Absent: the current one. */
  version?: number
}

/** Registrants per transaction. */
export const REMINDER_PAGE_SIZE = 100

/**
 * Sends a reminder to all its recipients, page by page, each page with its emails in one transaction: a run after a
 * crash continues without duplicates. Nothing is sent before its time, after it expired, by an older schedule, or at
 * night. Returns the number of emails; those beyond the budgets of unconfirmed addresses are recorded as refused.
 */
export async function sendReminders({ tenantId, workshopId, sessionId, kind, version }: ReminderJob, now = new Date()) {
  let sent = 0
  for (;;) {
    const written = await inTenant({ tenantId }, async (tx) => {
      const event = await findEvent(tx, workshopId, sessionId)
      if (!event || !isDue(event, kind, now) || (version ?? event.scheduleVersion) !== event.scheduleVersion)
        return null
      await planEventMessage(tx, event, kind, now)
      if (!(await maySendMessage(tx, event, kind))) return null
      const rows = await readNextRecipients(tx, event, kind, now)
      return {
        tried: rows.length,
        sent: await sendEmails(tx, event, rows, kind, now, {
          messageId: messageIdOf(event, kind),
          isFollowUp: true,
        }),
      }
    })
    sent += written?.sent ?? 0
    if (!written || written.tried < REMINDER_PAGE_SIZE) break
  }
  // There are no recipients, or it is too early: the planned message is removed.
  await inTenant({ tenantId }, async (tx) => {
    const event = await findEvent(tx, workshopId, sessionId)
    if (event) await dropPlannedMessages(tx, workshopId, [messageIdOf(event, kind)])
  })
  return sent
}

/** Whether a reminder is due now. */
export function isDue(event: RegistrationEvent, kind: ReminderKind, now: Date): boolean {
  if (!event.isPublished || event.isCanceled || event.settings.emails[kind]?.on === false) return false
  if (kind === 'startMissed' && !event.startedAt) return false
  if (event.type === 'masterclass') return false
  const sendWindow = findSendWindow(kind, event)
  return sendWindow !== null && sendWindow.sendAt <= now && now < sendWindow.expiresAt
}

const FOLLOW_UP_KINDS: readonly ReminderKind[] = ['attended', 'leftEarly', 'missed']

/** Condition for the recipients of a reminder, regardless of the hour and earlier emails. */
export function isRecipient(event: RegistrationEvent, kind: ReminderKind): SQL | undefined {
  const sendWindow = findSendWindow(kind, event)
  const seated = and(isOfEvent(event), eq(registration.state, 'confirmed'), isNull(registration.unsubscribedAt))
  if (FOLLOW_UP_KINDS.includes(kind)) return and(seated, matchesAttendance(event, kind))
  const inTime = sendWindow ? lt(registration.confirmedAt, sendWindow.sendAt) : sql`false`
  const isAbsent = kind === 'day' || kind === 'hour' ? undefined : isNull(registration.firstJoinedAt)
  return and(seated, kind === 'startMissed' ? undefined : inTime, isAbsent)
}

function matchesAttendance({ finishedAt }: RegistrationEvent, kind: ReminderKind): SQL | undefined {
  if (!finishedAt) return sql`false`
  const early = new Date(finishedAt.getTime() - LEFT_EARLY_MINUTES * MINUTE_MS)
  if (kind === 'missed') return isNull(registration.firstJoinedAt)
  const hasLeft = kind === 'leftEarly' ? lt(registration.lastSeenAt, early) : gte(registration.lastSeenAt, early)
  return and(isNotNull(registration.firstJoinedAt), hasLeft)
}

async function readNextRecipients(
  tx: Tx,
  event: RegistrationEvent,
  kind: ReminderKind,
  now: Date,
): Promise<RegistrationRow[]> {
  const waiting = and(isRecipient(event, kind), notExists(sentEmails(tx, event, kind)))
  const zones = await tx.selectDistinct({ zone: registration.timeZone }).from(registration).where(waiting)
  const awakeZones = zones.map(({ zone }) => zone).filter((zone) => canSendAtHour(kind, hourInZone(now, zone)))
  if (awakeZones.length === 0) return []
  return tx
    .select()
    .from(registration)
    .where(and(waiting, inArray(registration.timeZone, awakeZones)))
    .orderBy(registration.id)
    .limit(REMINDER_PAGE_SIZE)
}

/** Emails of a kind that the registration of the surrounding query received for the current schedule. */
function sentEmails(tx: Tx, event: RegistrationEvent, kind: ReminderKind) {
  return tx
    .select({ one: sql`1` })
    .from(registrationEmail)
    .where(
      and(
        eq(registrationEmail.tenantId, registration.tenantId),
        eq(registrationEmail.registrationId, registration.id),
        eq(registrationEmail.kind, kind),
        eq(registrationEmail.scheduleVersion, event.scheduleVersion),
        event.sessionId ? eq(registrationEmail.sessionId, event.sessionId) : isNull(registrationEmail.sessionId),
      ),
    )
}
