import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { answerBooking, cancelBooking } from '#lib/mentoring/booking/answer.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { moveSession } from '#lib/mentoring/booking/move-session.ts'
import { remindOfSession } from '#lib/mentoring/booking/remind.ts'
import { deliverDue } from '#lib/notification/delivery/deliver.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { createMentoring, type Mentoring, NOW, nextSlot } from '../../../setup/mentoring.ts'
import { listNotifications } from '../../../setup/notification.ts'

let school: Mentoring
beforeEach(async () => {
  school = await createMentoring()
})

async function book(startAt: Date, student = school.student): Promise<string> {
  const bookingId = newId()
  const { programId, mentor } = school
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt }, NOW)
  await bookSession(student, { bookingId, answers: {} }, NOW)
  return bookingId
}

interface Email extends Record<string, unknown> {
  subject: string
  unsubscribe: string | null
  attachments: unknown[] | null
  send_after: string | null
}
async function emailsTo({ email, tenantId }: Actor): Promise<Email[]> {
  const { rows } = await inTenant({ tenantId }, (tx) =>
    tx.execute<Email>(
      sql`select subject, unsubscribe, attachments, send_after from mail where "to" = ${email} order by created_at, id`,
    ),
  )
  return rows
}
const subjectsTo = async (actor: Actor) => (await emailsTo(actor)).map(({ subject }) => subject)
const kindsOf = async (actor: Actor) =>
  (await listNotifications(actor, { view: 'unread' })).items.map(({ kind }) => kind)
const saveEmail = (actor: Actor, topic: 'mentoring' | 'mentoring_request', frequency: 'off' | 'daily') =>
  saveNotificationSettings(actor, {
    preferences: [{ topic, channel: 'email', frequency }],
    quiet: { from: '00:00', until: '23:59' },
    dailyCap: 1,
  })

test('who books gets the email with the calendar entry, and only the mentor a notification in the list', async () => {
  await book(await nextSlot(school))
  for (const actor of [school.student, school.mentor]) {
    const [email, ...more] = await emailsTo(actor)
    expect(more).toEqual([])
    expect(email?.attachments).toHaveLength(1)
    expect(email?.unsubscribe).toContain('/v1/unsubscribe/')
  }
  expect(await kindsOf(school.student)).toEqual([])
  expect(await kindsOf(school.mentor)).toEqual(['session_booked'])
})

test('emails about the time of a session are sent at once in quiet hours and beyond the cap, unless turned off', async () => {
  await saveEmail(school.student, 'mentoring_request', 'daily')
  await saveEmail(school.mentor, 'mentoring', 'off')
  const bookingId = await book(await nextSlot(school))
  await cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, NOW)
  const emails = await emailsTo(school.student)
  expect(emails.map(({ send_after }) => send_after)).toEqual([null, null])
  expect(await emailsTo(school.mentor)).toEqual([])
  expect(await kindsOf(school.student)).toEqual(['session_canceled'])
})

test('a request waits for the digest that its mentor has chosen', async () => {
  await inTenant(school.mentor, (tx) => tx.execute(`update mentor_program set confirmation = 'mentor'`))
  await saveEmail(school.mentor, 'mentoring_request', 'daily')
  const bookingId = await book(await nextSlot(school))
  expect(await emailsTo(school.mentor)).toEqual([])
  await deliverDue(new Date(NOW.getTime() + 48 * HOUR_MS))
  expect(await subjectsTo(school.mentor)).toEqual(['Запит на зустріч: Портфоліо дизайнера'])
  await answerBooking(school.mentor, { bookingId, action: 'confirm' }, NOW)
  expect(await kindsOf(school.student)).toEqual(['session_confirmed'])
})

test('both are reminded of a confirmed session, once, at its present time only', async () => {
  const startAt = await nextSlot(school)
  const bookingId = await book(startAt)
  const job = { tenantId: school.home.tenant.id, bookingId, startAt: startAt.toISOString(), hours: 24 }
  const dayBefore = new Date(startAt.getTime() - 24 * HOUR_MS)
  await remindOfSession(job, dayBefore)
  await remindOfSession(job, dayBefore)
  for (const actor of [school.student, school.mentor]) {
    expect((await kindsOf(actor)).filter((kind) => kind === 'session_reminder')).toHaveLength(1)
    const reminders = (await subjectsTo(actor)).filter((subject) => subject.startsWith('Нагадування'))
    expect(reminders).toHaveLength(1)
  }
  const later = await nextSlot(school)
  await moveSession(school.mentor, { bookingId, startAt: later, reason: 'Відрядження' }, NOW)
  await remindOfSession({ ...job, hours: 1 }, dayBefore)
  await cancelBooking(school.mentor, { bookingId, reason: 'Хвороба' }, NOW)
  await remindOfSession({ ...job, startAt: later.toISOString() }, dayBefore)
  expect((await kindsOf(school.student)).filter((kind) => kind === 'session_reminder')).toHaveLength(1)
})

test('two reminders are planned for a confirmed time, and none for a request', async () => {
  const startAt = await nextSlot(school)
  await book(startAt)
  await inTenant(school.mentor, (tx) => tx.execute(`update mentor_program set confirmation = 'mentor'`))
  await book(await nextSlot(school), school.second)
  const { rows } = await inTenant(school.mentor, (tx) =>
    tx.execute<{ hours: number }>(sql`select data ->> 'hours' as hours from pgboss.job where name = 'mentoring.remind'
      and data ->> 'tenantId' = ${school.home.tenant.id} order by start_after`),
  )
  expect(rows.map(({ hours }) => Number(hours))).toEqual([24, 1])
})
