import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { deliverDue } from '#lib/notification/delivery/deliver.ts'
import type { NewNotification } from '#lib/notification/new-notification.ts'
import { countUnread, markRead } from '#lib/notification/notification.ts'
import { notify } from '#lib/notification/notify.ts'
import { listMutes, muteSubject, unmuteSubject } from '#lib/notification/settings/mute.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { getUnsubscribePage, saveEmailTopics, unsubscribe } from '#lib/notification/settings/unsubscribe.ts'
import { readUnsubscription, signUnsubscription } from '#lib/notification/settings/unsubscribe-token.ts'
import { requestApi } from '../../api/api-request.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { listNotifications } from '../../setup/notification.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let student: Actor
let owner: Actor
beforeEach(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  student = home.as.STUDENT
  owner = home.as.OWNER
})

// Noon in Kyiv.
const NOON = new Date('2026-11-25T10:00:00Z')
const NINE = new Date('2026-11-26T07:00:00Z')

let keys = 0
function add(actor: Actor, more: Partial<NewNotification> = {}, now = NOON): Promise<void> {
  keys += 1
  const added = {
    kind: 'homework_accepted',
    memberIds: [actor.membershipId],
    key: `key-${keys}`,
    data: { subject: `Завдання ${keys}` },
    link: '/course/lesson/1',
  } as const
  return inTenant(actor, (tx) => notify(tx, { ...added, ...more }, now))
}

interface Email extends Record<string, unknown> {
  subject: string
  text: string
  unsubscribe: string
  send_after: string | null
}
const emailsTo = async (actor: Actor) => {
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<Email>(
      `select subject, text, unsubscribe, send_after from mail where "to" = '${actor.email}' order by created_at, id`,
    ),
  )
  return rows
}
type Settings = Parameters<typeof saveNotificationSettings>[1]
const save = (actor: Actor, more: Partial<Settings>) =>
  saveNotificationSettings(actor, { preferences: [], quiet: null, dailyCap: 10, ...more })
const daily = { topic: 'homework_result', channel: 'email', frequency: 'daily' } as const
const tokenOf = (url: string) => url.split('/').at(-1) ?? ''

test('an email is sent at once with the header to unsubscribe, and once a cause', async () => {
  await add(student, { key: 'one' })
  await add(student, { key: 'one' })
  const [email, ...more] = await emailsTo(student)
  expect(more).toEqual([])
  expect(email?.unsubscribe).toContain('/v1/unsubscribe/')
  expect(email?.text).toContain('/unsubscribe/')
})

test('a digest contains what was not read, with one line a group, and is sent once by two processes', async () => {
  await save(student, { preferences: [daily, { ...daily, topic: 'homework_message' }] })
  await add(student, { data: { subject: 'Прочитана' } })
  await markRead(student, {})
  await add(student, { data: { subject: 'Перша' } })
  for (const key of ['a', 'b'])
    await add(student, { key, kind: 'homework_message', groupKey: 'g', data: { subject: 'Друга' } })
  await deliverDue(NOON)
  expect(await emailsTo(student)).toEqual([])
  await Promise.all([deliverDue(NINE), deliverDue(NINE)])
  await deliverDue(NINE)
  const [digest, ...more] = await emailsTo(student)
  expect(more).toEqual([])
  expect(digest?.subject).toBe('2 нові сповіщення')
  expect(digest?.text).toContain('Перша')
  expect(digest?.text).toContain('2 нові повідомлення про роботу: Друга')
  expect(digest?.text).not.toContain('Прочитана')
  expect(readUnsubscription(home.tenant.id, tokenOf(digest?.unsubscribe ?? ''))?.topics).toEqual([
    'homework_result',
    'homework_message',
  ])
})

