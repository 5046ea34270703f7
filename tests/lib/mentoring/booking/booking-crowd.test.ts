import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import type { OfferedSlot } from '#lib/mentoring/slot/offered.ts'
import { createMentoring, NOW } from '../../../setup/mentoring.ts'

/** `npm run soak -- bookings` sets both to 10,000 and 500. */
const ATTEMPTS = Number(process.env.BOOKING_ATTEMPTS ?? 200)
const SLOTS = Number(process.env.BOOKING_SLOTS ?? 10)
const ATTEMPTS_PER_STUDENT = 10
const IN_FLIGHT = 64
const EXPECTED = new Set(['slot_taken', 'no_sessions_left'])

test(`${ATTEMPTS} bookings of ${SLOTS} times book each time at most once and lose no credit`, {
  timeout: 3_600_000,
}, async () => {
  const school = await createMentoring()
  const { home, programId, mentor } = school
  const { version, settings } = await getProgram(home.as.OWNER, { programId })
  const short = { ...settings, sessionMinutes: 15, slotStepMinutes: 15, perStudentOpenMax: 50 }
  await saveProgram(home.as.OWNER, { programId, version, settings: short })
  const weekly = Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }])
  await saveAvailability(mentor, { timeZone: 'Europe/Kyiv', weekly, overrides: [], travels: [], version: 1 })
  const { students } = await school.addCrowd(Math.ceil(ATTEMPTS / ATTEMPTS_PER_STUDENT), 0)
  const query = { programId, mentorId: mentor.membershipId }
  const slots = (await getBookingPage(school.third, query, NOW)).slots.slice(0, SLOTS)
  expect(slots).toHaveLength(SLOTS)

  const bookedBy: string[] = []
  const refusals: string[] = []
  const attempt = async (student: Actor, slot: OfferedSlot) => {
    const bookingId = newId()
    try {
      await holdSlot(student, { ...query, bookingId, startAt: new Date(slot.startAt) }, NOW)
      await bookSession(student, { bookingId, answers: {} }, NOW)
      bookedBy.push(student.membershipId)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push(error.details.fields?.form?.[0] ?? error.code)
    }
  }
  const waiting = [...students.entries()]
  // Each student tries one time after another; many students want the same times.
  const work = async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) {
      const [index, student] = entry
      for (let step = 0; step < ATTEMPTS_PER_STUDENT; step += 1) {
        const slot = slots[(step * (SLOTS / ATTEMPTS_PER_STUDENT) + index) % SLOTS]
        if (slot) await attempt(student, slot)
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))

  expect(bookedBy.length + refusals.length).toBe(ATTEMPTS)
  expect(refusals.filter((reason) => !EXPECTED.has(reason))).toEqual([])
  const { rows } = await inTenant(mentor, (tx) =>
    tx.execute<Record<string, number>>(`select count(*)::int as bookings, count(distinct session_id)::int as sessions,
      (select count(*)::int from mentor_session a join mentor_session b on a.mentor_id = b.mentor_id and a.id < b.id
        and a.released_at is null and b.released_at is null
        and a.busy_from < b.busy_to and b.busy_from < a.busy_to) as overlaps,
      (select coalesce(max(used), 0)::int from (select count(*) as used from booking where uses_credit
        group by enrolment_id) u) as "mostUsed" from booking`),
  )
  expect(rows[0]).toEqual({
    bookings: bookedBy.length,
    sessions: bookedBy.length,
    overlaps: 0,
    mostUsed: Math.max(
      0,
      ...Map.groupBy(bookedBy, (id) => id)
        .values()
        .map((all) => all.length),
    ),
  })
  // Every time was wanted by many students, who have enough sessions together.
  expect(bookedBy.length).toBe(SLOTS)
})
