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
  const period = { mentorId: freed.mentorId, from: from + 1, to }
  await notifyOfStarts(tx, program, period, `${freed.id}/${now.getTime()}`, now)
}

/** The same after a mentor has changed the hours, for all programs of the mentor with a waitlist. */
export async function notifyWaitlistsOfMentor(tx: Tx, mentorId: string, now: Date): Promise<void> {
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
  for (const { program } of rows) {
    const period = { mentorId, from: now.getTime(), to: now.getTime() + program.maxDaysAhead * DAY_MS }
    await notifyOfStarts(tx, program, period, `hours/${mentorId}/${now.getTime()}`, now)
  }
}

async function notifyOfStarts(
  tx: Tx,
  program: ProgramRow,
  { mentorId, from, to }: { mentorId: string; from: number; to: number },
  cause: string,
  now: Date,
): Promise<void> {
  const programId = program.id
  const times = await readMentorTimes(tx, {
    programId,
    memberIds: [mentorId],
    from: new Date(from - DAY_MS),
    to: new Date(to + DAY_MS),
    now,
  })
  const slots = listOfferedSlots(program, times, { from, to, now: now.getTime() })
  if (slots.length === 0) return
  const starts = sql.param(slots.map(({ startAt }) => new Date(startAt).toISOString()))
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
    .returning({ studentId: bookingWaitlist.studentId })
  await notify(tx, {
    kind: 'session_time_free',
    memberIds: waiting.map(({ studentId }) => studentId),
    key: `mentoring/free/${cause}`,
    data: { subject: program.title },
    link: `/mentoring/program/booking/${programId}?mentor=${mentorId}`,
  })
}
