import { and, eq, notInArray, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { findBooking, lockBooking } from '../booking/answer.ts'
import { canConsent } from '../booking/rules.ts'
import { booking, mentorSession } from '../booking/table.ts'
import { findNames } from './names.ts'

/** Who has agreed that a session is recorded. */
export interface RecordingConsent {
  /** The taken time, which several students of a group share. */
  mentorSessionId: string
  /** The actor takes part in the session. */
  isParticipant: boolean
  /** The actor may agree, or withdraw it, now. */
  canChange: boolean
  isOwn: boolean
  isOfAll: boolean
}

/** The consent to the recording of a session. Refuses with not_found. */
export async function readConsent(tx: Tx, actor: Actor, bookingId: string, now: Date): Promise<RecordingConsent> {
  const { row, session, program, relation } = await findBooking(tx, actor, bookingId)
  const isParticipant = relation.isOwn || relation.isMentor
  return {
    mentorSessionId: session.id,
    isParticipant,
    canChange: isParticipant && canConsent({ ...program, state: row.state, endAt: session.endAt }, now),
    isOwn: (relation.isMentor ? session.recordingConsentAt : row.recordingConsentAt) !== null,
    isOfAll: await isConsentOfAll(tx, session.id),
  }
}

/**
 * Agrees to the recording of a session, or withdraws it; the same again changes nothing. Refuses with not_found, forbidden (takes
 * no part), plan_inactive, conflict (no session in the room, or it has ended).
 */
export async function changeConsent(
  tx: Tx,
  actor: Actor,
  { bookingId, agrees }: { bookingId: string; agrees: boolean },
  now: Date,
): Promise<{ mentorSessionId: string; isOfAll: boolean }> {
  const { row, session, program, relation } = await lockBooking(tx, actor, bookingId)
  if (!relation.isOwn && !relation.isMentor) throw new Refusal('forbidden')
  if (relation.isMentor) requirePlan(actor, 'lms')
  if (!canConsent({ ...program, state: row.state, endAt: session.endAt }, now)) throw new Refusal('conflict')
  await lockConsent(tx, session.id)
  if (relation.isMentor) {
    const recordingConsentAt = agrees ? (session.recordingConsentAt ?? now) : null
    await tx.update(mentorSession).set({ recordingConsentAt }).where(eq(mentorSession.id, session.id))
  } else {
    const recordingConsentAt = agrees ? (row.recordingConsentAt ?? now) : null
    await tx.update(booking).set({ recordingConsentAt }).where(eq(booking.id, row.id))
  }
  return { mentorSessionId: session.id, isOfAll: await isConsentOfAll(tx, session.id) }
}

/**
 * Agrees for one of the people of a session, or withdraws it. Refuses with not_found (takes no part), conflict (no
 * session in the room, or it has ended).
 */
export async function changeConsentOfMember(
  tx: Tx,
  { mentorSessionId, memberId, agrees }: { mentorSessionId: string; memberId: string; agrees: boolean },
  now: Date,
): Promise<void> {
  await lockConsent(tx, mentorSessionId)
  const [session] = await tx.select().from(mentorSession).where(eq(mentorSession.id, mentorSessionId))
  if (!session) throw new Refusal('not_found')
  const [own] = await tx
    .select()
    .from(booking)
    .where(and(eq(booking.sessionId, mentorSessionId), eq(booking.studentId, memberId), isTakingPart))
  const isMentor = session.mentorId === memberId
  if (!own && !isMentor) throw new Refusal('not_found')
  if (!canConsent({ place: 'room', state: own?.state ?? 'confirmed', endAt: session.endAt }, now)) {
    throw new Refusal('conflict')
  }
  if (isMentor) {
    const recordingConsentAt = agrees ? (session.recordingConsentAt ?? now) : null
    await tx.update(mentorSession).set({ recordingConsentAt }).where(eq(mentorSession.id, mentorSessionId))
  } else if (own) {
    const recordingConsentAt = agrees ? (own.recordingConsentAt ?? now) : null
    await tx.update(booking).set({ recordingConsentAt }).where(eq(booking.id, own.id))
  }
}

/** The mentor of a taken time, then its students, each with their consent to the recording. */
export async function listConsents(
  tx: Tx,
  mentorSessionId: string,
): Promise<{ memberId: string; name: string; hasAgreed: boolean }[]> {
  const [session] = await tx.select().from(mentorSession).where(eq(mentorSession.id, mentorSessionId))
  if (!session) return []
  const students = await tx
    .select({ memberId: booking.studentId, consentAt: booking.recordingConsentAt })
    .from(booking)
    .where(and(eq(booking.sessionId, mentorSessionId), isTakingPart))
    .orderBy(booking.id)
  const people = [{ memberId: session.mentorId, consentAt: session.recordingConsentAt }, ...students]
  const names = await findNames(
    tx,
    people.map(({ memberId }) => memberId),
  )
  return people.map(({ memberId, consentAt }) => ({
    memberId,
    name: names.get(memberId) ?? '',
    hasAgreed: consentAt !== null,
  }))
}

const isTakingPart = notInArray(booking.state, ['requested', 'canceledByStudent', 'canceledByMentor'])

/** Lets changes of the consent to the recording of a taken time wait for each other. */
export async function lockConsent(tx: Tx, mentorSessionId: string): Promise<void> {
  await tx
    .select({ id: mentorSession.id })
    .from(mentorSession)
    .where(eq(mentorSession.id, mentorSessionId))
    .for('update')
}

/** Whether the mentor and every student of a taken time have agreed to its recording. */
export const isConsentOfAll = (tx: Tx, mentorSessionId: string): Promise<boolean> =>
  findConsentStart(tx, mentorSessionId).then((agreedAt) => agreedAt !== null)

/** Since when the mentor and every student of a taken time agree to its recording; null when one of them does not. */
export async function findConsentStart(tx: Tx, mentorSessionId: string): Promise<Date | null> {
  const [found] = await tx
    .select({
      agreedAt: sql<Date | null>`case when ${mentorSession.recordingConsentAt} is not null
        and bool_and(${booking.recordingConsentAt} is not null)
        then greatest(${mentorSession.recordingConsentAt}, max(${booking.recordingConsentAt})) end`.mapWith(
        mentorSession.recordingConsentAt,
      ),
    })
    .from(mentorSession)
    .leftJoin(
      booking,
      and(eq(booking.tenantId, mentorSession.tenantId), eq(booking.sessionId, mentorSession.id), isTakingPart),
    )
    .where(eq(mentorSession.id, mentorSessionId))
    .groupBy(mentorSession.tenantId, mentorSession.id)
  return found?.agreedAt ?? null
}
