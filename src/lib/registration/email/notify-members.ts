import { and, asc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { RegistrationEmail } from '#lib/core/shared/event/live-event.ts'
import { NOTIFICATION_KINDS } from '#lib/notification/kind-schema.ts'
import { notify } from '#lib/notification/notify.ts'
import { listEmailOptOuts } from '#lib/notification/settings/settings.ts'
import { findEvent, type RegistrationEvent } from '../event.ts'
import { registration, registrationEmail } from '../table.ts'

/** Members per transaction. */
const PAGE_SIZE = 500
/** These are of no use after the start of the event. */
const BEFORE_START: readonly RegistrationEmail[] = ['day', 'hour', 'tenMinutes']
/** These are sent after the start, so that they do not say when it is. */
const AFTER_START: readonly RegistrationEmail[] = ['startMissed', 'apology', 'attended', 'leftEarly', 'missed']
/** After these, the page of the event only informs; the registration page has the next steps. */
const WITHOUT_SEAT: readonly RegistrationEmail[] = ['pending', 'waitlisted', 'offer', 'declined', 'canceled']

/** The members who turned off emails about this kind. */
export const listUnsubscribedMembers = (
  tx: Tx,
  kind: RegistrationEmail,
  memberIds: readonly string[],
): Promise<Set<string>> => listEmailOptOuts(tx, NOTIFICATION_KINDS[`event_${kind}`], memberIds)

interface MemberNotification {
  kind: RegistrationEmail
  key: string
  memberIds: readonly string[]
  /** The time that the event had before. */
  previousStartAt?: string | undefined
}

/**
 * Notifies members by the channels other than email, in the transaction that records the emails: the record of an email
 * is unique, so a repeated run has no members. The emails have their own times and calendar files.
 */
export function notifyRegistrants(
  tx: Tx,
  event: RegistrationEvent,
  { kind, key, memberIds, previousStartAt }: MemberNotification,
  now: Date,
): Promise<void> {
  const added = {
    kind: `event_${kind}`,
    memberIds,
    key: `event/${kind}/${key}`,
    data: {
      subject: event.title,
      ...(event.startAt && !AFTER_START.includes(kind) && { at: event.startAt.toISOString() }),
      ...(previousStartAt && { previousAt: previousStartAt }),
    },
    link: linkOf(event, kind),
    email: false,
    ...(event.startAt && BEFORE_START.includes(kind) && { expiresAt: event.startAt }),
  } as const
  return notify(tx, added, now)
}

function linkOf({ id, type }: RegistrationEvent, kind: RegistrationEmail): string {
  if (WITHOUT_SEAT.includes(kind)) return `/workshops/register/${id}`
  return type === 'masterclass' ? `/masterclass/${id}` : `/meeting/join/${id}`
}

interface BatchJob {
  tenantId: string
  workshopId: string
  sessionId: string | null
  kind: RegistrationEmail
  batchId: string
  previousStartAt?: string | undefined
}

/** Notifies the members of a batch of emails when it can no longer be recalled. */
export function planBatchNotification(job: BatchJob, sendAfter: Date): Promise<void> {
  return enqueueJob('registration.notify', { ...job }, { startAfter: sendAfter, singletonKey: job.batchId })
}

/** Job of `planBatchNotification`. Idempotent: a batch notifies each member once. */
export async function notifyBatch(job: BatchJob, now = new Date()) {
  const { tenantId, workshopId, sessionId, kind, batchId, previousStartAt } = job
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await inTenant({ tenantId }, async (tx) => {
      const event = await findEvent(tx, workshopId, sessionId)
      if (!event) return []
      const page = await tx
        .select({ id: registrationEmail.id, memberId: registration.memberId })
        .from(registrationEmail)
        .innerJoin(registration, eq(registration.id, registrationEmail.registrationId))
        .where(
          and(
            eq(registrationEmail.workshopId, workshopId),
            eq(registrationEmail.batchId, batchId),
            eq(registrationEmail.kind, kind),
            isNull(registrationEmail.recalledAt),
            isNotNull(registration.memberId),
            gt(registrationEmail.id, after),
          ),
        )
        .orderBy(asc(registrationEmail.id))
        .limit(PAGE_SIZE)
      const memberIds = page.flatMap(({ memberId }) => memberId ?? [])
      await notifyRegistrants(tx, event, { kind, key: batchId, memberIds, previousStartAt }, now)
      return page
    })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_SIZE) return
    after = last.id
  }
}
