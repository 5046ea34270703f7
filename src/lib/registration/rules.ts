import type { RegistrationState, WorkshopAccess, WorkshopStatus } from '#lib/core/shared/event/live-event.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

export interface EventFacts {
  isPublished: boolean
  isCanceled: boolean
  access: WorkshopAccess
  status: WorkshopStatus
  /** A masterclass or an auto-webinar: there is no single start after which it is too late. */
  isAlwaysOpen: boolean
}

export interface Registrant {
  /** A student or team member of the tenant. */
  isMember: boolean
}

/** Whether a visitor may register. `reason` selects the text shown instead of the form. */
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
  /** Null: unlimited. */
  capacity: number | null
  takenCount: number
}

/** Number of free seats; null: unlimited. */
export const freeSeats = ({ capacity, takenCount }: Seats): number | null =>
  capacity === null ? null : Math.max(0, capacity - takenCount)

/**
 * State of a new registration: pending approval, confirmed, or waitlisted. Null: the event is full and has no waiting
 * list.
 */
export function initialState(
  form: { approval: 'auto' | 'manual'; waitlist: boolean },
  seats: Seats,
): Extract<RegistrationState, 'pending' | 'confirmed' | 'waitlisted'> | null {
  if (form.approval === 'manual') return 'pending'
  if (freeSeats(seats) !== 0) return 'confirmed'
  return form.waitlist ? 'waitlisted' : null
}

/** How long an offered seat is reserved, at most until the start. */
const OFFER_TTL_MS = DAY_MS

/** End of a seat offer; null when it is too late for one. */
export function offerEnd(now: Date, startAt: Date | null): Date | null {
  const end = now.getTime() + OFFER_TTL_MS
  if (!startAt) return new Date(end)
  return startAt <= now ? null : new Date(Math.min(end, startAt.getTime()))
}

/** Registration states to which each staff action applies. */
const REGISTRATION_ACTIONS = {
  approve: ['pending', 'waitlisted', 'declined'],
  decline: ['pending', 'waitlisted'],
  cancel: ['pending', 'confirmed', 'waitlisted'],
  resend: ['pending', 'confirmed', 'waitlisted'],
} as const satisfies Record<string, readonly RegistrationState[]>
export type RegistrationAction = keyof typeof REGISTRATION_ACTIONS

export const canApply = (action: RegistrationAction, state: RegistrationState): boolean =>
  (REGISTRATION_ACTIONS[action] as readonly RegistrationState[]).includes(state)
