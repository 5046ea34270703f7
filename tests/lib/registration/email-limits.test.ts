import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { announceCanceled } from '#lib/registration/email/announcements.ts'
import { getReminderSchedule, listEmails } from '#lib/registration/email/reminder-schedule.ts'
import { sendReminders } from '#lib/registration/email/reminders.ts'
import { requestNextEventEmail } from '#lib/registration/next-event-request.ts'
import { readOwnRegistration } from '#lib/registration/own-registration.ts'
import { resendEmailOf } from '#lib/registration/registrants/decisions.ts'
import { createWebinar, listRegistrants, updateEvent, visitorAt } from '../../setup/meeting/events.ts'
import {
  addRegistration,
  importRegistrations,
  listRegistrations,
  registerForEvent,
} from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const NOW = new Date('2026-10-20T10:00:00Z')
const START = '2026-10-25T17:00:00Z'
const person = (name: string) => ({ email: `${name}-${randomUUID().slice(0, 8)}@visitor.test`, name })

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})
afterAll(() => pool.end())

test('an unverified address gets at most fifteen emails an hour, over all events and networks', async () => {
  const workshops: { workshopId: string }[] = []
  for (let n = 0; n < 4; n++) workshops.push(await createWebinar(home.as.OWNER, { startAt: START }))
  const victim = person('victim')
  const tries = Array.from({ length: 24 }, (_, n) => {
    const visitor = { ...visitorAt(home), address: `10.77.0.${n}` }
    return registerForEvent(visitor, { workshopId: workshops[n % 4]?.workshopId ?? '', ...victim }, NOW)
  })
  const answers = await Promise.allSettled(tries)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
  expect(answers.find((answer) => answer.status === 'rejected')).toMatchObject({
    reason: { code: 'too_many', details: { fields: { form: ['emails_exhausted'] } } },
  })
  expect((await listEmailsTo(victim.email, home.tenant.id)).length).toBeLessThanOrEqual(15)
  // A signed-in user has a verified address.
  const student = { ...visitorAt(home), actor: { ...home.as.STUDENT, email: victim.email } }
  const own = await registerForEvent(student, { workshopId: workshops[0]?.workshopId ?? '', ...victim }, NOW)
  expect(own.state).toBe('confirmed')
})

test('requests for the next event are limited per mailbox and by the budget of unconfirmed emails', async () => {
  const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
  const request = (email: string, address: string) =>
    requestNextEventEmail({ ...visitorAt(home), address }, { workshopId, email }, NOW)
  const box = randomUUID().slice(0, 8)
  // Tags of one mailbox are one mailbox.
  const tries = Array.from({ length: 17 }, (_, n) => request(`${box}+${n}@gmail.com`, `10.78.0.${n}`))
  const answers = await Promise.allSettled(tries)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
  await pool.query(`update throttle set count = 500, blocked_until = now() + interval '1 day'
    where key like 'unconfirmed:own:network:%'`)
  await expect(request(`${box}@visitor.test`, '10.78.0.1')).rejects.toMatchObject({
    code: 'too_many',
    details: { fields: { form: ['emails_exhausted'] } },
  })
  // A registration counts too, and succeeds without an email.
  const late = person('late')
  const visitor = { ...visitorAt(home), address: '10.78.0.1' }
  expect(await registerForEvent(visitor, { workshopId, ...late }, NOW)).toMatchObject({ state: 'confirmed' })
  expect(await listEmailsTo(late.email, home.tenant.id)).toEqual([])
  await pool.query(`delete from throttle where key like 'unconfirmed:%'`)
})