test('a delivery that fails stops no other', async () => {
  for (const actor of [student, owner]) {
    await save(actor, { preferences: [daily] })
    await add(actor)
  }
  await whileRowsFail(
    { table: 'notification_delivery', column: 'member_id', value: student.membershipId },
    async () => {
      await expect(deliverDue(NINE)).rejects.toThrow('1 of 2 items failed')
    },
  )
  expect([await emailsTo(student), await emailsTo(owner)]).toMatchObject([[], [{}]])
  await deliverDue(NINE)
  expect([await emailsTo(student), await emailsTo(owner)]).toMatchObject([[{}], [{}]])
})

test('a digest whose topic was turned off meanwhile is not sent', async () => {
  await save(student, { preferences: [daily] })
  await add(student)
  await save(student, { preferences: [{ ...daily, frequency: 'off' }] })
  await deliverDue(NINE)
  expect(await emailsTo(student)).toEqual([])
})

test('emails beyond the daily cap wait for the digest, also when they are sent concurrently', async () => {
  await save(student, { dailyCap: 3 })
  await Promise.all([1, 2, 3, 4, 5].map(() => add(student)))
  expect(await emailsTo(student)).toHaveLength(2)
  await deliverDue(NINE)
  expect((await emailsTo(student)).map(({ subject }) => subject).at(-1)).toBe('3 нові сповіщення')
  // The next day counts from 0 again.
  await add(student, {}, new Date('2026-11-26T10:00:00Z'))
  expect(await emailsTo(student)).toHaveLength(4)
})

test('an hourly digest beyond the cap waits for the daily one', async () => {
  await save(student, { dailyCap: 2, preferences: [{ ...daily, frequency: 'hourly' }] })
  await add(student)
  await deliverDue(new Date('2026-11-25T11:00:00Z'))
  await add(student, {}, new Date('2026-11-25T11:30:00Z'))
  await deliverDue(new Date('2026-11-25T12:00:00Z'))
  expect(await emailsTo(student)).toHaveLength(1)
  await deliverDue(NINE)
  expect(await emailsTo(student)).toHaveLength(2)
})

test('in quiet hours an email is scheduled for their end', async () => {
  await save(student, { quiet: { from: '22:00', until: '08:00' } })
  await add(student, {}, new Date('2026-11-25T21:00:00Z'))
  const [email] = await emailsTo(student)
  expect(new Date(email?.send_after ?? 0).toISOString()).toBe('2026-11-26T06:00:00.000Z')
})

test('a muted course is listed without counting and without an email, until it is unmuted or the time is over', async () => {
  const course = { type: 'course', id: '00000000-0000-7000-8000-00000000c001' } as const
  const group = { type: 'group', id: course.id } as const
  await muteSubject(student, course)
  await muteSubject(student, course)
  await add(student, { subjects: [group, course] })
  expect(await countUnread(student)).toBe(0)
  expect((await listNotifications(student, { view: 'all' })).items).toHaveLength(1)
  expect(await emailsTo(student)).toEqual([])
  await add(student, { subjects: [group] })
  expect(await countUnread(student)).toBe(1)
  await unmuteSubject(student, course)
  await add(student, { subjects: [course] })
  expect(await countUnread(student)).toBe(2)
  await muteSubject(student, { ...course, until: '2026-11-25T09:00:00Z' })
  await add(student, { subjects: [course] })
  expect(await countUnread(student)).toBe(3)
  expect(await listMutes(student, NOON)).toEqual([])
  await muteSubject(student, course)
  expect(await listMutes(owner)).toEqual([])
})

