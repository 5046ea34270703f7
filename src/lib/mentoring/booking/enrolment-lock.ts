import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ProgramRow } from '../program/permission.ts'
import { mentorProgram, programEnrolment } from '../program/table.ts'

export type EnrolmentRow = typeof programEnrolment.$inferSelect

/**
 * The published program and the access of the student, locked: bookings of one student are counted one after another.
 * Refuses with not_found.
 */
export async function lockEnrolment(
  tx: Tx,
  actor: Actor,
  programId: string,
): Promise<{ program: ProgramRow; enrolment: EnrolmentRow }> {
  const [[program], [enrolment]] = await Promise.all([
    tx
      .select()
      .from(mentorProgram)
      .where(and(eq(mentorProgram.id, programId), eq(mentorProgram.status, 'published'))),
    tx
      .select()
      .from(programEnrolment)
      .where(
        and(
          eq(programEnrolment.programId, programId),
          eq(programEnrolment.studentId, actor.membershipId),
          isNull(programEnrolment.revokedAt),
        ),
      )
      .for('update'),
  ])
  if (!program || !enrolment) throw new Refusal('not_found')
  return { program, enrolment }
}
