import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { RateSession, SaveNotes } from '#lib/mentoring/session/schema.ts'
import { getSession, rateSession, saveNotes, savePrivateNotes } from '#lib/mentoring/session/session.ts'
import { listMentoringStatistics } from '#lib/mentoring/session/statistics.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let bookingId: string
let startAt: Date
beforeEach(async () => {
  school = await createMentoring()
  startAt = await nextSlot(school)
  bookingId = await book(school.student, startAt)
})

async function book(student: Actor, at: Date): Promise<string> {
  const id = newId()
  await holdSlot(
    student,
    { programId: school.programId, bookingId: id, mentorId: school.mentor.membershipId, startAt: at },
    NOW,
  )
  await bookSession(student, { bookingId: id, answers: {} }, NOW)
  return id
}
const view = (actor: Actor) => getSession(actor, { bookingId }, NOW)
const NOTES = {
  sharedNotes: 'Домовилися про портфоліо.',
  homework: 'Три роботи до вівторка',
  goals: [
    { text: 'Вибрати роботи', done: true },
    { text: 'Написати тексти', done: false },
  ],
}

test('shared notes, goals and homework are saved by their version and read by both', async () => {
  const { mentor, student } = school
  const { notesVersion: version } = await view(mentor)
  expect(await saveNotes(mentor, { bookingId, version, ...NOTES })).toEqual({ version: version + 1 })
  expect(await saveNotes(mentor, { bookingId, version, ...NOTES })).toEqual({ version: version + 1 })
  await expect(saveNotes(mentor, { bookingId, version, ...NOTES, homework: 'Інше' })).rejects.toMatchObject({
    code: 'conflict',
    details: { data: { version: version + 1 } },
  })
  for (const actor of [mentor, student]) expect(await view(actor)).toMatchObject(NOTES)
  await expect(saveNotes(student, { bookingId, version: version + 1, ...NOTES })).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('private notes are read and written by the mentor of the session only', async () => {
  const { mentor, student, home } = school
  const { privateVersion: version } = await view(mentor)
  await savePrivateNotes(mentor, { bookingId, version, privateNotes: 'Хвилюється' })
  expect((await view(mentor)).privateNotes).toBe('Хвилюється')
  expect((await view(student)).privateNotes).toBeNull()
  expect((await view(home.as.OWNER)).privateNotes).toBeNull()
  for (const actor of [student, home.as.OWNER]) {
    await expect(
      savePrivateNotes(actor, { bookingId, version: version + 1, privateNotes: 'Чуже' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('a session is rated by its student, after it has begun, and the rating can be changed', async () => {
  const { mentor, student } = school
  const rate = (actor: Actor, rating: number, at: Date) =>
    rateSession(actor, { bookingId, rating, ratingText: 'Дякую' }, at)
  await expect(rate(student, 5, NOW)).rejects.toMatchObject({ code: 'conflict' })
  await expect(rate(mentor, 5, startAt)).rejects.toMatchObject({ code: 'forbidden' })
  await rate(student, 3, startAt)
  await rate(student, 4, startAt)
  expect(await view(mentor)).toMatchObject({ rating: 4, ratingText: 'Дякую' })
  expect(RateSession.safeParse({ bookingId, rating: 6 }).success).toBe(false)
  expect(SaveNotes.safeParse({ bookingId, version: 1, ...NOTES, goals: Array(11).fill(NOTES.goals[0]) }).success).toBe(
    false,
  )
})

test('the link of a session is shown from ten minutes before it, a telephone number or an address at once', async () => {
  const { student, mentor } = school
  const placeAt = async (minutes: number) =>
    (await getSession(student, { bookingId }, new Date(startAt.getTime() - minutes * 60_000))).placeText
  expect([await placeAt(11), await placeAt(10)]).toEqual([null, 'https://meet.example.com/room'])
  for (const place of ['phone', 'office']) {
    await inTenant(mentor, (tx) => tx.execute(`update mentor_program set place = '${place}', place_text = 'Київ, 1'`))
    expect(await placeAt(60)).toBe('Київ, 1')
  }
})

test('other students and other schools do not find the session', async () => {
  const strangers = [school.second, (await createOtherTenant()).as.OWNER]
  for (const actor of strangers) {
    await expect(view(actor)).rejects.toMatchObject({ code: 'not_found' })
    await expect(saveNotes(actor, { bookingId, version: 1, ...NOTES })).rejects.toMatchObject({ code: 'not_found' })
    await expect(rateSession(actor, { bookingId, rating: 5, ratingText: '' }, startAt)).rejects.toMatchObject({
      code: 'not_found',
    })
  }
})

test('statistics count held, missed, canceled and coming sessions with minutes and the mean rating', async () => {
  const { mentor, student, second, third } = school
  const [missedAt, canceledAt, comingAt] = [await nextSlot(school), await nextSlot(school), await nextSlot(school)]
  const missed = await book(second, missedAt)
  const canceled = await book(third, canceledAt)
  await book(third, comingAt)
  await cancelBooking(mentor, { bookingId: canceled, reason: 'Хвороба' }, NOW)
  const later = new Date(Math.max(startAt.getTime(), missedAt.getTime()) + HOUR_MS)
  await rateSession(student, { bookingId, rating: 4, ratingText: '' }, later)
  await answerBooking(mentor, { bookingId, action: 'complete' }, later)
  await answerBooking(mentor, { bookingId: missed, action: 'noShowStudent' }, later)
  expect(await listMentoringStatistics(mentor, {}, later)).toMatchObject([
    { title: 'Портфоліо дизайнера', completed: 1, missed: 1, canceled: 1, upcoming: 1, minutes: 60, rating: 4 },
  ])
})
