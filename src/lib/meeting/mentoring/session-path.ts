import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { RoomParticipant } from '../admission/seat.ts'

/** Path of the page of the session with a mentor whose room it is, for this participant; null for other rooms. */
export async function findSessionPath(tx: Tx, { workshopId, profile }: RoomParticipant): Promise<string | null> {
  const { rows } = await tx.execute<{ id: string }>(sql`select b.id
    from mentoring_room r join mentor_session s on s.tenant_id = r.tenant_id and s.id = r.mentor_session_id
      join booking b on b.tenant_id = s.tenant_id and b.session_id = s.id
    where r.tenant_id = current_tenant() and r.workshop_id = ${workshopId}
      and ${profile.memberId}::uuid in (b.student_id, s.mentor_id)
    order by b.id limit 1`)
  return rows[0] ? `/mentoring?booking=${rows[0].id}` : null
}
