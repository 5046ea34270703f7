import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot, moveBooking } from '#lib/mentoring/booking/booking.ts'
import { joinWaitlist } from '#lib/mentoring/booking/join-waitlist.ts'
import { moveSession } from '#lib/mentoring/booking/move-session.ts'
import { MoveSession } from '#lib/mentoring/booking/schema.ts'
import { getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { getSession } from '#lib/mentoring/session/session.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { listNotifications } from '../../../setup/notification.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let startAt: Date
let bookingId: string
beforeEach(async () => {
  school = await createMentoring()
  startAt = await nextSlot(school)
  bookingId = await book(school.student, startAt)
})

async function book(student: Mentoring['student'], at: Date): Promise<string> {
  const id = newId()
  const { programId, mentor } = school
  await holdSlot(student, { programId, bookingId: id, mentorId: mentor.membershipId, startAt: at }, NOW)
  await bookSession(student, { bookingId: id, answers: {} }, NOW)
  return id
}

const moveTo = (at: Date) => ({ bookingId, startAt: at, reason: 'Відрядження' })

test('the mentor moves a session once to a time outside of the hours, and the student gets the reason', async () => {
  const { mentor, student } = school
  const evening = new Date(startAt.getTime() + 12 * HOUR_MS)
  await moveSession(mentor, moveTo(evening), NOW)
  await moveSession(mentor, moveTo(evening), NOW)
  const session = await getSession(student, { bookingId }, NOW)
  expect(session).toMatchObject({ startAt: evening, state: 'confirmed' })
  expect(session.history.filter(({ action }) => action === 'moved')).toMatchObject([
    { by: 'mentor', reason: 'Відрядження' },
  ])
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ text: string }>(sql`select text from mail where "to" = ${student.email}
      and once_key like ${`mentoring/moved/${bookingId}/1/%`}`),
  )
  expect(rows[0]?.text).toContain('Відрядження')
  const { items } = await listNotifications(student, { view: 'all' })
  expect(items.find(({ kind }) => kind === 'session_moved')?.data).toMatchObject({
    at: evening.toISOString(),
    previousAt: startAt.toISOString(),
  })
})

test('another session, the past and a canceled session are refused', async () => {
  const other = await nextSlot(school)
  await book(school.second, other)
  const refusal = (field: string) => ({ details: { fields: { startAt: [field] } } })
  await expect(moveSession(school.mentor, moveTo(other), NOW)).rejects.toMatchObject(refusal('slot_taken'))
  const past = new Date(NOW.getTime() - HOUR_MS)
  await expect(moveSession(school.mentor, moveTo(past), NOW)).rejects.toMatchObject(refusal('workshop_start_past'))
  expect(MoveSession.safeParse({ bookingId, startAt: other.toISOString(), reason: '' }).success).toBe(false)
  await cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, NOW)
  await expect(moveSession(school.mentor, moveTo(startAt), NOW)).resolves.toEqual({ bookingId })
  const later = new Date(startAt.getTime() + 12 * HOUR_MS)
  await expect(moveSession(school.mentor, moveTo(later), NOW)).rejects.toMatchObject({ code: 'conflict' })
})

test('students and others do not move it', async () => {
  const later = new Date(startAt.getTime() + 12 * HOUR_MS)
  const { student, second, home } = school
  await expect(moveSession(student, moveTo(later), NOW)).rejects.toMatchObject({ code: 'forbidden' })
  for (const actor of [second, home.as.CURATOR, (await createOtherTenant()).as.OWNER]) {
    await expect(moveSession(actor, moveTo(later), NOW)).rejects.toMatchObject({ code: 'not_found' })
  }
  await moveSession(home.as.OWNER, moveTo(later), NOW)
})

test('students on the waitlist learn that a moved session has freed its time', async () => {
  const { programId, third, mentor, student } = school
  const freed = async () =>
    (await listNotifications(third, { view: 'all' })).items.filter(({ kind }) => kind === 'session_time_free').length
  await joinWaitlist(third, { programId, wantedFrom: null, wantedTo: null }, NOW)
  await moveSession(mentor, moveTo(new Date(startAt.getTime() + 12 * HOUR_MS)), NOW)
  expect(await freed()).toBe(1)
  // Once until the student waits again.
  const second = await nextSlot(school)
  const own = await book(student, second)
  const third2 = await nextSlot(school)
  await moveBooking(student, { bookingId: own, startAt: third2, reason: '' }, NOW)
  expect(await freed()).toBe(1)
  await joinWaitlist(third, { programId, wantedFrom: null, wantedTo: null }, NOW)
  await moveBooking(student, { bookingId: own, startAt: second, reason: '' }, new Date(NOW.getTime() + 1000))
  expect(await freed()).toBe(2)
})

test('a session of several students is one entry in the calendar of its mentor, which follows who comes and goes', async () => {
  const { home, programId, mentor, student, second } = school
  const { version, settings } = await getProgram(home.as.OWNER, { programId })
  await saveProgram(home.as.OWNER, { programId, version, settings: { ...settings, format: 'group', seats: 5 } })
  const [at, later] = [await nextSlot(school), await nextSlot(school)]
  const clock = (seconds: number) => new Date(Date.now() + seconds * 1000)
  const bookAt = async (who: Mentoring['student'], slot: Date) => {
    const id = newId()
    await holdSlot(who, { programId, bookingId: id, mentorId: mentor.membershipId, startAt: slot }, NOW)
    await bookSession(who, { bookingId: id, answers: {} }, NOW)
    return id
  }
  const entries = async () => {
    const { rows } = await inTenant(mentor, (tx) =>
      tx.execute<{
        content: string
      }>(sql`select a ->> 'content' as content from mail, jsonb_array_elements(attachments) a
        where "to" = ${mentor.email} and once_key like 'mentoring/%' order by created_at, mail.id`),
    )
    const text = rows.map(({ content }) => Buffer.from(content, 'base64').toString().replaceAll('\r\n ', ''))
    const group = text.filter((file) => file.includes('.group@'))
    const read = (file: string, name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(file)?.[1]?.trim()
    return group.map((file) => ({
      uid: read(file, 'UID'),
      method: read(file, 'METHOD'),
      title: read(file, 'SUMMARY'),
      sequence: Number(read(file, 'SEQUENCE') ?? 0),
    }))
  }
  await bookAt(student, at)
  const moving = await bookAt(second, at)
  const [first, both] = await entries()
  expect(first).toMatchObject({ method: 'REQUEST', title: 'Портфоліо дизайнера: student Тест' })
  expect(both).toMatchObject({ uid: first?.uid, method: 'REQUEST' })
  expect(both?.title).toContain('second Тест')
  await moveBooking(second, { bookingId: moving, startAt: later, reason: '' }, NOW)
  const [, , joined, left] = await entries()
  expect(joined).toMatchObject({ method: 'REQUEST', title: 'Портфоліо дизайнера: second Тест' })
  expect(joined?.uid).not.toBe(first?.uid)
  expect(left).toMatchObject({ uid: first?.uid, method: 'REQUEST', title: 'Портфоліо дизайнера: student Тест' })
  await cancelBooking(second, { bookingId: moving, reason: '' }, clock(5))
  expect((await entries()).at(-1)).toMatchObject({ uid: joined?.uid, method: 'CANCEL' })
})
