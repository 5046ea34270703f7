import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { listUnreadMembers } from '#lib/chat/notify-members/audience.ts'
import { listReaders } from '#lib/chat/readers.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { addGrant } from '#lib/course/access/grants.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { assignCurator, giveAccess, sendText, start, startDirect } from '../../../setup/chat/conversations.ts'
import { getConversation, listConversations } from '../../../setup/chat/parsed-chat.ts'
import { instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const DAY_MS = 86_400_000
const day = (offset: number) => instantAt(offset * DAY_MS)

let home: TestTenant
let courseId: string
let lessonId: string
let conversationId: string
beforeAll(async () => {
  home = await createTestTenant()
})
beforeEach(async () => {
  // Access to the course of another test would also permit to write to its curator.
  await execute(sql`delete from access_grant`)
  const made = await publishedCourse(home.as.OWNER)
  courseId = made.courseId
  lessonId = made.lessonIds[0] ?? ''
  await assignCurator(home.as.CURATOR, courseId)
  conversationId = await start(home.as.CURATOR, { kind: 'course', courseId })
  await sendText(home.as.CURATOR, conversationId, 'Вітаю!')
})

const execute = (statement: ReturnType<typeof sql>) => inTenant(home.as.OWNER, (tx) => tx.execute(statement))
const setGrant = (columns: ReturnType<typeof sql>) =>
  execute(sql`update access_grant set ${columns} where course_id = ${courseId}`)
const isDone = (action: Promise<unknown>) =>
  action.then(
    () => true,
    () => false,
  )

/** Whether the lesson and each use of the chat of the course are open to the student. */
async function readState() {
  const { STUDENT, CURATOR } = home.as
  const studentId = STUDENT.membershipId
  const view = await openLesson(STUDENT, { lessonId }).catch(() => null)
  const { items } = await listConversations(STUDENT, {})
  const { readers } = await listReaders(CURATOR, { conversationId, search: '' })
  const unread = await inTenant(CURATOR, (tx) => listUnreadMembers(tx, { conversationId, fromSeq: 1 }))
  return {
    lesson: view?.access.allow ?? false,
    listed: items.some(({ id }) => id === conversationId),
    opened: await isDone(getConversation(STUDENT, { conversationId })),
    mentioned: readers.some(({ memberId }) => memberId === studentId),
    notified: unread.some(({ memberId }) => memberId === studentId),
    writesToCurator: await isDone(startDirect(STUDENT, CURATOR)),
    posted: await isDone(sendText(STUDENT, conversationId, 'Питання')),
  }
}
const all = (isOpen: boolean) => ({
  lesson: isOpen,
  listed: isOpen,
  opened: isOpen,
  mentioned: isOpen,
  notified: isOpen,
  writesToCurator: isOpen,
  posted: isOpen,
})

test('access opens the lessons and the chat of a course', async () => {
  await giveAccess(home.as.STUDENT, courseId)
  await setGrant(sql`starts_at = ${day(-60)}`)
  expect(await readState()).toEqual(all(true))
})

test.each([
  ['has ended', day(-40), day(-1)],
  ['has not begun', day(1), day(40)],
])('a study group that %s closes the lessons and the chat', async (_, startAt, endAt) => {
  const { OWNER, STUDENT } = home.as
  const groupId = newId()
  await inTenant(OWNER, async (tx) => {
    const dates = { startAt: new Date(day(-40)), endAt: new Date(day(40)) }
    await tx.insert(studyGroup).values({ tenantId: OWNER.tenantId, id: groupId, courseId, name: 'Осінь', ...dates })
    const source = { type: 'group', id: groupId } as const
    await addGrant(tx, OWNER, { courseId, studentId: STUDENT.membershipId, source })
    await tx.update(studyGroup).set({ startAt: new Date(startAt), endAt: new Date(endAt) })
  })
  expect(await readState()).toEqual(all(false))
})

test.each([
  ['has ended', sql`access_end = ${day(-1)}`],
  ['has not begun', sql`access_start = ${day(1)}`],
])('a course whose period of access %s closes the lessons and the chat', async (_, columns) => {
  await giveAccess(home.as.STUDENT, courseId)
  await execute(sql`update course set ${columns} where id = ${courseId}`)
  expect(await readState()).toEqual(all(false))
})

test('a freeze closes the lessons and the chat', async () => {
  await giveAccess(home.as.STUDENT, courseId)
  await setGrant(sql`frozen = ${JSON.stringify([{ from: day(-4), to: null }])}::jsonb`)
  expect(await readState()).toEqual(all(false))
})

test('an end that a freeze has moved leaves the lessons and the chat open', async () => {
  await giveAccess(home.as.STUDENT, courseId)
  await setGrant(sql`starts_at = ${day(-60)}, ends_at = ${day(-1)},
    frozen = ${JSON.stringify([{ from: day(-40), to: day(-20) }])}::jsonb`)
  expect(await readState()).toEqual(all(true))
})
