import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { ProgramRow } from '../program/permission.ts'
import { readMentorTimes } from '../slot/busy.ts'
import { listOfferedSlots } from '../slot/offered.ts'
import { mentorSession } from './table.ts'

export interface WantedSeat {
  program: ProgramRow
  /** The mentors who may have the session; the first of them in the order of `preferred` who has the time gets it. */
  mentorIds: readonly string[]
  startAt: Date
  now: Date
  /** The session that the student leaves for it. */
  leavesSessionId?: string | null
}

/**
 * Takes a seat at a time that the program offers, and returns its session. Concurrent calls for one mentor wait for each
 * other; independently of that, the exclusion constraint of the table refuses a second session at the same time. Refuses
 * with unprocessable (slot_taken).
 */
export async function takeSessionSeat(tx: Tx, wanted: WantedSeat): Promise<{ sessionId: string; mentorId: string }> {
  const { program, mentorIds, startAt, now, leavesSessionId = null } = wanted
  // In the order of the ids, so that concurrent calls for several mentors cannot deadlock.
  for (const memberId of mentorIds.toSorted()) await lockMentor(tx, memberId)
  await releaseUnused(tx, mentorIds, now)
  const period = { from: new Date(startAt.getTime() - DAY_MS), to: new Date(startAt.getTime() + DAY_MS), now }
  const times = await readMentorTimes(
    tx,
    { programId: program.id, memberIds: mentorIds, ...period },
    { exceptSessionId: program.format === 'individual' ? leavesSessionId : null },
  )
  const at = startAt.getTime()
  const [slot] = listOfferedSlots(program, times, { from: at, to: at + 1, now: now.getTime() })
  const available = mentorIds.filter((memberId) => slot?.mentorIds.includes(memberId))
  const [mentorId] = available
  if (!slot || !mentorId) throw slotTaken()
  const open = times
    .find(({ memberId }) => memberId === mentorId)
    ?.openSessions.find((session) => session.startAt === at)
  if (open && open.sessionId !== leavesSessionId) return { sessionId: open.sessionId, mentorId }
  if (leavesSessionId) await releaseSession(tx, leavesSessionId, now)
  const [added] = await tx
    .insert(mentorSession)
    .values({
      tenantId: program.tenantId,
      programId: program.id,
      mentorId,
      startAt,
      endAt: new Date(at + program.sessionMinutes * MINUTE_MS),
      busyFrom: new Date(at - program.bufferBefore * MINUTE_MS),
      busyTo: new Date(at + (program.sessionMinutes + program.bufferAfter) * MINUTE_MS),
      seats: program.format === 'group' ? program.seats : 1,
    })
    .onConflictDoNothing()
    .returning({ sessionId: mentorSession.id })
  if (!added) throw slotTaken()
  return { ...added, mentorId }
}

const slotTaken = () => formRefusal('slot_taken')

/** Lets concurrent changes of the times of a mentor wait for each other. */
export async function lockMentor(tx: Tx, memberId: string): Promise<void> {
  await lockUntilCommit(tx, 'mentor', memberId)
}

/** Releases the times of mentors that only expired holds take. */
async function releaseUnused(tx: Tx, mentorIds: readonly string[], now: Date): Promise<void> {
  const mentors = sql`any(${sql.param([...mentorIds])}::uuid[])`
  await tx.execute(sql`
    delete from booking_hold h using mentor_session s
    where h.tenant_id = current_tenant() and h.expires_at <= ${now.toISOString()}::timestamptz
      and s.tenant_id = h.tenant_id and s.id = h.session_id and s.mentor_id = ${mentors}`)
  await tx.execute(sql`
    update mentor_session s set released_at = ${now.toISOString()}::timestamptz
    where s.tenant_id = current_tenant() and s.mentor_id = ${mentors} and s.released_at is null
      and s.start_at > ${now.toISOString()}::timestamptz and ${isUnused}`)
}

/** Releases the time of a session without bookings and holds; a session with some is not changed. */
export async function releaseSession(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx
    .update(mentorSession)
    .set({ releasedAt: now })
    .where(and(eq(mentorSession.id, sessionId), sql`released_at is null`, isUnusedRow))
}

const unusedWhere = (session: string) =>
  sql.raw(`
  not exists (select 1 from booking_hold h where h.tenant_id = ${session}.tenant_id and h.session_id = ${session}.id)
  and not exists (select 1 from booking b where b.tenant_id = ${session}.tenant_id and b.session_id = ${session}.id
    and b.state not in ('canceledByStudent', 'canceledByMentor'))`)
const isUnused = unusedWhere('s')
const isUnusedRow = unusedWhere('mentor_session')
