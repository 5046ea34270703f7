import { eq } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { findBooking, lockBooking } from '../booking/answer.ts'
import { canMove, canRunSession, canWritePrivateNotes, isOpen, isRoomOpen, roomOpensAt } from '../booking/rules.ts'
import type { BookingAnswer, BookingEntry, BookingState, Goal } from '../booking/schema.ts'
import { booking } from '../booking/table.ts'
import { requireMentoringAllowed } from '../program/permission.ts'
import type { PROGRAM_PLACES } from '../program/schema.ts'
import { findNames } from './names.ts'
import type { RateSession, SaveNotes, SavePrivateNotes } from './schema.ts'

/** A session as its page shows it to the actor. */
export interface SessionView {
  id: string
  programId: string
  title: string
  state: BookingState
  startAt: Date
  endAt: Date
  studentName: string
  mentorName: string
  place: (typeof PROGRAM_PLACES)[number]
  /** The address, or the link from ten minutes before the start; null until then. */
  placeText: string | null
  /** When the link is shown, or the room opens. */
  linkAt: Date
  /** The actor can enter the room of the session now. */
  isRoomOpen: boolean
  answers: BookingAnswer[]
  history: BookingEntry[]
  sharedNotes: string
  homework: string
  goals: Goal[]
  notesVersion: number
  /** Null for everyone except the mentor of the session. */
  privateNotes: string | null
  privateVersion: number
  rating: number | null
  ratingText: string
  canRun: boolean
  canCancel: boolean
  canMove: boolean
  /** Whether a cancellation now costs the student the session. */
  losesCredit: boolean
  hasBegun: boolean
}

/** One session. Refuses with not_found, also for other people's. */
export function getSession(actor: Actor, { bookingId }: { bookingId: string }, now = new Date()): Promise<SessionView> {
  return inTenant(actor, async (tx) => {
    const { row, session, program, relation } = await findBooking(tx, actor, bookingId)
    const names = await findNames(tx, [row.studentId, session.mentorId])
    const { startAt, endAt } = session
    const linkAt = roomOpensAt(startAt)
    const isShown = program.place !== 'link' || (row.state === 'confirmed' && linkAt <= now)
    const isUpcoming = isOpen(row.state) && endAt > now
    return {
      id: row.id,
      programId: program.id,
      title: program.title,
      state: row.state,
      startAt,
      endAt,
      studentName: names.get(row.studentId) ?? '',
      mentorName: names.get(session.mentorId) ?? '',
      place: program.place,
      placeText: isShown ? program.placeText : null,
      linkAt,
      isRoomOpen:
        program.place === 'room' &&
        (relation.isOwn || relation.isMentor) &&
        isRoomOpen({ state: row.state, startAt, endAt }, now),
      answers: row.answers,
      history: row.history,
      sharedNotes: row.sharedNotes,
      homework: row.homework,
      goals: row.goals,
      notesVersion: row.notesVersion,
      privateNotes: canWritePrivateNotes(actor, relation).allow ? row.privateNotes : null,
      privateVersion: row.privateVersion,
      rating: row.rating,
      ratingText: row.ratingText,
      canRun: canRunSession(actor, relation).allow,
      canCancel: isUpcoming,
      canMove: relation.isOwn && canMove({ ...row, startAt }, program, now).allow,
      losesCredit:
        row.state === 'confirmed' && startAt.getTime() - now.getTime() < program.cancelHours * 60 * MINUTE_MS,
      hasBegun: startAt <= now,
    }
  })
}

/**
 * Saves the notes that student and mentor share, based on `version`; the same text sent again succeeds. Refuses with
 * forbidden, plan_inactive, not_found, conflict with the newer version in `data`.
 */
export function saveNotes(actor: Actor, { bookingId, version, ...text }: SaveNotes): Promise<{ version: number }> {
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { row, relation } = await lockBooking(tx, actor, bookingId)
    requireMentoringAllowed(canRunSession(actor, relation))
    const { sharedNotes, homework, goals, notesVersion } = row
    if (stableJson({ sharedNotes, homework, goals }) === stableJson(text)) return { version: notesVersion }
    if (notesVersion !== version) throw new Refusal('conflict', { data: { version: notesVersion } })
    await setColumns(tx, bookingId, { ...text, notesVersion: version + 1 })
    return { version: version + 1 }
  })
}

/** Saves the notes that only the mentor of the session sees. Refuses as saveNotes. */
export function savePrivateNotes(
  actor: Actor,
  { bookingId, version, privateNotes }: SavePrivateNotes,
): Promise<{ version: number }> {
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { row, relation } = await lockBooking(tx, actor, bookingId)
    requireMentoringAllowed(canWritePrivateNotes(actor, relation))
    if (row.privateNotes === privateNotes) return { version: row.privateVersion }
    if (row.privateVersion !== version) throw new Refusal('conflict', { data: { version: row.privateVersion } })
    await setColumns(tx, bookingId, { privateNotes, privateVersion: version + 1 })
    return { version: version + 1 }
  })
}

/** The rating of a session by its student, after it began; it can be changed. Refuses with forbidden, not_found, conflict. */
export async function rateSession(
  actor: Actor,
  { bookingId, rating, ratingText }: RateSession,
  now = new Date(),
): Promise<void> {
  await inTenant(actor, async (tx) => {
    const { row, session, relation } = await lockBooking(tx, actor, bookingId)
    if (!relation.isOwn) throw new Refusal('forbidden')
    const isHeld = row.state === 'completed' || (row.state === 'confirmed' && session.startAt <= now)
    if (!isHeld) throw new Refusal('conflict')
    await setColumns(tx, bookingId, { rating, ratingText })
  })
}

async function setColumns(tx: Tx, bookingId: string, columns: Partial<typeof booking.$inferInsert>): Promise<void> {
  await tx
    .update(booking)
    .set({ ...columns, updatedAt: new Date() })
    .where(eq(booking.id, bookingId))
}
