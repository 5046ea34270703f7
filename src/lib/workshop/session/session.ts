import { and, eq, gte, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { workshop, workshopSession } from '../table.ts'
import { initialRoomState } from './state-rules.ts'

/**
 * Session of an auto-webinar at a start, created if missing; safe under concurrency. Without a start it is an on-demand
 * session, which `startAutoSession` starts. `created`: whether it is new. Refuses with not_found if the event is no
 * auto-webinar.
 */
export async function ensureAutoSession(
  tx: Tx,
  workshopId: string,
  { startAt, plannedMinutes }: { startAt: Date | null; plannedMinutes: number },
): Promise<{ sessionId: string; created: boolean }> {
  const { tenantId, settings, slidesFileId } = workshop
  const [event] = await tx
    .select({ tenantId, settings, slidesFileId })
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), eq(workshop.type, 'autoWebinar')))
  if (!event) throw new Refusal('not_found')
  const facts = {
    tenantId: event.tenantId,
    id: newId(),
    workshopId,
    kind: 'auto' as const,
    startAt,
    plannedMinutes: plannedMinutes,
  }
  const [created] = await tx
    .insert(workshopSession)
    .values({ ...facts, state: initialRoomState(event.settings.chat, event.slidesFileId) })
    .onConflictDoNothing({
      target: [workshopSession.tenantId, workshopSession.workshopId, workshopSession.startAt],
      where: sql`kind = 'auto'`,
    })
    .returning({ sessionId: workshopSession.id })
  if (created) return { ...created, created: true }
  if (!startAt) throw new Error('a session was not made')
  const [existing] = await tx
    .select({ sessionId: workshopSession.id })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        eq(workshopSession.startAt, startAt),
      ),
    )
  if (!existing) throw new Refusal('not_found')
  return { ...existing, created: false }
}

/**
 * Starts an on-demand session at `now`, or some milliseconds later if another session starts at that instant: sessions
 * of an event are identified by their start. Returns the start; null when it has started already.
 */
export async function startAutoSession(tx: Tx, sessionId: string, now: Date): Promise<Date | null> {
  const { id, workshopId, startAt, kind } = workshopSession
  const isUnstarted = and(eq(id, sessionId), eq(kind, 'auto'), isNull(startAt))
  const [row] = await tx.select({ workshopId }).from(workshopSession).where(isUnstarted)
  if (!row) return null
  await lockUntilCommit(tx, 'sessions', row.workshopId)
  const nearby = await tx
    .select({ startAt })
    .from(workshopSession)
    .where(and(eq(workshopId, row.workshopId), eq(kind, 'auto'), gte(startAt, now), lt(startAt, addMs(now, MINUTE_MS))))
  const takenInstants = new Set(nearby.map((session) => session.startAt?.getTime()))
  let start = now.getTime()
  // Starts at whole minutes are reserved for scheduled sessions.
  while (takenInstants.has(start) || start % MINUTE_MS === 0) start += 1
  const [started] = await tx
    .update(workshopSession)
    .set({ startAt: new Date(start) })
    .where(isUnstarted)
    .returning({ startAt })
  return started?.startAt ?? null
}

/** Whether a session is on demand: its start, the time at which its viewer entered, is not a whole minute. */
export const isOnDemandStart = (startAt: Date | null): boolean =>
  startAt === null || startAt.getTime() % MINUTE_MS !== 0

/** Sets the planned length of an auto-webinar to that of its video, within the limits of an event. */
export async function setVideoMinutes(tx: Tx, workshopId: string, minutes: number): Promise<void> {
  const plannedMinutes = Math.min(1440, Math.max(5, minutes))
  await tx
    .update(workshop)
    .set({ plannedMinutes })
    .where(
      and(eq(workshop.id, workshopId), eq(workshop.type, 'autoWebinar'), ne(workshop.plannedMinutes, plannedMinutes)),
    )
}

/** Cancels a session without viewers. */
export async function cancelAutoSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(workshopSession).set({ canceledAt: now }).where(eq(workshopSession.id, sessionId))
}

const addMs = (instant: Date, milliseconds: number): Date => new Date(instant.getTime() + milliseconds)

/**
 * Moves a session of an automated webinar that has not started. The version of the event's schedule increases, so that
 * reminders of the old time are not sent.
 */
export async function changeAutoSessionStart(
  tx: Tx,
  { workshopId, sessionId, startAt }: { workshopId: string; sessionId: string; startAt: Date },
): Promise<void> {
  await tx
    .update(workshopSession)
    .set({ startAt })
    .where(and(eq(workshopSession.id, sessionId), eq(workshopSession.kind, 'auto')))
  await tx
    .update(workshop)
    .set({ scheduleVersion: sql`${workshop.scheduleVersion} + 1` })
    .where(eq(workshop.id, workshopId))
}
