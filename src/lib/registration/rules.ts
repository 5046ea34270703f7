import type { RegistrationState, WorkshopAccess, WorkshopStatus } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

export interface EventFacts {
  isPublished: boolean
  isCanceled: boolean
  access: WorkshopAccess
  status: WorkshopStatus
  /** A masterclass and an auto-webinar have no one hour after which it is too late. */
  isAlwaysOpen: boolean
}

export interface Registrant {
  /** A student of the school, or one of its team. */
  isMember: boolean
}

/** Whether somebody may register by themselves. `because` is what the page says instead of a form. */
export function canRegister(
  { isPublished, isCanceled, access, status, isAlwaysOpen }: EventFacts,
  registrant: Registrant,
): Verdict {
  if (!isPublished) return deny('draft')
  if (isCanceled) return deny('canceled')
  if (!isAlwaysOpen && (status === 'finished' || status === 'expired')) return deny(status)
  if (access === 'students' && !registrant.isMember) return deny('students_only')
  if (access === 'paid') return deny('paid')
  return allow('open')
}

export interface Seats {
  /** Null: as many as come. */
  capacity: number | null
  taken: number
}

/** Seats that are free; null: as many as come. */
export const freeSeats = ({ capacity, taken }: Seats): number | null =>
  capacity === null ? null : Math.max(0, capacity - taken)

/**
 * What a new registration becomes: it waits for the school's word, gets a seat, or a place on the waiting list. Null: the
 * event is full and has no list.
 */
export function initialState(
  form: { approval: 'auto' | 'manual'; waitlist: boolean },
  seats: Seats,
): Extract<RegistrationState, 'pending' | 'confirmed' | 'waitlisted'> | null {
  if (form.approval === 'manual') return 'pending'
  if (freeSeats(seats) !== 0) return 'confirmed'
  return form.waitlist ? 'waitlisted' : null
}

/** A seat that is offered is kept for so long, but not beyond the start. */
const OFFER_TTL_MS = DAY_MS

/** Until when an offered seat is kept; null when it is too late to offer one. */
export function offerEnd(now: Date, startAt: Date | null): Date | null {
  const end = now.getTime() + OFFER_TTL_MS
  if (!startAt) return new Date(end)
  return startAt <= now ? null : new Date(Math.min(end, startAt.getTime()))
}

/** Which acts of staff make sense for a registration. */
export const STAFF_ACTS = {
  approve: ['pending', 'waitlisted', 'declined'],
  decline: ['pending', 'waitlisted'],
  cancel: ['pending', 'confirmed', 'waitlisted'],
  resend: ['pending', 'confirmed', 'waitlisted'],
} as const satisfies Record<string, readonly RegistrationState[]>
export type StaffAct = keyof typeof STAFF_ACTS

export const canApply = (act: StaffAct, state: RegistrationState): boolean =>
  (STAFF_ACTS[act] as readonly RegistrationState[]).includes(state)
