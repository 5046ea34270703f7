import { beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot, moveBooking, releaseHold } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { listNotifications } from '../../../setup/notification.ts'
import { addTestMember, createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
beforeEach(async () => {
  school = await createMentoring()
})

async function hold(student: Actor, startAt: Date, now = NOW, mentorId: string | null = school.mentor.membershipId) {
  const { programId } = school
  return holdSlot(student, { programId, bookingId: newId(), mentorId, startAt }, now)
}

async function book(student: Actor, startAt: Date, now = NOW) {
  const { bookingId } = await hold(student, startAt, now)
  await bookSession(student, { bookingId, answers: {} }, now)
  return bookingId
}

const sessionsLeft = async (student: Actor) =>
  (await getBookingPage(student, { programId: school.programId, mentorId: null }, NOW)).sessionsLeft

type SentEmail = {
  to: string
  subject: string
  locale: string
  text: string
  attachments: { content: string; method: string }[] | null
}

async function emails(): Promise<SentEmail[]> {
  const { rows } = await inTenant(school.student, (tx) =>
    tx.execute<SentEmail>(
      `select "to", subject, locale, text, attachments from mail where once_key like 'mentoring/%' order by id`,
    ),
  )
  return rows
}

const calendarOf = ({ attachments }: SentEmail) =>
  Buffer.from(attachments?.[0]?.content ?? '', 'base64')
    .toString()
    .replaceAll('\r\n ', '')

describe('booking', () => {
  test('a held time is booked with a calendar entry for both, in their languages and zones', async () => {
    const startAt = await nextSlot(school)
    const bookingId = await book(school.student, startAt)
    await bookSession(school.student, { bookingId, answers: {} }, NOW)
    const sent = await emails()
    expect(sent.map(({ to }) => to).toSorted()).toEqual([school.mentor.email, school.student.email].toSorted())
    for (const email of sent) {
      expect(email.attachments?.[0]?.method).toBe('REQUEST')
      expect(calendarOf(email)).toMatch(/SEQUENCE:0/)
    }
    expect((await listNotifications(school.mentor, { view: 'unread' })).items.map(({ kind }) => kind)).toEqual([
      'session_booked',
    ])
    expect(await sessionsLeft(school.student)).toBe(2)
  })

  test('a held time is not offered to others until the hold expires or is released', async () => {
    const startAt = await nextSlot(school)
    const { bookingId } = await hold(school.student, startAt)
    await expect(hold(school.second, startAt)).rejects.toMatchObject({
      details: { fields: { form: ['slot_taken'] } },
    })
    const later = new Date(NOW.getTime() + 6 * MINUTE_MS)
    await hold(school.second, startAt, later)
    await expect(bookSession(school.student, { bookingId, answers: {} }, later)).rejects.toMatchObject({
      details: { fields: { form: ['hold_expired'] } },
    })
  })

  test('a released hold frees the time immediately', async () => {
    const startAt = await nextSlot(school)
    const { bookingId } = await hold(school.student, startAt)
    await releaseHold(school.student, { bookingId }, NOW)
    await book(school.second, startAt)
  })

  test('a time outside of the hours, in the past or within the notice is refused', async () => {
    const startAt = await nextSlot(school)
    for (const wrong of [3 * MINUTE_MS, 12 * HOUR_MS, -60 * DAY_MS]) {
      await expect(hold(school.student, new Date(startAt.getTime() + wrong))).rejects.toMatchObject({
        details: { fields: { form: ['slot_taken'] } },
      })
    }
  })

  test('required questions are answered, and the hold stays', async () => {
    await inTenant(school.mentor, (tx) =>
      tx.execute(`update mentor_program set questions = '[{"id":"q","label":"Мета","required":true}]'`),
    )
    const { bookingId } = await hold(school.student, await nextSlot(school))
    await expect(bookSession(school.student, { bookingId, answers: {} }, NOW)).rejects.toMatchObject({
      details: { fields: { 'answer-q': ['required'] } },
    })
    await bookSession(school.student, { bookingId, answers: { q: 'Портфоліо' } }, NOW)
  })

  test('a student books no more sessions than the balance and the open limit allow', async () => {
    const first = await book(school.student, await nextSlot(school))
    await book(school.student, await nextSlot(school))
    await expect(book(school.student, await nextSlot(school))).rejects.toMatchObject({
      details: { fields: { form: ['too_many_open'] } },
    })
    await inTenant(school.mentor, (tx) => tx.execute('update mentor_program set per_student_open_max = 9'))
    await book(school.student, await nextSlot(school))
    await expect(book(school.student, await nextSlot(school))).rejects.toMatchObject({
      details: { fields: { form: ['no_sessions_left'] } },
    })
    await cancelBooking(school.student, { bookingId: first, reason: 'Хвороба' }, NOW)
    expect(await sessionsLeft(school.student)).toBe(1)
  })

  test('buffers of neighboring sessions add up', async () => {
    await inTenant(school.mentor, (tx) => tx.execute('update mentor_program set buffer_before = 10, buffer_after = 20'))
    const startAt = await nextSlot(school)
    await book(school.student, startAt)
    const { slots } = await getBookingPage(
      school.second,
      { programId: school.programId, mentorId: school.mentor.membershipId },
      NOW,
    )
    const next = slots.find((slot) => slot.startAt > startAt.getTime())
    // 60 minutes of the session, 20 after it and 10 before the next one, at a step of 30.
    expect(((next?.startAt ?? 0) - startAt.getTime()) / MINUTE_MS).toBe(90)
  })

  test('seats of a group session are shared, and no more are given', async () => {
    await inTenant(school.mentor, (tx) => tx.execute(`update mentor_program set format = 'group', seats = 2`))
    const startAt = await nextSlot(school)
    await book(school.student, startAt)
    await book(school.second, startAt)
    await expect(hold(school.third, startAt)).rejects.toMatchObject({ details: { fields: { form: ['slot_taken'] } } })
  })

  test('concurrent bookings of few times book each time once, and lose no credit', async () => {
    const { students, slots } = await school.addCrowd(40, 8)
    let next = 0
    const results = await Promise.all(
      students.map(async (student) => {
        next += 1
        const startAt = slots[next % slots.length] ?? NOW
        try {
          return await book(student, startAt)
        } catch (error) {
          expect(error).toMatchObject({ details: { fields: { form: ['slot_taken'] } } })
          return null
        }
      }),
    )
    expect(results.filter(Boolean)).toHaveLength(8)
    const { rows } = await inTenant(school.mentor, (tx) =>
      tx.execute(`select count(*)::int as bookings, count(distinct session_id)::int as sessions,
        (select count(*)::int from booking_hold) as holds from booking`),
    )
    expect(rows).toEqual([{ bookings: 8, sessions: 8, holds: 0 }])
  })

  test('the database refuses two sessions of a mentor at the same time', async () => {
    await book(school.student, await nextSlot(school))
    const copy = inTenant(school.mentor, (tx) =>
      tx.execute(`insert into mentor_session select tenant_id, gen_random_uuid(), program_id, mentor_id,
        start_at + interval '59 minutes', end_at + interval '59 minutes', busy_from + interval '59 minutes',
        busy_to + interval '59 minutes', seats, created_at, released_at from mentor_session`),
    )
    await expect(copy).rejects.toMatchObject({ cause: { constraint: 'mentor_session_no_overlap' } })
  })
})

describe('changes of a booking', () => {
  test('moving increases the sequence, frees the old time and is limited', async () => {
    const first = await nextSlot(school)
    const bookingId = await book(school.student, first)
    const moved = await nextSlot(school)
    await moveBooking(school.student, { bookingId, startAt: moved, reason: 'Іспит' }, NOW)
    await moveBooking(school.student, { bookingId, startAt: moved, reason: '' }, NOW)
    const sent = (await emails()).filter(({ subject }) => subject.includes('перенесено'))
    for (const { text } of sent) expect(text).toContain('Іспит')
    const calendars = sent.map(calendarOf)
    expect(calendars).toHaveLength(2)
    for (const calendar of calendars) expect(calendar).toMatch(/SEQUENCE:1/)
    await book(school.second, first)
    await inTenant(school.mentor, (tx) => tx.execute('update mentor_program set reschedules = 1'))
    const again = moveBooking(school.student, { bookingId, startAt: await nextSlot(school), reason: '' }, NOW)
    await expect(again).rejects.toMatchObject({ details: { fields: { form: ['moved_too_often'] } } })
  })

  test('a session can be moved to a time that overlaps its old one', async () => {
    const first = await nextSlot(school)
    const bookingId = await book(school.student, first)
    const startAt = new Date(first.getTime() + 30 * MINUTE_MS)
    await moveBooking(school.student, { bookingId, startAt, reason: '' }, NOW)
  })

  test('cancellation returns the session in time, keeps it when late, and tells both', async () => {
    const startAt = await nextSlot(school)
    const bookingId = await book(school.student, startAt)
    const late = new Date(startAt.getTime() - HOUR_MS)
    const input = { bookingId, reason: 'Захворіла' }
    expect(await cancelBooking(school.student, input, late)).toEqual({ usesCredit: true })
    expect(await cancelBooking(school.student, input, late)).toEqual({ usesCredit: true })
    const sent = (await emails()).filter(({ subject }) => subject.includes('скасовано'))
    expect(sent).toHaveLength(2)
    for (const email of sent) {
      expect(email.attachments?.[0]?.method).toBe('CANCEL')
      expect(calendarOf(email)).toMatch(/SEQUENCE:1/)
      expect(email.text).toContain('Захворіла')
    }
    const other = await book(school.student, await nextSlot(school))
    const withoutPlan = async () => cancelBooking({ ...school.mentor, plans: [] }, { ...input, bookingId: other }, late)
    await expect(withoutPlan()).rejects.toMatchObject({ code: 'plan_inactive' })
    expect(await cancelBooking(school.mentor, { bookingId: other, reason: 'Хворію' }, late)).toEqual({
      usesCredit: false,
    })
  })

  test('a session is canceled until its end, neither at it nor later', async () => {
    const startAt = await nextSlot(school)
    const bookingId = await book(school.student, startAt)
    const end = startAt.getTime() + HOUR_MS
    const cancel = (actor: Actor, at: number) => cancelBooking(actor, { bookingId, reason: 'Пізно' }, new Date(at))
    for (const actor of [school.student, school.mentor])
      await expect(cancel(actor, end)).rejects.toMatchObject({ code: 'conflict' })
    expect(await cancel(school.mentor, end - 1)).toEqual({ usesCredit: false })
  })

  test('a mentor confirms a request, and states how the session ended', async () => {
    await inTenant(school.mentor, (tx) => tx.execute(`update mentor_program set confirmation = 'mentor'`))
    const startAt = await nextSlot(school)
    const bookingId = await book(school.student, startAt)
    expect((await emails()).every(({ attachments }) => attachments === null)).toBe(true)
    const after = new Date(startAt.getTime() + HOUR_MS)
    await expect(answerBooking(school.mentor, { bookingId, action: 'complete' }, after)).rejects.toMatchObject({
      code: 'conflict',
    })
    await answerBooking(school.mentor, { bookingId, action: 'confirm' }, NOW)
    await answerBooking(school.mentor, { bookingId, action: 'confirm' }, NOW)
    await expect(answerBooking(school.mentor, { bookingId, action: 'noShowMentor' }, NOW)).rejects.toMatchObject({
      details: { fields: { form: ['session_not_begun'] } },
    })
    await answerBooking(school.mentor, { bookingId, action: 'noShowMentor' }, after)
    expect(await sessionsLeft(school.student)).toBe(3)
    await expect(cancelBooking(school.student, { bookingId, reason: 'Пізно' }, after)).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})

test('other students, other mentors and other schools do not find a booking', async () => {
  const bookingId = await book(school.student, await nextSlot(school))
  const other = await createOtherTenant()
  const anotherMentor = await addTestMember(school.home, 'MENTOR', 'another-mentor@school.test')
  const strangers = [school.second, anotherMentor, school.home.as.CURATOR, other.as.OWNER, other.as.STUDENT]
  for (const actor of strangers) {
    await expect(cancelBooking(actor, { bookingId, reason: 'Ні' }, NOW)).rejects.toMatchObject({ code: 'not_found' })
    await expect(answerBooking(actor, { bookingId, action: 'confirm' }, NOW)).rejects.toMatchObject({
      code: 'not_found',
    })
  }
  await expect(hold(other.as.STUDENT, await nextSlot(school), NOW, school.mentor.membershipId)).rejects.toMatchObject({
    code: 'not_found',
  })
})
