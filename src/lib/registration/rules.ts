import type { RegistrationState, WorkshopAccess, WorkshopStatus } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

export interface EventFacts {
  published: boolean
  canceled: boolean
  access: WorkshopAccess
  status: WorkshopStatus
  /** A masterclass and an auto-webinar have no one hour after which it is too late. */
  standing: boolean
}

export interface Registrant {
  /** A student of the school, or one of its team. */
  ours: boolean
}

/** Whether somebody may register by themselves. `because` is what the page says instead of a form. */
export function canRegister(
  { published, canceled, access, status, standing }: EventFacts,
  person: Registrant,
): Verdict {
  if (!published) return deny('draft')
  if (canceled) return deny('canceled')
  if (!standing && (status === 'finished' || status === 'expired')) return deny(status)
  if (access === 'students' && !person.ours) return deny('students_only')
  if (access === 'paid') return deny('paid')
  return allow('open')
}

export interface Seats {
  /** Null: as many as come. */
  seats: number | null
  taken: number
}

/** Seats that are free; null: as many as come. */
export const freeSeats = ({ seats, taken }: Seats): number | null =>
  seats === null ? null : Math.max(0, seats - taken)

/**
 * What a new registration becomes: it waits for the school's word, gets a seat, or a place on the waiting list. Null: the
 * event is full and has no list.
 */
export function firstState(
  form: { approval: 'auto' | 'manual'; waitlist: boolean },
  seats: Seats,
): Extract<RegistrationState, 'pending' | 'confirmed' | 'waitlisted'> | null {
  if (form.approval === 'manual') return 'pending'
  if (freeSeats(seats) !== 0) return 'confirmed'
  return form.waitlist ? 'waitlisted' : null
}

const HOUR = 3_600_000
/** A seat that is offered is kept for so long, but not beyond the start. */
const OFFER_MS = 24 * HOUR

/** Until when an offered seat is kept; null when it is too late to offer one. */
export function offerEnd(now: Date, startAt: Date | null): Date | null {
  const end = now.getTime() + OFFER_MS
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

export const suits = (act: StaffAct, state: RegistrationState): boolean =>
  (STAFF_ACTS[act] as readonly RegistrationState[]).includes(state)
