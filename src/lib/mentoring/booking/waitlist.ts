import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { DAY_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { notify } from '#lib/notification/notify.ts'
import type { ProgramRow } from '../program/permission.ts'
import { mentorProgram, programMentor } from '../program/table.ts'
import { readMentorTimes } from '../slot/busy.ts'
import { listOfferedSlots } from '../slot/offered.ts'
import { bookingWaitlist, type mentorSession } from './table.ts'

type FreedSession = Pick<typeof mentorSession.$inferSelect, 'id' | 'mentorId' | 'busyFrom' | 'busyTo'>

/**
 * Notifies students on the waitlist of a program that a time is free, because a session was canceled or moved: those who
 * want any time, and those in whose period a session can start now. Each is notified once until joining again. Nobody is
 * notified of a time that cannot be booked, e.g. because it is too near.
 */
export async function notifyWaitlist(tx: Tx, program: ProgramRow, freed: FreedSession, now: Date): Promise<void> {
  // The starts at which a session with its buffers would have met the one that is gone.
  const from = freed.busyFrom.getTime() - (program.sessionMinutes + program.bufferAfter) * MINUTE_MS
  const to = freed.busyTo.getTime() + program.bufferBefore * MINUTE_MS
  const starts = await listStarts(tx, program, { mentorId: freed.mentorId, from: from + 1, to }, now)
  await notifyOfStarts(tx, program, { mentorId: freed.mentorId, starts }, `${freed.id}/${now.getTime()}`, now)
}

/** The times of a mentor that students could book, by program with a waitlist. */
type OfferedStarts = ReadonlyMap<string, { program: ProgramRow; starts: readonly number[] }>

/**
 * Runs a change of the hours or the busy times of a mentor, and tells the students on the waitlists of the mentor's programs
 * about times that could not be booked before it. A change that frees no time tells nobody. Returns the result of the change.
 */
export async function notifyOfFreedTimes<T>(tx: Tx, mentorId: string, now: Date, change: () => Promise<T>): Promise<T> {
  const before = await listWaitedStarts(tx, mentorId, now)
  const result = await change()
  if (before.size === 0) return result
  const after = await listWaitedStarts(tx, mentorId, now)
  for (const [programId, { program, starts }] of after) {
    const known = new Set(before.get(programId)?.starts)
    const freed = starts.filter((start) => !known.has(start))
    await notifyOfStarts(tx, program, { mentorId, starts: freed }, `hours/${mentorId}/${now.getTime()}`, now)
  }
  return result
}

async function listWaitedStarts(tx: Tx, mentorId: string, now: Date): Promise<OfferedStarts> {
  const waiting = sql`exists (select 1 from booking_waitlist w where w.tenant_id = mentor_program.tenant_id
    and w.program_id = mentor_program.id and w.notified_at is null)`
  const rows = await tx
    .select({ program: mentorProgram })
    .from(mentorProgram)
    .innerJoin(
      programMentor,
      and(eq(programMentor.tenantId, mentorProgram.tenantId), eq(programMentor.programId, mentorProgram.id)),
    )
    .where(and(eq(programMentor.memberId, mentorId), eq(mentorProgram.status, 'published'), waiting))
  const offered = new Map<string, { program: ProgramRow; starts: number[] }>()
  for (const { program } of rows) {
    const period = { mentorId, from: now.getTime(), to: now.getTime() + program.maxDaysAhead * DAY_MS }
    offered.set(program.id, { program, starts: await listStarts(tx, program, period, now) })
  }
  return offered
}

async function listStarts(
  tx: Tx,
  program: ProgramRow,
  { mentorId, from, to }: { mentorId: string; from: number; to: number },
  now: Date,
): Promise<number[]> {
  const times = await readMentorTimes(tx, {
    programId: program.id,
    memberIds: [mentorId],
    from: new Date(from - DAY_MS),
    to: new Date(to + DAY_MS),
    now,
  })
  return listOfferedSlots(program, times, { from, to, now: now.getTime() }).map(({ startAt }) => startAt)
}

async function notifyOfStarts(
  tx: Tx,
  program: ProgramRow,
  { mentorId, starts: freed }: { mentorId: string; starts: readonly number[] },
  cause: string,
  now: Date,
): Promise<void> {
  const programId = program.id
  if (freed.length === 0) return
  const starts = sql.param(freed.map((startAt) => new Date(startAt).toISOString()))
  const fixedMentor = program.assignment === 'fixed' ? sql`and e.mentor_id = ${mentorId}` : sql``
  const waiting = await tx
    .update(bookingWaitlist)
    .set({ notifiedAt: now })
    .where(
      and(
        eq(bookingWaitlist.programId, programId),
        isNull(bookingWaitlist.notifiedAt),
        or(
          isNull(bookingWaitlist.wantedFrom),
          sql`exists (select 1 from unnest(${starts}::timestamptz[]) start
            where start >= booking_waitlist.wanted_from and start < booking_waitlist.wanted_to)`,
        ),
        sql`exists (select 1 from program_enrolment e where e.tenant_id = booking_waitlist.tenant_id
          and e.program_id = booking_waitlist.program_id and e.student_id = booking_waitlist.student_id
          and e.revoked_at is null ${fixedMentor})`,
      ),
    )
    .returning({
      studentId: bookingWaitlist.studentId,
      wantedFrom: bookingWaitlist.wantedFrom,
      wantedTo: bookingWaitlist.wantedTo,
    })
  const earliestStart = ({ wantedFrom, wantedTo }: (typeof waiting)[number]) =>
    Math.min(...freed.filter((start) => !wantedFrom || !wantedTo || (start >= +wantedFrom && start < +wantedTo)))
  // In the order of the times, as all transactions that notify the same students.
  const groups = [...Map.groupBy(waiting, earliestStart)].sort(([a], [b]) => a - b)
  for (const [startAt, students] of groups) {
    await notify(tx, {
      kind: 'session_time_free',
      memberIds: students.map(({ studentId }) => studentId),
      key: `mentoring/free/${cause}`,
      data: { subject: program.title, at: new Date(startAt).toISOString() },
      link: `/mentoring/program/booking/${programId}?mentor=${mentorId}`,
    })
  }
}
