import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { sendMessage } from '#lib/outbox/changes.ts'
import { sendOutgoingMessage } from '#lib/outbox/send.ts'
import { anonymizeDeletedStudents } from '#lib/student/bulk/anonymize.ts'
import { createStudentMessage } from '#lib/student/message/message.ts'
import { studentSenders } from '#lib/student/message/senders.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember } from '#lib/user/member.ts'
import { createWebinar, visitorAt } from '../../../setup/meeting/events.ts'
import { registerForEvent } from '../../../setup/parsed/registration.ts'
import { createOtherTenant, createTestTenant, createTestUser, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let email: string
let userId: string
let count = 0

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  email = `erased${++count}@anonymize.test`
  userId = await createTestUser(email)
})
afterAll(() => pool.end())

const join = async ({ tenant }: TestTenant) => {
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  return (await addMember(student)).membershipId
}
const rowsIn = async ({ tenant }: TestTenant, statement: string) =>
  (await inTenant({ tenantId: tenant.id }, (tx) => tx.execute(sql.raw(statement)))).rows
const deleteIn = (school: TestTenant) =>
  rowsIn(school, `update student set deleted_at = now() - interval '31 days' where user_id = '${userId}'`)
const account = async () => {
  const { rows } = await inSystem((tx) =>
    tx.execute<{ email: string; name: string }>(
      sql`select email, trim(first_name || ' ' || last_name) as name from "user" where id = ${userId}`,
    ),
  )
  return rows[0]
}
const ERASED = { name: '', email: expect.stringMatching(/@deleted\.invalid$/) }

test('a person whom one school deletes keeps the account for the other, and loses it when that deletes too', async () => {
  for (const school of [home, other]) await join(school)
  await deleteIn(home)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)
  expect(await account()).toMatchObject({ email })
  await deleteIn(other)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)
  expect(await account()).toEqual(ERASED)
})

test('a person whom two schools delete at the same time loses the account', async () => {
  for (const school of [home, other]) {
    await join(school)
    await deleteIn(school)
  }
  await Promise.all([1, 2, 3].map(() => anonymizeDeletedStudents(cardSections)))
  expect(await account()).toEqual(ERASED)
})

test('the author in another school keeps the account', async () => {
  await join(home)
  await addMember({
    tenantId: other.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    roles: ['EXPERT'],
    status: 'active',
  })
  await rowsIn(other, `update membership set removed_at = now() where user_id = '${userId}'`)
  await deleteIn(home)
  await anonymizeDeletedStudents(cardSections)
  expect(await account()).toMatchObject({ email })
})

test('emails, lists of recipients and registrations of the school keep neither name nor address', async () => {
  const studentId = await join(home)
  await join(other)
  const owner = home.as.OWNER
  for (const { tenant } of [home, other]) {
    await sendEmail({
      tenantId: tenant.id,
      to: email,
      locale: 'uk',
      subject: `Для ${email}`,
      body: { html: `<p>${email}</p>`, text: email },
    })
  }
  await rowsIn(home, `update mail set status = 'sent' where "to" = '${email}'`)
  const messageId = newId()
  await createStudentMessage(owner, {
    messageId,
    target: { studentIds: [studentId] },
    action: 'email',
    subject: 'Новини',
    text: 'Текст',
  })
  await sendMessage(owner, { messageId })
  const { signal } = new AbortController()
  const data = { tenantId: owner.tenantId, messageId }
  await sendOutgoingMessage(data, studentSenders, { signal }, () => new Date(Date.now() + 61_000))
  const { workshopId } = await createWebinar(owner, { startAt: new Date(Date.now() + DAY_MS).toISOString() })
  await registerForEvent(visitorAt(home), { workshopId, name: 'Олена Гостя', email })
  await deleteIn(home)
  expect(await anonymizeDeletedStudents(cardSections)).toBe(1)

  const textIn = async (school: TestTenant, table: string) =>
    JSON.stringify(await rowsIn(school, `select t.* from ${table} t`))
  for (const table of ['mail', 'outgoing_recipient', 'registration', 'workshop_participant', 'invitation', 'student']) {
    const text = await textIn(home, table)
    expect(text, table).not.toContain(email)
    expect(text, table).not.toContain('Олена Гостя')
  }
  expect(await rowsIn(home, 'select 1 from registration')).toHaveLength(1)
  expect(await rowsIn(home, `select 1 from mail where status = 'queued' and "to" like 'erased%'`)).toEqual([])
  expect(await textIn(other, 'mail')).toContain(email)
})
