import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { notify } from '#lib/notification/notify.ts'
import { bookingWaitlist } from './table.ts'

/**
 * Tells the students on the waitlist of a program that a time is free, because a session was canceled or moved; each once
 * until they join it again.
 */
export async function notifyWaitlist(
  tx: Tx,
  program: { id: string; title: string },
  freed: { id: string },
  now: Date,
): Promise<void> {
  const waiting = await tx
    .update(bookingWaitlist)
    .set({ notifiedAt: now })
    .where(and(eq(bookingWaitlist.programId, program.id), isNull(bookingWaitlist.notifiedAt)))
    .returning({ studentId: bookingWaitlist.studentId })
  await notify(tx, {
    kind: 'session_time_free',
    memberIds: waiting.map(({ studentId }) => studentId),
    key: `mentoring/free/${freed.id}/${now.getTime()}`,
    data: { subject: program.title },
    link: `/mentoring/program/booking/${program.id}`,
  })
}
