import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import type { NewNotification } from '#lib/notification/new-notification.ts'
import { countUnread, markRead, openNotification } from '#lib/notification/notification.ts'
import { notify } from '#lib/notification/notify.ts'
import { eraseNotifications, purgeNotifications } from '#lib/notification/purge.ts'
import { findActor } from '#lib/user/session.ts'
import { notificationActions } from '../../../src/pages/notifications/_notification-actions.ts'
import { requestApi } from '../../api/api-request.ts'
import { archiveNotifications, listNotifications, undoNotificationChange } from '../../setup/notification.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let student: Actor
beforeEach(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  student = home.as.STUDENT
})

let keys = 0
function add(actor: Actor, more: Partial<NewNotification> = {}): Promise<void> {
  keys += 1
  const added = {
    kind: 'homework_accepted',
    memberIds: [actor.membershipId],
    key: `key-${keys}`,
    data: { subject: `Завдання ${keys}` },
    link: '/course/lesson/1',
  } as const
  return inTenant(actor, (tx) => notify(tx, { ...added, ...more }))
}
const items = async (view: 'unread' | 'all' | 'archived' = 'unread', actor = student) =>
  (await listNotifications(actor, { view })).items
const only = async () => {
  const [item, ...more] = await items()
  if (!item || more.length > 0) throw new Error('not exactly one notification')
  return item
}

test('a cause notifies each member once, even concurrently', async () => {
  const memberIds = [student.membershipId, home.as.CURATOR.membershipId, student.membershipId]
  await Promise.all([1, 2, 3, 4].map(() => add(student, { key: 'one', memberIds })))
  expect(await countUnread(student)).toBe(1)
  expect(await countUnread(home.as.CURATOR)).toBe(1)
  await markRead(student, {})
  await add(student, { key: 'one' })
  expect(await countUnread(student)).toBe(0)
})

