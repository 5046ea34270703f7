import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { listConsents } from '#lib/mentoring/session/consent.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import type { RoomConsent } from '../room-schema.ts'

export interface FoundMentoringRoom {
  mentorSessionId: string
  /** Path of the page of the session. */
  path: string
  memberId: string
  consent: RoomConsent
}

/** The session with a mentor whose room it is, for one of its people; null for other rooms and people. */
export async function findMentoringRoom(
  tx: Tx,
  { workshopId, profile }: Pick<RoomParticipant, 'workshopId' | 'profile'>,
): Promise<FoundMentoringRoom | null> {
  const { memberId } = profile
  if (!memberId) return null
  const { rows } = await tx.execute<{ id: string; session_id: string }>(sql`select b.id, s.id as session_id
    from mentoring_room r join mentor_session s on s.tenant_id = r.tenant_id and s.id = r.mentor_session_id
      join booking b on b.tenant_id = s.tenant_id and b.session_id = s.id
    where r.tenant_id = current_tenant() and r.workshop_id = ${workshopId}
      and ${memberId}::uuid in (b.student_id, s.mentor_id)
    order by b.id limit 1`)
  const [row] = rows
  if (!row) return null
  const consent = await readRoomConsent(tx, row.session_id)
  return { mentorSessionId: row.session_id, path: `/mentoring?booking=${row.id}`, memberId, consent }
}

/** Consent of the people of a session to its recording, as their room shows it. */
export async function readRoomConsent(tx: Tx, mentorSessionId: string): Promise<RoomConsent> {
  const people = await listConsents(tx, mentorSessionId)
  return { people, isRecorded: people.length > 1 && people.every(({ hasAgreed }) => hasAgreed) }
}
