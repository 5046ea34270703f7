import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { findEvent } from '../event.ts'
import { offerSeats } from '../seat.ts'
import { readCapacity } from '../session-choice.ts'
import { registration } from '../table.ts'
import { isDue, sendReminders } from './reminders.ts'
import { REMINDER_KINDS } from './rules.ts'

/**
 * Sends due emails that were not sent, for example because of night hours or lost jobs, and offers seats whose offer
 * has expired. Returns the number of emails.
 */
export async function sendDueEmails(now = new Date()): Promise<number> {
  return forEachTenant({ job: 'registration.sweep', dueSql: DUE_SQL, now }, async (tenantId) => {
    const waiting = await inTenant({ tenantId }, findWaiting)
    const offers = waiting.map(({ workshopId, sessionId }) => ({
      id: `${workshopId} offers`,
      run: () => offerFreedSeats({ tenantId, workshopId, sessionId }, now),
    }))
    const near = await inTenant({ tenantId }, (tx) => findNearSessions(tx, now))
    const reminders = near.flatMap((session) =>
      REMINDER_KINDS.map((kind) => ({
        id: `${session.sessionId} ${kind}`,
        run: () => sendIfDue({ tenantId, ...session, kind }, now),
      })),
    )
    const task = { job: 'registration.sweep', tenantId, items: [...offers, ...reminders] }
    return forEachItem({ ...task, idOf: ({ id }) => id }, ({ run }) => run())
  })
}

// Selects the rows that findNearSessions and offerFreedSeats process, in active tenants.
const DUE_SQL = `select 1 from tenant where id = current_tenant() and status = 'active' and (
  exists (select 1 from registration where state = 'waitlisted' and offered_until is null)
  or exists (select 1 from workshop_session s join workshop w on w.tenant_id = s.tenant_id and w.id = s.workshop_id
    where s.kind in ('live', 'auto') and w.publication = 'published' and w.canceled_at is null and w.archived_at is null
      and (s.finished_at > $1 - interval '73 hours'
        or coalesce(s.start_at, w.start_at) between $1 - interval '25 hours' and $1 + interval '25 hours')))`

async function sendIfDue(about: Parameters<typeof sendReminders>[0], now: Date): Promise<number> {
  const { tenantId, workshopId, sessionId, kind } = about
  const event = await inTenant({ tenantId }, (tx) => findEvent(tx, workshopId, sessionId))
  return event && isDue(event, kind, now) ? sendReminders(about, now) : 0
}

/** Sessions with possibly due reminders: they start within a day, are live, or ended within three days. */
function findNearSessions(tx: Tx, now: Date) {
  const hoursFromNow = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)
  const start = sql<Date>`coalesce(${workshopSession.startAt}, ${workshop.startAt})`
  const startsSoon = and(
    gt(start, sql`${hoursFromNow(-25).toISOString()}::timestamptz`),
    lt(start, sql`${hoursFromNow(25).toISOString()}::timestamptz`),
  )
  return tx
    .select({ workshopId: workshop.id, sessionId: workshopSession.id })
    .from(workshopSession)
    .innerJoin(
      workshop,
      and(eq(workshop.tenantId, workshopSession.tenantId), eq(workshop.id, workshopSession.workshopId)),
    )
    .where(
      and(
        sql`${workshopSession.kind} in ('live', 'auto')`,
        eq(workshop.publication, 'published'),
        isNull(workshop.canceledAt),
        isNull(workshop.archivedAt),
        or(startsSoon, gt(workshopSession.finishedAt, hoursFromNow(-73))),
      ),
    )
}

/** Events with people who wait for a seat. */
function findWaiting(tx: Tx) {
  return tx
    .selectDistinct({ workshopId: registration.workshopId, sessionId: registration.sessionId })
    .from(registration)
    .where(and(eq(registration.state, 'waitlisted'), isNull(registration.offeredUntil)))
}

function offerFreedSeats(
  { tenantId, workshopId, sessionId }: { tenantId: string; workshopId: string; sessionId: string | null },
  now: Date,
): Promise<number> {
  return inTenant({ tenantId }, async (tx) => {
    const event = await findEvent(tx, workshopId, sessionId)
    return event ? offerSeats(tx, event, await readCapacity(tx, event), now) : 0
  })
}
