import { readDay, readTime } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays, instantOf } from '#lib/core/shared/time-zone.ts'
import { bookSession, holdSlot, moveBooking, releaseHold } from '#lib/mentoring/booking/booking.ts'
import { joinWaitlist, leaveWaitlist } from '#lib/mentoring/booking/join-waitlist.ts'
import { BookSession, HoldSlot, JoinWaitlist, MoveBooking } from '#lib/mentoring/booking/schema.ts'
import { type FormActions, formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

/** Form actions of the page on which a student books a session of a program. */
export function bookingActions(actor: Actor, programId: string): FormActions {
  const here = `/mentoring/program/booking/${programId}`
  return {
    hold: async (form) => {
      const mentorId = formText(form, 'mentorId') || null
      const [bookingId, startAt] = [formText(form, 'newId'), formText(form, 'startAt')]
      await holdSlot(actor, HoldSlot.parse({ programId, bookingId, mentorId, startAt }))
      return mentorId ? `${here}?mentor=${mentorId}` : here
    },
    release: async (form) => {
      await releaseHold(actor, { bookingId: parseId(formText(form, 'bookingId')) })
      return here
    },
    book: async (form) => {
      const answers = Object.fromEntries(
        [...form].flatMap(([name, value]) =>
          name.startsWith('answer-') && typeof value === 'string' ? [[name.slice(7), value]] : [],
        ),
      )
      const input = BookSession.parse({ bookingId: formText(form, 'bookingId'), answers })
      const { state } = await bookSession(actor, input)
      return `/mentoring?booking=${input.bookingId}&notice=${state === 'requested' ? 'requested' : 'booked'}`
    },
    move: async (form) => {
      const [bookingId, startAt] = [formText(form, 'bookingId'), formText(form, 'startAt')]
      const input = { bookingId, startAt, reason: formText(form, 'reason') }
      await moveBooking(actor, MoveBooking.parse(input))
      return `/mentoring?booking=${bookingId}&notice=moved`
    },
    joinWaitlist: async (form) => {
      await joinWaitlist(actor, JoinWaitlist.parse({ programId, ...readWantedPeriod(form, actor.timeZone) }))
      return `${here}?notice=waiting`
    },
    leaveWaitlist: async () => {
      await leaveWaitlist(actor, { programId })
      return `${here}?notice=waitlistLeft`
    },
  }
}

/** The day and the hours that a student wants, as instants; a time without a day is refused, a day without times is the whole day. */
function readWantedPeriod(form: FormData, zone: string): { wantedFrom: string | null; wantedTo: string | null } {
  const day = readDay(form, 'wantedDay', zone)
  const [from, to] = [readTime(form, 'wantedFrom'), readTime(form, 'wantedTo')]
  if (!day && (from || to)) throw new Refusal('invalid', { fields: { wantedDay: ['required'] } })
  if (!day) return { wantedFrom: null, wantedTo: null }
  const start = instantOf(day, from ?? '00:00', zone)
  const end = to ? instantOf(day, to, zone) : addDays(instantOf(day, '00:00', zone), 1, zone)
  return { wantedFrom: start.toISOString(), wantedTo: end.toISOString() }
}