test('nothing is notified when the transaction of the cause is rolled back', async () => {
  const failing = inTenant(student, async (tx) => {
    const data = { subject: 'Завдання' }
    await notify(tx, { kind: 'homework_accepted', memberIds: [student.membershipId], key: 'x', data, link: '/' })
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  await add(student, { key: 'x' })
  expect(await countUnread(student)).toBe(1)
})

test('members of another tenant, blocked members and unknown ids are not notified', async () => {
  const { membershipId: blocked } = home.as.MENTOR
  await inTenant(student, (tx) => tx.execute(`update membership set blocked_at = now() where id = '${blocked}'`))
  const memberIds = [other.as.STUDENT.membershipId, blocked, '00000000-0000-7000-8000-000000000000']
  await add(student, { memberIds })
  for (const actor of [other.as.STUDENT, home.as.MENTOR]) expect(await countUnread(actor)).toBe(0)
  await add(student, { memberIds: [] })
})

test('unread notifications of a group are one with their number; after reading a new one begins', async () => {
  const group = { kind: 'homework_message', groupKey: 'thread' } as const
  for (const subject of ['a', 'b', 'c']) await add(student, { ...group, data: { subject } })
  await add(home.as.CURATOR, group)
  expect(await only()).toMatchObject({ count: 3, data: { subject: 'c' } })
  await add(student, { ...group, total: 8 })
  expect((await only()).count).toBe(8)
  const { at } = await markRead(student, {})
  await add(student, group)
  expect((await only()).count).toBe(1)
  // The undo shows both, and later causes are added to the newer one.
  await undoNotificationChange(student, { change: 'read', at })
  await add(student, group)
  expect((await items()).map(({ count }) => count)).toEqual([2, 8])
})

test('all signed-in roles have their own list, and the session has the exact unread count', async () => {
  for (const role of ROLES) {
    await add(home.as[role])
    const reply = await requestApi('GET', 'notification/listNotifications', { actor: home.as[role] })
    expect(reply).toMatchObject({ status: 200, body: { items: [{ kind: 'homework_accepted' }], next: null } })
    const host = role === 'STUDENT' ? 'go' : home.tenant.subdomain
    const count = async () => (await findActor(home.token[role], host))?.unreadNotifications
    expect(await count()).toBe(1)
    await archiveNotifications(home.as[role], { ids: [(await items('all', home.as[role]))[0]?.id ?? ''] })
    expect(await count()).toBe(0)
  }
})

test('a repeated change changes nothing, and its undo reverts exactly that change', async () => {
  for (let n = 0; n < 3; n += 1) await add(student)
  const [first, second] = (await items()).map(({ id }) => id)
  await markRead(student, { ids: [first ?? ''] })
  const all = await markRead(student, {})
  expect(all.count).toBe(2)
  expect((await markRead(student, {})).count).toBe(0)
  expect(await undoNotificationChange(student, { change: 'read', at: all.at })).toEqual({ count: 2 })
  expect(await undoNotificationChange(student, { change: 'read', at: all.at })).toEqual({ count: 0 })
  expect(await countUnread(student)).toBe(2)

  const archived = await archiveNotifications(student, { ids: [first ?? '', second ?? ''] })
  expect(archived.count).toBe(2)
  expect(await items('archived')).toHaveLength(2)
  expect(await countUnread(student)).toBe(1)
  await undoNotificationChange(student, { change: 'archived', at: archived.at })
  expect(await items('archived')).toEqual([])
  expect(await countUnread(student)).toBe(2)
})

test('the notifications of another person or tenant are neither shown nor changed', async () => {
  await add(student)
  const { id } = await only()
  for (const stranger of [home.as.OWNER, other.as.STUDENT]) {
    expect(await items('all', stranger)).toEqual([])
    await expect(markRead(stranger, { ids: [id] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(archiveNotifications(stranger, { ids: [id] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(openNotification(stranger, { notificationId: id })).rejects.toMatchObject({ code: 'not_found' })
    const { at } = await markRead(student, {})
    expect((await undoNotificationChange(stranger, { change: 'read', at })).count).toBe(0)
    await undoNotificationChange(student, { change: 'read', at })
  }
  expect(await countUnread(student)).toBe(1)
})

test('while a team member views as the student, nothing is marked as read', async () => {
  await add(student)
  const viewing = {
    ...student,
    impersonation: { memberId: home.as.OWNER.membershipId, expiresAt: new Date(), endPath: '/' },
  }
  await expect(markRead(viewing, {})).rejects.toMatchObject({ code: 'read_only' })
  expect(await items('all', viewing)).toHaveLength(1)
  expect(await countUnread(student)).toBe(1)
})

test('the list has pages, the latest first', async () => {
  for (let n = 0; n < 5; n += 1) await add(student)
  const subjects: string[] = []
  let cursor: string | undefined
  do {
    const page = await listNotifications(student, { limit: 2, cursor })
    subjects.push(...page.items.map(({ data }) => data.subject))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(subjects).toEqual([keys, keys - 1, keys - 2, keys - 3, keys - 4].map((n) => `Завдання ${n}`))
  await expect(listNotifications(student, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' })
})

test('calls without a session or with invalid input are refused', async () => {
  expect(await requestApi('GET', 'notification/countUnread')).toMatchObject({ status: 401 })
  const call = (name: string, body: object) => requestApi('POST', `notification/${name}`, { actor: student, body })
  expect(await call('archiveNotifications', { ids: [] })).toMatchObject({ status: 400 })
  expect(await call('markRead', { ids: ['1'] })).toMatchObject({ status: 400 })
  expect(await call('undoNotificationChange', { change: 'read', at: 'yesterday' })).toMatchObject({ status: 400 })
  expect(await call('openNotification', { notificationId: home.tenant.id })).toMatchObject({ status: 404 })
  await add(student)
  expect(await requestApi('GET', 'notification/countUnread', { actor: student })).toMatchObject({ body: { count: 1 } })
})

test('the forms of the page open, mark, archive and undo, and stay in their section', async () => {
  await add(student, { link: '/course/lesson/7' })
  await add(student)
  const [latest, earlier] = await items()
  const post = (intent: string, query: string, fields: [string, string][] = []) => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    const url = new URL(`http://school.test/notifications?${query}`)
    return notificationActions(student, url)[intent]?.(form)
  }
  expect(await post('open', `view=all&open=${earlier?.id}`)).toBe('/course/lesson/7')
  expect(await countUnread(student)).toBe(1)
  const marked = new URL((await post('markAllRead', 'view=all')) ?? '', 'http://school.test')
  expect(marked.href).toMatch(/view=all&saved=read&count=1&at=/)
  const at = marked.searchParams.get('at') ?? ''
  expect(
    await post('undo', 'view=all', [
      ['change', 'read'],
      ['at', at],
    ]),
  ).toBe('/notifications?view=all&saved=undone')
  expect(await countUnread(student)).toBe(1)
  expect(await post('archive', '', [['ids', latest?.id ?? '']])).toContain('saved=archived&count=1')
  await expect(post('markRead', '')).rejects.toMatchObject({ issues: [{ path: ['ids'] }] })
  await expect(post('open', 'open=other')).rejects.toMatchObject({ code: 'not_found' })
})

test('notifications are deleted after a year, and with the personal data of a member', async () => {
  await add(student)
  await add(home.as.CURATOR)
  await inTenant(student, async (tx) => {
    await tx.execute(
      `update notification set latest_at = now() - interval '366 days' where member_id = '${student.membershipId}'`,
    )
    await tx.execute(
      `update notification_cause set created_at = now() - interval '366 days' where member_id = '${student.membershipId}'`,
    )
  })
  expect(await purgeNotifications()).toBe(1)
  expect(await items('all')).toEqual([])
  expect(await countUnread(home.as.CURATOR)).toBe(1)
  await add(student)
  await inTenant(student, (tx) => eraseNotifications(tx, student.membershipId))
  const left = await inTenant(student, (tx) => tx.execute('select member_id from notification_cause'))
  expect(left.rows).toEqual([{ member_id: home.as.CURATOR.membershipId }])
})