test('staff emails stop at the daily limit; skipped rows are reported', async () => {
  const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
  const known = person('known')
  await addRegistration(home.as.OWNER, { workshopId, ...known }, NOW)
  await pool.query(`update throttle set count = 498 where key like 'emails:registrations:%'`)
  const text = [known.email, 'day-1@list.test', 'wrong', 'day-2@list.test', 'day-3@list.test'].join('\n')
  const { lines, resetsAt } = await importRegistrations(home.as.OWNER, { workshopId, text }, NOW)
  expect(lines.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'known'],
    [2, 'added'],
    [3, 'invalid'],
    [4, 'added'],
    [5, 'later'],
  ])
  expect(Math.abs((resetsAt?.getTime() ?? 0) - Date.now() - 86_400_000)).toBeLessThan(600_000)
  expect((await listRegistrants(home.as.OWNER, workshopId)).has('day-3@list.test')).toBe(false)
  expect(await listEmailsTo('day-3@list.test', home.tenant.id)).toEqual([])
  const refused = { code: 'too_many', details: { fields: { form: ['emails_of_day'] }, data: { left: 0 } } }
  await expect(addRegistration(home.as.OWNER, { workshopId, ...person('one') }, NOW)).rejects.toMatchObject(refused)
  const { items } = await listRegistrations(home.as.OWNER, { workshopId, search: known.email })
  const resent = resendEmailOf(home.as.OWNER, { workshopId, registrationId: items[0]?.id ?? '' }, NOW)
  await expect(resent).rejects.toMatchObject(refused)
  const unknown = resendEmailOf(home.as.OWNER, { workshopId, registrationId: randomUUID() }, NOW)
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  // Registrations by the participants themselves are not counted, and the budget is per school.
  expect(await registerForEvent(visitorAt(home), { workshopId, ...person('self') }, NOW)).toMatchObject({
    state: 'confirmed',
  })
})

test('reminders to unconfirmed addresses spend the same budgets, and the refused ones are shown to staff', async () => {
  const school = await createTestTenant()
  const { workshopId, sessionId } = await createWebinar(school.as.OWNER, { startAt: START })
  const visitor = { ...visitorAt(school), address: '10.79.0.1' }
  const people = [person('first'), person('second'), person('clicked')]
  for (const guest of people) await registerForEvent(visitor, { workshopId, ...guest }, NOW)
  const [first, second, clicked] = people.map(({ email }) => email)
  // The budget is spent except for one; who has used the link is confirmed, and not counted.
  const key = (await listRegistrants(school.as.OWNER, workshopId)).get(clicked ?? '')?.key ?? ''
  await readOwnRegistration(school.tenant.id, { workshopId, key }, NOW)
  await pool.query('update throttle set count = 499 where key = $1', [`unconfirmed:own:school:${school.tenant.id}`])
  const day = { tenantId: school.tenant.id, workshopId, sessionId, kind: 'day' } as const
  expect(await sendReminders(day, new Date('2026-10-24T17:00:00Z'))).toBe(2)
  const received = async (email = '') => (await listEmailsTo(email, school.tenant.id)).length
  const unconfirmed = [await received(first), await received(second)]
  expect(unconfirmed.sort()).toEqual([1, 2])
  expect(await received(clicked)).toBe(2)
  // Every other email without an action counts too; nothing is sent twice or silently dropped.
  const canceled = { tenantId: school.tenant.id, workshopId, notify: true }
  await updateEvent(school.as.OWNER, { workshopId, sessionId }, { canceledAt: NOW })
  expect(await announceCanceled(canceled, NOW)).toBe(1)
  expect(await received(clicked)).toBe(3)
  const { entries, refused } = await getReminderSchedule(school.as.OWNER, { workshopId }, NOW)
  expect(refused).toBe(3)
  expect(entries.find(({ kind }) => kind === 'day')).toMatchObject({ sent: 2, refused: 1 })
  const { items } = await listEmails(school.as.OWNER, { workshopId })
  expect(
    items
      .filter(({ state }) => state === 'refused')
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['canceled', 'canceled', 'day'])
  const list = await listRegistrations(school.as.OWNER, { workshopId })
  const counts = list.items.map(({ email, refusedEmails }) => [email, refusedEmails] as const)
  expect(Object.fromEntries(counts)[clicked ?? '']).toBe(0)
  expect(counts.map(([, count]) => count).sort()).toEqual([0, 1, 2])
})
