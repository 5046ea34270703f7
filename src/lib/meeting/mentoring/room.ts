import { createHash } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { findBooking, type LockedBooking } from '#lib/mentoring/booking/answer.ts'
import { isRoomOpen } from '#lib/mentoring/booking/rules.ts'
import type { BookingId } from '#lib/mentoring/booking/schema.ts'
import { isConsentOfAll } from '#lib/mentoring/session/consent.ts'
import { insertUnlistedEvent } from '#lib/workshop/settings/unlisted.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import { admitParticipant } from '../admission-batch.ts'
import { buildRoomView } from '../meeting.ts'
import { readSeatEvent } from '../meeting-summary.ts'
import { appendAndPublish } from '../publish-events.ts'
import type { RoomView } from '../room-schema.ts'
import { lockSession } from '../session.ts'
import { mentoringRoom } from '../table.ts'
import { applyConsent } from './recording.ts'

/**
 * Admits the mentor or a student of a confirmed session to its room around its time; both publish camera, sound and
 * screen. The first one starts it. Idempotent. Refuses with not_found (the booking of others), forbidden (sees the
 * booking, but takes no part), unprocessable (room_not_open).
 */
export async function enterMentoringRoom(actor: Actor, { bookingId }: BookingId, now = new Date()): Promise<RoomView> {
  const room = await inTenant(actor, (tx) => findOrCreateRoom(tx, actor, bookingId, now))
  const { tenantId, membershipId } = actor
  const admission = await admitParticipant(
    {
      ...room,
      tenantId,
      role: room.isMentor ? 'host' : 'student',
      kind: room.isMentor ? 'staff' : 'student',
      memberId: membershipId,
      registrationId: null,
      name: fullName(actor) || (actor.email.split('@')[0] ?? ''),
      email: actor.email,
      locale: actor.locale,
      timeZone: actor.timeZone,
      device: createHash('sha256').update(membershipId).digest('base64url'),
    },
    now,
  )
  if (!admission) throw new Refusal('forbidden')
  const { participant } = admission
  return inTenant(actor, async (tx) => {
    await startSession(tx, participant)
    await applyConsent(tx, { ...room, tenantId }, await isConsentOfAll(tx, room.mentorSessionId))
    const event = await readSeatEvent(tx, participant.workshopId)
    const [session] = await tx.select().from(workshopSession).where(eq(workshopSession.id, participant.sessionId))
    if (!session) throw new Refusal('not_found')
    return buildRoomView(tx, { ...participant, session }, event, { loginDigest: actor.viewer })
  })
}

interface FoundRoom {
  mentorSessionId: string
  workshopId: string
  sessionId: string
  isMentor: boolean
}

/** The room of a session around its time, for its mentor or a student. Refuses as enterMentoringRoom. */
export async function findOrCreateRoom(tx: Tx, actor: Actor, bookingId: string, now: Date): Promise<FoundRoom> {
  const { row, session, program, relation } = await findBooking(tx, actor, bookingId)
  const { isOwn, isMentor } = relation
  if (!isOwn && !isMentor) throw new Refusal('forbidden')
  if (program.place !== 'room' || !isRoomOpen({ ...row, ...session, state: row.state }, now)) {
    throw formRefusal('room_not_open')
  }
  // Mentor and student may enter at the same time.
  await lockUntilCommit(tx, 'mentoring room', session.id)
  const found = await findRoom(tx, session.id)
  if (found) return { ...found, isMentor, mentorSessionId: session.id }
  const { tenantId, timeZone, locale } = actor
  const { workshopId } = await insertUnlistedEvent(tx, {
    tenantId,
    title: program.title,
    ...timesOf(session),
    timeZone,
    language: locale,
    // The video of the session is a file of the mentor.
    createdBy: session.mentorId,
  })
  await tx.insert(mentoringRoom).values({ tenantId, workshopId, mentorSessionId: session.id })
  const created = await findRoom(tx, session.id)
  if (!created) throw new Error('a room has no session')
  return { ...created, isMentor, mentorSessionId: session.id }
}

const timesOf = ({ startAt, endAt }: LockedBooking['session']) => ({
  startAt,
  plannedMinutes: Math.max(1, Math.round((endAt.getTime() - startAt.getTime()) / MINUTE_MS)),
})

/** The newest room of a session, unless it has ended. */
async function findRoom(
  tx: Tx,
  mentorSessionId: string,
): Promise<{ workshopId: string; sessionId: string } | undefined> {
  const [room] = await tx
    .select({ workshopId: mentoringRoom.workshopId, sessionId: workshopSession.id })
    .from(mentoringRoom)
    .innerJoin(
      workshopSession,
      and(
        eq(workshopSession.tenantId, mentoringRoom.tenantId),
        eq(workshopSession.workshopId, mentoringRoom.workshopId),
      ),
    )
    .where(and(eq(mentoringRoom.mentorSessionId, mentorSessionId), isNull(workshopSession.finishedAt)))
    .orderBy(desc(mentoringRoom.createdAt))
    .limit(1)
  return room
}

async function startSession(tx: Tx, participant: RoomParticipant): Promise<void> {
  const { state } = await lockSession(tx, participant)
  if (state.phase !== 'waiting') return
  await appendAndPublish(tx, participant, [{ type: 'webinar.start', payload: {}, actorId: participant.personId }])
}