test('one click unsubscribes from the topic of an email without signing in; nothing else enables it again', async () => {
  await add(student)
  const [email] = await emailsTo(student)
  const input = { tenantId: home.tenant.id, token: tokenOf(email?.unsubscribe ?? '') }
  expect(await getUnsubscribePage(input)).toMatchObject({ topics: ['homework_result'] })
  await unsubscribe(input)
  await unsubscribe(input)
  await add(student)
  await add(student, { kind: 'certificate_issued' })
  expect(await emailsTo(student)).toHaveLength(2)
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute(`select 1 from audit_entry where action = 'member.emails_changed'`),
  )
  expect(rows).toHaveLength(1)
  // A membership that is accepted again keeps the choice.
  await inTenant(owner, (tx) =>
    tx.execute(`update membership set status = 'accepted', accepted_at = now() where id = '${student.membershipId}'`),
  )
  await add(student)
  expect(await emailsTo(student)).toHaveLength(2)
  await saveEmailTopics({ ...input, enabled: ['homework_result'] })
  await add(student)
  expect(await emailsTo(student)).toHaveLength(3)
})

test('a link of another school, a changed link and an unknown member are refused', async () => {
  const token = signUnsubscription(home.tenant.id, { memberId: student.membershipId, topics: ['certificate'] })
  const stranger = signUnsubscription(home.tenant.id, { memberId: other.as.STUDENT.membershipId, topics: [] })
  const changed = token.replace('certificate', 'test_result')
  for (const input of [
    { tenantId: other.tenant.id, token },
    { tenantId: home.tenant.id, token: changed },
    { tenantId: home.tenant.id, token: stranger },
    { tenantId: home.tenant.id, token: '' },
  ]) {
    await expect(unsubscribe(input)).rejects.toMatchObject({ code: 'not_found' })
    await expect(getUnsubscribePage(input)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('settings are validated, saved for the actor only, and not saved twice', async () => {
  const body = { preferences: [daily], quiet: { from: '22:00', until: '08:00' }, dailyCap: 5 }
  const call = (actor: Actor, name: string, input: object) =>
    requestApi('POST', `notification/${name}`, { actor, body: input })
  for (const wrong of [
    { ...body, dailyCap: 0 },
    { ...body, quiet: { from: '25:00', until: '08:00' } },
    { ...body, quiet: { from: '08:00', until: '08:00' } },
    { ...body, preferences: [{ ...daily, topic: 'nothing' }] },
    { ...body, preferences: [{ ...daily, channel: 'inApp' }] },
  ])
    expect((await call(student, 'saveSettings', wrong)).status).toBe(400)
  expect((await call(student, 'saveSettings', body)).status).toBe(200)
  expect((await call(student, 'saveSettings', body)).status).toBe(200)
  const read = (actor: Actor) => requestApi('GET', 'notification/getSettings', { actor })
  expect((await read(student)).body).toMatchObject({ dailyCap: 5, preferences: [daily] })
  expect((await read(owner)).body).toMatchObject({ dailyCap: 10, preferences: [] })
})

test('an email that belongs to a time is not held back by quiet hours or the daily cap', async () => {
  await save(student, { dailyCap: 2, quiet: { from: '22:00', until: '08:00' } })
  const night = new Date('2026-11-25T23:00:00Z')
  for (const key of ['a', 'b', 'c']) await add(student, { key, kind: 'session_moved' }, night)
  expect((await emailsTo(student)).map(({ send_after }) => send_after)).toEqual([null, null, null])
  await add(student, {}, night)
  expect(await emailsTo(student)).toHaveLength(3)
})

test('a digest cannot be chosen for what belongs to a time', async () => {
  const choice = { topic: 'event_reminder', channel: 'email', frequency: 'daily' } as const
  await expect(Promise.resolve().then(() => save(student, { preferences: [choice] }))).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('what has expired before its time is not sent', async () => {
  await save(student, { preferences: [daily] })
  await add(student, { expiresAt: NINE })
  await add(student, { key: 'later', expiresAt: new Date(NINE.getTime() + 1) })
  await deliverDue(NINE)
  const emails = await emailsTo(student)
  expect(emails).toHaveLength(1)
  expect(emails[0]?.text).toContain(`Завдання ${keys}`)
  expect(emails[0]?.text).not.toContain(`Завдання ${keys - 1}`)
})
