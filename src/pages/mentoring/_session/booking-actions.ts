import type { Actor } from '#lib/core/shared/actor.ts'
import { bookSession, holdSlot, joinWaitlist, moveBooking, releaseHold } from '#lib/mentoring/booking/booking.ts'
import { BookSession, HoldSlot, MoveBooking } from '#lib/mentoring/booking/schema.ts'
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
      const input = { bookingId: formText(form, 'bookingId'), startAt: formText(form, 'startAt') }
      const { bookingId } = await moveBooking(actor, MoveBooking.parse(input))
      return `/mentoring?booking=${bookingId}&notice=moved`
    },
    joinWaitlist: async () => {
      await joinWaitlist(actor, { programId })
      return `${here}?notice=waiting`
    },
  }
}
