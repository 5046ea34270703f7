import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import type { ANSWERS, BookingState } from './schema.ts'

interface Person {
  roles: readonly Role[]
}

/** How a person is related to a booking. */
export interface BookingRelation {
  isOwn: boolean
  /** The mentor of the session. */
  isMentor: boolean
  /** The deputy of the mentor of the session, who is on vacation. */
  isDeputy: boolean
}

const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const

/** May see a booking: its student, its mentor or a mentor who substitutes for this one, and managers of content. */
export function canSeeBooking(person: Person, { isOwn, isMentor, isDeputy }: BookingRelation): Verdict {
  if (hasRole(person, ['STUDENT'])) return isOwn ? allow('own_booking') : deny('booking_of_another')
  if (hasRole(person, CONTENT)) return allow('manages_content')
  if (!hasRole(person, ['MENTOR'])) return deny('session_of_another')
  if (isMentor) return allow('own_session')
  return isDeputy ? allow('deputy') : deny('session_of_another')
}

/** May confirm, complete and cancel as the school, and write notes for the student. */
export function canRunSession(person: Person, relation: BookingRelation): Verdict {
  return hasRole(person, ['STUDENT']) ? deny('is_student') : canSeeBooking(person, relation)
}

/** May read and write the private notes: only the mentor of the session. */
export function canWritePrivateNotes(person: Person, { isMentor }: Pick<BookingRelation, 'isMentor'>): Verdict {
  return isMentor && !hasRole(person, ['STUDENT']) ? allow('own_session') : deny('notes_of_another')
}

/** May book sessions: students. */
export const canBook = (person: Person): Verdict =>
  hasRole(person, ['STUDENT']) ? allow('is_student') : deny('not_a_student')

export type BookingAction = (typeof ANSWERS)[number] | 'cancel'

/** The state after an action of the mentor, or null when it is not allowed in this state. */
export function nextBookingState(state: BookingState, action: BookingAction): BookingState | null {
  if (action === 'confirm') return state === 'requested' ? 'confirmed' : null
  if (action === 'cancel') return isOpen(state) ? 'canceledByMentor' : null
  if (state !== 'confirmed') return null
  return action === 'complete' ? 'completed' : action
}

/** Whether a session is still to take place. */
export const isOpen = (state: BookingState): boolean => state === 'requested' || state === 'confirmed'

/**
 * Whether a canceled or missed session counts towards the sessions of the student: when the student cancels a confirmed one
 * too late, or does not come.
 */
export function usesCredit(
  state: BookingState,
  { wasConfirmed, startAt, cancelHours }: { wasConfirmed: boolean; startAt: Date; cancelHours: number },
  now: Date,
): boolean {
  if (state === 'canceledByMentor' || state === 'noShowMentor') return false
  if (state !== 'canceledByStudent') return true
  return wasConfirmed && !isInTime(startAt, cancelHours, now)
}

const isInTime = (startAt: Date, cancelHours: number, now: Date): boolean =>
  startAt.getTime() - now.getTime() >= cancelHours * HOUR_MS

/** Whether a student may move a session, and why not. */
export function canMove(
  { state, movedCount, startAt }: { state: BookingState; movedCount: number; startAt: Date },
  { reschedules, cancelHours }: { reschedules: number; cancelHours: number },
  now: Date,
): Verdict {
  if (!isOpen(state)) return deny('session_closed')
  if (movedCount >= reschedules) return deny('moved_too_often')
  return isInTime(startAt, cancelHours, now) ? allow('in_time') : deny('too_late_to_move')
}

/** Identifies a booking in the calendars of its student or its mentor: their entries have different titles and links. */
export const calendarIdOf = (bookingId: string, side: 'student' | 'mentor'): string => `${bookingId}.${side}`

/** Identifies a session of several students in the calendar of its mentor, where it is one entry. */
export const groupCalendarIdOf = (sessionId: string): string => `${sessionId}.group`

/** How long before the start of a session its link is shown and its room is open. */
const OPEN_BEFORE_MINUTES = 10
/** How long after the end both may stay in the room or return to it. */
const OPEN_AFTER_MS = HOUR_MS

/** When the room of a session opens. */
export const roomOpensAt = (startAt: Date): Date => new Date(startAt.getTime() - OPEN_BEFORE_MINUTES * MINUTE_MS)

/** Whether the room of a session is open: around its time, once it is confirmed. */
export function isRoomOpen(
  { state, startAt, endAt }: { state: BookingState; startAt: Date; endAt: Date },
  now: Date,
): boolean {
  if (state !== 'confirmed' && state !== 'completed') return false
  return roomOpensAt(startAt) <= now && now.getTime() < endAt.getTime() + OPEN_AFTER_MS
}

/** Whether a participant may agree to the recording of a session, or withdraw it: until its room has closed. */
export const canConsent = (
  { place, state, endAt }: { place: string; state: BookingState; endAt: Date },
  now: Date,
): boolean => place === 'room' && isOpen(state) && now.getTime() < endAt.getTime() + OPEN_AFTER_MS
