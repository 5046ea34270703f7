import { afterAll, beforeEach, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationEmail } from '#lib/core/shared/event/live-event.ts'
import { getNotificationSettings, saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { announceRescheduled } from '#lib/registration/email/announcements.ts'
import { notifyBatch } from '#lib/registration/email/notify-members.ts'
import { listEmails, recallBatch } from '#lib/registration/email/reminder-schedule.ts'
import { sendReminders } from '#lib/registration/email/reminders.ts'
import { createWebinar, updateEvent, visitorAt } from '../../setup/meeting/events.ts'
import { listNotifications } from '../../setup/notification.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const START = new Date('2040-10-25T17:00:00Z')
const hoursBefore = (hours: number) => new Date(START.getTime() - hours * 3_600_000)

let home: TestTenant
let student: Actor
let place: Awaited<ReturnType<typeof createWebinar>>
beforeEach(async () => {
  home = await createTestTenant()
  student = home.as.STUDENT
  place = await createWebinar(home.as.OWNER, { title: 'Вступ', startAt: START.toISOString() })
})
afterAll(() => pool.end())

const register = (actor: Actor | null, email = student.email) =>
  registerForEvent(
    { ...visitorAt(home), actor },
    { workshopId: place.workshopId, email, name: 'Олена', timeZone: 'Europe/Kyiv' },
    hoursBefore(72),
  )
const job = () => ({ tenantId: home.tenant.id, workshopId: place.workshopId })
const remind = (kind: 'day' | 'hour') =>
  sendReminders({ ...job(), sessionId: place.sessionId, kind }, hoursBefore(kind === 'day' ? 24 : 1))
const kinds = async (actor = student) =>
  (await listNotifications(actor, { view: 'all' })).items.map(({ kind }) => kind).sort()
const subjects = async () => (await listEmailsTo(student.email, home.tenant.id)).map(({ subject }) => subject)
const emailsOff = async (topic: 'event' | 'event_reminder') => {
  const { quiet, dailyCap } = await getNotificationSettings(student)
  await saveNotificationSettings(student, {
    preferences: [{ topic, channel: 'email', frequency: 'off' }],
    quiet,
    dailyCap,
  })
}

test('a registrant who is a member is notified of the registration and of reminders once, with the same emails', async () => {
  await register(student)
  await register(student)
  for (let run = 0; run < 2; run += 1) for (const kind of ['day', 'hour'] as const) await remind(kind)
  expect(await kinds()).toEqual(['event_confirmed', 'event_day', 'event_hour'])
  const [notification] = (await listNotifications(student, { view: 'all' })).items
  expect(notification).toMatchObject({ data: { subject: 'Вступ' }, link: `/meeting/join/${place.workshopId}` })
  expect(new Set(await subjects()).size).toBe(3)
  expect(await kinds((await createOtherTenant()).as.STUDENT)).toEqual([])
})

test('a registrant without an account gets emails only', async () => {
  await register(null, 'guest@members.test')
  await remind('day')
  expect(await kinds()).toEqual([])
  expect(await listEmailsTo('guest@members.test', home.tenant.id)).toHaveLength(2)
})

test('a member who turned the emails of reminders off is reminded in the product only, also in the list of emails', async () => {
  await emailsOff('event_reminder')
  await register(student)
  await remind('day')
  await remind('day')
  expect(await kinds()).toEqual(['event_confirmed', 'event_day'])
  expect(await subjects()).toHaveLength(1)
  const { items } = await listEmails(home.as.OWNER, { workshopId: place.workshopId })
  expect(items.map(({ kind }) => kind)).toEqual(['confirmed'])
})

test('members learn of a moved event when the emails can no longer be recalled, and not when they were', async () => {
  await register(student)
  const move = async (version: number): Promise<string> => {
    await updateEvent(home.as.OWNER, place, {
      startAt: new Date(START.getTime() + version * 86_400_000),
      scheduleVersion: version,
    })
    const was = { startAt: START.toISOString(), timeZone: 'Europe/Kyiv' }
    await announceRescheduled({ ...job(), notify: true, was })
    const { items } = await listEmails(home.as.OWNER, { workshopId: place.workshopId })
    return items.find(({ kind }) => kind === ('rescheduled' satisfies RegistrationEmail))?.batchId ?? ''
  }
  const notifyOf = (batchId: string) =>
    notifyBatch({ ...job(), sessionId: place.sessionId, kind: 'rescheduled', batchId })
  const recalled = await move(2)
  expect(await kinds()).toEqual(['event_confirmed'])
  await recallBatch(home.as.OWNER, { workshopId: place.workshopId, batchId: recalled })
  await notifyOf(recalled)
  expect(await kinds()).toEqual(['event_confirmed'])
  const sent = await move(3)
  await notifyOf(sent)
  await notifyOf(sent)
  expect(await kinds()).toEqual(['event_confirmed', 'event_rescheduled'])
})
