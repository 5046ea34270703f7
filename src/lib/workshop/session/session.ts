import { and, eq, gte, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { workshop, workshopSession } from '../table.ts'
import { emptyRoom } from './state-rules.ts'

/**
 * The session of an auto-webinar's showing that begins at an instant, made when it is missing; two at once make one.
 * Without an instant it is one of its own, which `beginShowing` begins. `made` says that it was made. Refuses with not_found for what is no auto-webinar.
 */
export async function openShowing(
  tx: Tx,
  workshopId: string,
  { startAt, minutes }: { startAt: Date | null; minutes: number },
): Promise<{ sessionId: string; made: boolean }> {
  const { tenantId, settings, slidesFileId } = workshop
  const [of] = await tx
    .select({ tenantId, settings, slidesFileId })
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), eq(workshop.type, 'autoWebinar')))
  if (!of) throw new Refusal('not_found')
  const facts = {
    tenantId: of.tenantId,
    id: newId(),
    workshopId,
    kind: 'auto' as const,
    startAt,
    plannedMinutes: minutes,
  }
  const [made] = await tx
    .insert(workshopSession)
    .values({ ...facts, state: emptyRoom(of.settings.chat, of.slidesFileId) })
    .onConflictDoNothing({
      target: [workshopSession.tenantId, workshopSession.workshopId, workshopSession.startAt],
      where: sql`kind = 'auto'`,
    })
    .returning({ sessionId: workshopSession.id })
  if (made) return { ...made, made: true }
  if (!startAt) throw new Error('a session was not made')
  const [there] = await tx
    .select({ sessionId: workshopSession.id })
    .from(workshopSession)
    .where(
      and(
        eq(workshopSession.workshopId, workshopId),
        eq(workshopSession.kind, 'auto'),
        eq(workshopSession.startAt, startAt),
      ),
    )
  if (!there) throw new Refusal('not_found')
  return { ...there, made: false }
}

/**
 * Begins a showing that has no start yet, at `now` or some milliseconds later where another begins at that instant:
 * showings of an event are told apart by their starts. Gives the start; null when it has begun already.
 */
export async function beginShowing(tx: Tx, sessionId: string, now: Date): Promise<Date | null> {
  const { id, workshopId, startAt, kind } = workshopSession
  const mine = and(eq(id, sessionId), eq(kind, 'auto'), isNull(startAt))
  const [found] = await tx.select({ workshopId }).from(workshopSession).where(mine)
  if (!found) return null
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`showings/${found.workshopId}`}, 0))`)
  const near = await tx
    .select({ startAt })
    .from(workshopSession)
    .where(and(eq(workshopId, found.workshopId), eq(kind, 'auto'), gte(startAt, now), lt(startAt, later(now, 60_000))))
  const taken = new Set(near.map((one) => one.startAt?.getTime()))
  let start = now.getTime()
  // Whole minutes are those of a schedule.
  while (taken.has(start) || start % 60_000 === 0) start += 1
  const [begun] = await tx
    .update(workshopSession)
    .set({ startAt: new Date(start) })
    .where(mine)
    .returning({ startAt })
  return begun?.startAt ?? null
}

/** Whether a showing is the only one of its viewer: it began when they entered, and at no minute of a schedule. */
export const isOnDemand = (startAt: Date | null): boolean => startAt === null || startAt.getTime() % 60_000 !== 0

/** Takes over how long the film of an auto-webinar is, within what an event may last. */
export async function setFilmMinutes(tx: Tx, workshopId: string, minutes: number): Promise<void> {
  const plannedMinutes = Math.min(1440, Math.max(5, minutes))
  await tx
    .update(workshop)
    .set({ plannedMinutes })
    .where(
      and(eq(workshop.id, workshopId), eq(workshop.type, 'autoWebinar'), ne(workshop.plannedMinutes, plannedMinutes)),
    )
}

/** Takes a showing out that nobody has watched. */
export async function dropShowing(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.update(workshopSession).set({ canceledAt: now }).where(eq(workshopSession.id, sessionId))
}

const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds)
