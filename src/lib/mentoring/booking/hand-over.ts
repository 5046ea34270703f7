import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import type { Assignee, AssignmentModule } from '#lib/team/assignments.ts'
import { MENTOR_ROLES } from '../program/rules.ts'
import { programEnrolment, programMentor } from '../program/table.ts'
import { announceBookings } from './announce.ts'
import type { BookingState } from './schema.ts'
import { mentorSession } from './table.ts'

/**
 * Programs, coming sessions and students of a mentor who is removed from the team. Students are notified of the new
 * mentor. Refuses with unprocessable: heir_unsuitable without a role of mentors, heir_busy when a session of the heir
 * overlaps one that is handed over.
 */
export const mentoringAssignments: Omit<AssignmentModule, 'assign'> = {
  async count(tx, memberId) {
    const { rows } = await tx.execute<{ programs: number }>(sql`select count(*)::int as programs from (
      select program_id from program_mentor where tenant_id = current_tenant() and member_id = ${memberId}
      union select s.program_id from mentor_session s where ${isComing(memberId)}) p`)
    return rows[0]?.programs ?? 0
  },

  async handOver(tx, memberId, heir) {
    if (heir) {
      if (!hasRole(heir, MENTOR_ROLES)) throw heirRefusal('heir_unsuitable')
      await handOverSessions(tx, memberId, heir)
      await handOverPrograms(tx, memberId, heir)
    }
    await tx.delete(programMentor).where(eq(programMentor.memberId, memberId))
  },
}

const heirRefusal = (reason: string) => new Refusal('unprocessable', { fields: { mentoringHeirId: [reason] } })

/** Condition on times `s` of a mentor that are taken and still to come. */
const isComing = (memberId: string) => sql`s.tenant_id = current_tenant() and s.mentor_id = ${memberId}
  and s.released_at is null and s.end_at > now()`

async function handOverSessions(tx: Tx, memberId: string, heir: Assignee): Promise<void> {
  const { rows: overlaps } = await tx.execute(sql`select 1 from mentor_session s join mentor_session o
      on o.tenant_id = s.tenant_id and o.mentor_id = ${heir.memberId} and o.released_at is null
      and o.busy_from < s.busy_to and o.busy_to > s.busy_from
    where ${isComing(memberId)} limit 1`)
  if (overlaps.length > 0) throw heirRefusal('heir_busy')
  const { rows: bookings } = await tx.execute<{ id: string; state: BookingState }>(sql`
    update booking b set sequence = b.sequence + 1, updated_at = now() from mentor_session s
    where ${isComing(memberId)} and b.tenant_id = s.tenant_id and b.session_id = s.id
      and b.state in ('requested', 'confirmed') returning b.id, b.state`)
  await tx
    .update(mentorSession)
    .set({ mentorId: heir.memberId })
    .where(and(eq(mentorSession.mentorId, memberId), isNull(mentorSession.releasedAt), sql`end_at > now()`))
  const changes = bookings.map(({ id, state }) => ({
    bookingId: id,
    change: state === 'confirmed' ? ('confirmed' as const) : ('requested' as const),
  }))
  await announceBookings(tx, changes, new Date())
}

async function handOverPrograms(tx: Tx, memberId: string, heir: Assignee): Promise<void> {
  const { tenantId, memberId: heirId } = heir
  await tx.execute(sql`insert into program_mentor (tenant_id, program_id, member_id)
    select tenant_id, program_id, ${heirId}::uuid from program_mentor
    where tenant_id = ${tenantId} and member_id = ${memberId} on conflict do nothing`)
  await tx
    .update(programEnrolment)
    .set({ mentorId: heirId })
    .where(and(eq(programEnrolment.mentorId, memberId), isNull(programEnrolment.revokedAt)))
}
