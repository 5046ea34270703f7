import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireManagedWorkshop } from '#lib/workshop/permission.ts'
import { changeAutoSessionStart } from '#lib/workshop/session/session.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { enqueueAdvance } from '../auto-session.ts'
import { type AutoPlan, readPlan } from '../plan.ts'
import { moveInSchedule, planSessions } from '../schedule-rules.ts'
import { Schedule } from '../schema.ts'
import { autoPlan } from '../table.ts'

interface SessionMove {
  workshopId: string
  /** The start that the reader saw. */
  from: Date
  startAt: Date
  /** Whether registrants are notified; required where there are any. */
  notify?: boolean | undefined
}

/**
 * Moves one coming session of an automated webinar: its date is replaced, or it becomes an exception of the weekly
 * pattern. The session keeps its registrants and links; a job moves reminders and emails the registrants if wanted.
 * Repeated, it changes nothing. Refuses with forbidden, plan_inactive, not_found, conflict when there is no session at
 * `from`, and unprocessable: workshop_start_past, auto_session_taken, auto_session_fixed, workshop_ask_notify.
 */
export async function moveAutoSession(actor: Actor, move: SessionMove, now = new Date()): Promise<void> {
  const { workshopId, from, startAt } = move
  await inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    await tx.select({ id: autoPlan.id }).from(autoPlan).where(eq(autoPlan.workshopId, workshopId)).for('update')
    const plan = await readPlan(tx, workshopId)
    if (!plan || plan.isCanceled) throw new Refusal('not_found')
    const [wasThere, isThere] = [hasSession(plan, from, now), hasSession(plan, startAt, now)]
    if (!wasThere && isThere) return
    if (!wasThere) throw new Refusal('conflict', { fields: { form: ['changed_meanwhile'] } })
    if (startAt <= now) throw refuseStart('workshop_start_past')
    if (isThere || (await findSessionAt(tx, workshopId, startAt))) throw refuseStart('auto_session_taken')
    const schedule = Schedule.safeParse(moveInSchedule(plan, from, startAt)).data
    // Whole minutes only, and a local time that the zone has twice means the first one.
    if (!schedule || !hasSession({ ...plan, schedule }, startAt, now)) throw refuseStart('auto_session_fixed')
    const session = await findSessionAt(tx, workshopId, from)
    const people = session ? await countSessionRegistrants(tx, session.id) : 0
    if (people > 0 && move.notify === undefined) {
      throw new Refusal('unprocessable', {
        fields: { notify: ['workshop_ask_notify'] },
        variables: { count: people },
        data: { people, was: { startAt: from, timeZone: plan.timeZone } },
      })
    }
    await tx
      .update(autoPlan)
      .set({ schedule, version: sql`${autoPlan.version} + 1`, updatedAt: new Date() })
      .where(eq(autoPlan.workshopId, workshopId))
    if (session) await moveStoredSession(tx, plan, { ...move, sessionId: session.id, tenantId: actor.tenantId })
  })
}

/** Confirmed registrants of the session of an automated webinar at an instant. */
export async function countAutoSessionPeople(tx: Tx, workshopId: string, startAt: Date): Promise<number> {
  const session = await findSessionAt(tx, workshopId, startAt)
  return session ? countSessionRegistrants(tx, session.id) : 0
}

const refuseStart = (reason: string) => new Refusal('unprocessable', { fields: { startAt: [reason] } })

function hasSession({ schedule, quietHours }: Pick<AutoPlan, 'schedule' | 'quietHours'>, at: Date, now: Date): boolean {
  const timing = { schedule: { ...schedule, justInTime: null }, quietHours }
  const end = new Date(at.getTime() + 1)
  const viewerZone = schedule.zone === 'viewer' ? 'UTC' : schedule.zone
  return planSessions(timing, { start: at, end, viewerZone, now }).length > 0
}

async function findSessionAt(tx: Tx, workshopId: string, startAt: Date): Promise<{ id: string } | null> {
  const [row] = await tx
    .select({ id: workshopSession.id })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        eq(workshopSession.startAt, startAt),
        isNull(workshopSession.canceledAt),
      ),
    )
  return row ?? null
}

async function countSessionRegistrants(tx: Tx, sessionId: string): Promise<number> {
  const { rows } = await tx.execute<{ people: number }>(sql`select count(*)::int as people from registration
    where tenant_id = current_tenant() and session_id = ${sessionId} and state = 'confirmed'`)
  return rows[0]?.people ?? 0
}

/** The row keeps its id, so that links and registrations stay valid. The job of the old time does nothing. */
async function moveStoredSession(
  tx: Tx,
  { timeZone, isPublished }: AutoPlan,
  { workshopId, sessionId, tenantId, from, startAt, notify }: SessionMove & { sessionId: string; tenantId: string },
): Promise<void> {
  await changeAutoSessionStart(tx, { workshopId, sessionId, startAt })
  await enqueueAdvance(tx, sessionId, startAt)
  if (!isPublished) return
  const was = { startAt: from.toISOString(), timeZone }
  await enqueueJob('registration.rescheduled', { tenantId, workshopId, sessionId, was, notify: notify ?? false })
}
