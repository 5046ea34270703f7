import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

export const BOOKING_STATES = [
  'requested',
  'confirmed',
  'canceledByStudent',
  'canceledByMentor',
  'completed',
  'noShowStudent',
  'noShowMentor',
] as const
export type BookingState = (typeof BOOKING_STATES)[number]

/** How long a time is reserved while the student answers the questions. */
export const HOLD_MINUTES = 5

const id = z.uuid()
const startAt = z.iso.datetime({ offset: true }).transform((at) => new Date(at))

/** An answer to a question of the program, with the question as it was. */
export const BookingAnswer = z.object({ label: z.string(), answer: z.string() })
export type BookingAnswer = z.output<typeof BookingAnswer>

/** A change of a booking, for its history. */
export const BookingEntry = z.object({
  at: z.iso.datetime(),
  action: z.enum(['booked', 'confirmed', 'moved', 'canceled', 'completed', 'noShow']),
  by: z.enum(['student', 'mentor']),
  startAt: z.iso.datetime().optional(),
  reason: z.string().optional(),
})
export type BookingEntry = z.output<typeof BookingEntry>

export const Goal = z.object({ text: textLine(200).min(1, 'required'), done: z.boolean() })
export type Goal = z.output<typeof Goal>

export const HoldSlot = z.object({
  programId: id,
  /** Id of the booking that follows; the same id again changes nothing. */
  bookingId: id,
  /** Null: the school chooses. */
  mentorId: id.nullable().default(null),
  startAt,
})
export type HoldSlot = z.output<typeof HoldSlot>

export const BookSession = z.object({
  bookingId: id,
  /** Answers by the id of the question. */
  answers: z.record(z.string().max(40), multilineText(2000)).default({}),
})
export type BookSession = z.output<typeof BookSession>

export const BookingId = z.object({ bookingId: id })
export type BookingId = z.output<typeof BookingId>
/** Actions of the mentor or the school other than a cancellation, which needs a reason. */
export const ANSWERS = ['confirm', 'complete', 'noShowStudent', 'noShowMentor'] as const
export const AnswerBooking = BookingId.extend({ action: z.enum(ANSWERS) })
export type AnswerBooking = z.output<typeof AnswerBooking>
/** The period in which a session on the waitlist should start; both null: any time. */
export const JoinWaitlist = z
  .object({ programId: id, wantedFrom: startAt.nullable().default(null), wantedTo: startAt.nullable().default(null) })
  .refine(({ wantedFrom, wantedTo }) => (wantedFrom === null) === (wantedTo === null), {
    path: ['wantedTo'],
    error: 'required',
  })
  .refine(({ wantedFrom, wantedTo }) => !wantedFrom || !wantedTo || wantedFrom < wantedTo, {
    path: ['wantedTo'],
    error: 'end_before_start',
  })
export type JoinWaitlist = z.output<typeof JoinWaitlist>

/** The times of a mentor; `movedBookingId` is a booking that is to be moved. */
export const BookingQuery = z.object({
  programId: id,
  mentorId: id.nullable().default(null),
  movedBookingId: id.nullable().default(null),
})
export const CancelBooking = BookingId.extend({ reason: multilineText(1000).min(1, 'required') })
export type CancelBooking = z.output<typeof CancelBooking>
export const MoveBooking = BookingId.extend({ startAt, reason: multilineText(1000).default('') })
export type MoveBooking = z.output<typeof MoveBooking>
/** By the mentor or the school, who state a reason. */
export const MoveSession = BookingId.extend({ startAt, reason: multilineText(1000).min(1, 'required') })
export type MoveSession = z.output<typeof MoveSession>
