import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { announceToGroup, listAnnouncements, recallAnnouncement } from '#lib/course/group/announce.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { editMessage, holdMessage, recallMessage } from '#lib/outbox/changes.ts'
import { sendOutgoingMessage } from '#lib/outbox/send.ts'
import { studentSenders } from '#lib/student/message/senders.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { DAY_MS, expectRefusal, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { getMessage } from '../../../setup/parsed/outbox.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
let groupId: string
let courseId: string

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  courseId = (await publishedCourse(owner)).courseId
  groupId = await emptyGroup()
  const students = [
    await addTestMember(ours, 'STUDENT', 'olena@announce.test'),
    await addTestMember(ours, 'STUDENT', 'ihor@announce.test'),
  ]
  await changeMembers(owner, { action: 'add', groupId, studentIds: students.map(({ membershipId }) => membershipId) })
})

const emptyGroup = async () =>
  (
    await createGroup(owner, {
      courseId,
      name: 'Осіння',
      startAt: instantAt(-DAY_MS),
      endAt: null,
      timeZone: 'Europe/Kyiv',
    })
  ).groupId

const announce = (announcementId = newId(), actor = owner, group = groupId) =>
  announceToGroup(actor, { groupId: group, announcementId, subject: 'Зустріч у четвер', text: 'Чекаємо о 19:00.' })
const send = (messageId: string) =>
  sendOutgoingMessage(
    { tenantId: owner.tenantId, messageId },
    studentSenders,
    { signal: new AbortController().signal },
    () => new Date(Date.now() + 61_000),
  )
const recipients = async (messageId: string) => {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ to: string }>(sql`select "to" from mail where once_key like ${`outbox:${messageId}:%`} order by "to"`),
  )
  return rows.map(({ to }) => to)
}

test('an announcement reaches each member once', async () => {
  const id = newId()
  await Promise.all([announce(id), announce(id)])
  await send(id)
  await send(id)
  expect(await recipients(id)).toEqual(['ihor@announce.test', 'olena@announce.test'])
  expect((await auditedActions(owner, groupId)).filter((action) => action === 'group.announced')).toHaveLength(1)
  expect(await listAnnouncements(owner, { groupId })).toMatchObject([
    { id, subject: 'Зустріч у четвер', recipientCount: 2 },
  ])
})

test('a recalled announcement reaches nobody', async () => {
  const { announcementId } = await announce()
  expect(await recallAnnouncement(owner, { groupId, announcementId })).toEqual({ recalled: 2 })
  await send(announcementId)
  expect(await recipients(announcementId)).toEqual([])
})

test('a group without members cannot be emailed', async () => {
  await expectRefusal(announce(newId(), owner, await emptyGroup()), 'unprocessable', 'nobody_selected')
})

test('an expert announces, an unassigned curator and another school do not', async () => {
  const { announcementId } = await announce(newId(), ours.as.EXPERT)
  expect((await getMessage(ours.as.EXPERT, { messageId: announcementId })).recipients).toHaveLength(2)
  await expectRefusal(announce(newId(), ours.as.CURATOR), 'forbidden')
  await expectRefusal(announce(newId(), theirs.as.OWNER), 'not_found')
  await expectRefusal(recallAnnouncement(theirs.as.OWNER, { groupId, announcementId }), 'not_found')
  await expectRefusal(listAnnouncements(theirs.as.OWNER, { groupId }), 'not_found')
})

test('an expert holds, edits and recalls announcements to groups, also those of others; a curator only the own ones', async () => {
  const { announcementId: messageId } = await announce()
  await holdMessage(ours.as.EXPERT, { messageId })
  const { message, languages } = await getMessage(ours.as.EXPERT, { messageId })
  expect(message).toMatchObject({ state: 'held', subject: 'Зустріч у четвер' })
  expect(languages).toEqual([{ locale: 'uk', recipients: 2 }])
  const { revision } = message
  await editMessage(ours.as.EXPERT, { messageId, revision, subject: 'Зустріч у п’ятницю', text: 'Чекаємо о 19:00.' })
  expect(await listAnnouncements(ours.as.EXPERT, { groupId })).toContainEqual(
    expect.objectContaining({ id: messageId, subject: 'Зустріч у п’ятницю', isOpen: true, isRecallable: true }),
  )
  for (const role of ['CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
    await expectRefusal(getMessage(ours.as[role], { messageId }), 'not_found')
    await expectRefusal(recallMessage(ours.as[role], { messageId }), 'not_found')
  }
  await expectRefusal(getMessage(theirs.as.EXPERT, { messageId }), 'not_found')
  expect(await recallMessage(ours.as.EXPERT, { messageId })).toEqual({ recalled: 2 })
})
