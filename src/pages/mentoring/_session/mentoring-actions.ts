import { readInstant } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { setRecordingConsent } from '#lib/meeting/mentoring/recording.ts'
import { showSessionSlides } from '#lib/meeting/mentoring/slides.ts'
import { saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { SaveAvailability } from '#lib/mentoring/availability/schema.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { moveSession } from '#lib/mentoring/booking/move-session.ts'
import type { BookingAction } from '#lib/mentoring/booking/rules.ts'
import { CancelBooking, MoveSession } from '#lib/mentoring/booking/schema.ts'
import { MAX_GOALS, RateSession, SaveNotes, SavePrivateNotes } from '#lib/mentoring/session/schema.ts'
import { rateSession, saveNotes, savePrivateNotes } from '#lib/mentoring/session/session.ts'
import { type FormActions, formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { withPostedFile } from '../../_request/posted-file.ts'
import { readHours } from './hours-form.ts'

/** Form actions of the hours of a mentor and of the page of a session. */
export function mentoringActions(actor: Actor): FormActions {
  const pageOf = (bookingId: string, notice: string) => `/mentoring?booking=${bookingId}&notice=${notice}`
  const idOf = (form: FormData) => parseId(formText(form, 'bookingId'))
  const answer = (action: Exclude<BookingAction, 'cancel'>, notice: string) => async (form: FormData) => {
    const bookingId = idOf(form)
    await answerBooking(actor, { bookingId, action })
    return pageOf(bookingId, notice)
  }
  const consent = (agrees: boolean) => async (form: FormData) => {
    const bookingId = idOf(form)
    await setRecordingConsent(actor, { bookingId, agrees })
    return pageOf(bookingId, agrees ? 'agreed' : 'withdrawn')
  }
  return {
    saveHours: async (form) => {
      await saveAvailability(actor, SaveAvailability.parse(readHours(form)))
      return '/mentoring?view=hours&notice=saved'
    },
    confirm: answer('confirm', 'confirmed'),
    complete: answer('complete', 'done'),
    noShowStudent: answer('noShowStudent', 'done'),
    noShowMentor: answer('noShowMentor', 'done'),
    cancel: async (form) => {
      const bookingId = idOf(form)
      await cancelBooking(actor, CancelBooking.parse({ bookingId, reason: formText(form, 'reason') }))
      return pageOf(bookingId, 'canceled')
    },
    moveSession: async (form) => {
      const startAt = readInstant(form, 'startAt', actor.timeZone) ?? undefined
      const input = { bookingId: idOf(form), startAt, reason: formText(form, 'moveReason') }
      const { bookingId } = await moveSession(actor, MoveSession.parse(input))
      return pageOf(bookingId, 'moved')
    },
    saveNotes: async (form) => {
      const input = SaveNotes.parse({
        bookingId: idOf(form),
        version: Number(formText(form, 'version')),
        sharedNotes: formText(form, 'sharedNotes'),
        homework: formText(form, 'homework'),
        goals: Array.from({ length: MAX_GOALS }, (_, index) => ({
          text: formText(form, `goal${index}Text`).trim(),
          done: form.has(`goal${index}Done`),
        })).filter(({ text }) => text !== ''),
      })
      await saveNotes(actor, input)
      return pageOf(input.bookingId, 'saved')
    },
    savePrivateNotes: async (form) => {
      const input = SavePrivateNotes.parse({
        bookingId: idOf(form),
        version: Number(formText(form, 'version')),
        privateNotes: formText(form, 'privateNotes'),
      })
      await savePrivateNotes(actor, input)
      return pageOf(input.bookingId, 'saved')
    },
    showSlides: async (form) => {
      const bookingId = idOf(form)
      const file = form.get('file')
      if (!(file instanceof File) || file.size === 0) throw new Refusal('invalid', { fields: { file: ['required'] } })
      await withPostedFile(file, (path) => showSessionSlides(actor, { bookingId, path, name: file.name }))
      return pageOf(bookingId, 'slides')
    },
    agreeToRecording: consent(true),
    withdrawRecording: consent(false),
    rate: async (form) => {
      const [rating, ratingText] = [Number(formText(form, 'rating')), formText(form, 'ratingText')]
      const input = RateSession.parse({ bookingId: idOf(form), rating, ratingText })
      await rateSession(actor, input)
      return pageOf(input.bookingId, 'rated')
    },
  }
}
