import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { cancelScheduled, editScheduled, listScheduled, scheduleChatMessage } from '#lib/chat/scheduled/scheduled.ts'
import { SCHEDULED_LIMIT, ScheduleMessage } from '#lib/chat/scheduled/schema.ts'
import { sendScheduled } from '#lib/chat/scheduled/send-scheduled.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { chatCourse, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
let direct: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  direct = await startDirect(home.as.CURATOR, home.as.STUDENT)
})

const code = (name: string) => expect.objectContaining({ code: name })
const NOW = new Date('2031-05-01T10:00:00Z')
const DUE = '2031-05-02T09:00:00Z'
const AT_DUE = new Date(DUE)

function schedule(actor: Actor, conversationId: string, more: Partial<ScheduleMessage> = {}) {
  const messageId = newId()
  const input = { conversationId, messageId, body: 'Нагадую про ефір', sendAt: DUE, ...more }
  return scheduleChatMessage(actor, ScheduleMessage.parse(input), NOW)
}
const run = (messageId: string, now = AT_DUE) => sendScheduled({ tenantId: home.tenant.id, messageId }, now)
const bodies = async (actor: Actor, conversationId: string) =>
  (await listMessages(actor, { conversationId })).messages.map(({ body }) => body)

test('a scheduled message is sent once at its time, by whichever process', async () => {
  const { CURATOR, STUDENT } = home.as
  const { messageId } = await schedule(CURATOR, direct)
  expect(await schedule(CURATOR, direct, { messageId })).toMatchObject({ messageId })
  const { rows } = await inTenant(CURATOR, (tx) =>
    tx.execute<{ at: string }>(sql`select start_after as at from pgboss.job where name = 'chat.sendScheduled'
      and singleton_key like ${`${messageId}%`}`),
  )
  expect(rows.map(({ at }) => new Date(at))).toEqual([AT_DUE])
  await run(messageId, NOW)
  expect(await bodies(STUDENT, direct)).toEqual([])
  await Promise.all([run(messageId), run(messageId), run(messageId)])
  await run(messageId)
  expect(await bodies(STUDENT, direct)).toEqual(['Нагадую про ефір'])
  expect((await listScheduled(CURATOR, { conversationId: direct })).messages).toEqual([])
})

test('until then it can be changed and canceled, afterwards not', async () => {
  const { CURATOR, STUDENT } = home.as
  const { messageId } = await schedule(CURATOR, direct)
  const sendAt = '2031-05-03T09:00:00Z'
  await editScheduled(CURATOR, { messageId, body: 'Інший текст', sendAt }, NOW)
  await run(messageId)
  expect(await bodies(STUDENT, direct)).toEqual([])
  await run(messageId, new Date(sendAt))
  expect(await bodies(STUDENT, direct)).toEqual(['Інший текст'])
  await expect(editScheduled(CURATOR, { messageId, body: 'x', sendAt }, NOW)).rejects.toEqual(code('not_found'))
  await expect(cancelScheduled(CURATOR, { messageId })).rejects.toEqual(code('not_found'))
  const second = await schedule(CURATOR, direct)
  await cancelScheduled(CURATOR, { messageId: second.messageId })
  await run(second.messageId)
  expect(await bodies(STUDENT, direct)).toHaveLength(1)
})

test('a message that is sent and canceled at the same time is one of both', async () => {
  const { CURATOR, STUDENT } = home.as
  for (let n = 0; n < 8; n += 1) {
    const { messageId } = await schedule(CURATOR, direct, { body: `Повідомлення ${n}` })
    const before = (await bodies(STUDENT, direct)).length
    const [canceled] = await Promise.allSettled([cancelScheduled(CURATOR, { messageId }), run(messageId)])
    const sent = (await bodies(STUDENT, direct)).length - before
    expect(sent).toBe(canceled.status === 'fulfilled' ? 0 : 1)
  }
})

test('a message whose author may not write there any more waits for the author', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const { messageId } = await schedule(STUDENT, course)
  const target = { studentIds: [STUDENT.membershipId] }
  await changeAccess(OWNER, { courseId, target, change: { action: 'revoke' }, note: '' })
  await run(messageId)
  await run(messageId)
  expect(await bodies(CURATOR, course)).toEqual([])
  const { rows } = await inTenant(STUDENT, (tx) =>
    tx.execute(sql`select failure from chat_scheduled_message where id = ${messageId}`),
  )
  expect(rows).toEqual([{ failure: 'forbidden' }])
})

test('a time that has passed or is too far away is refused, and so are too many', async () => {
  const { CURATOR } = home.as
  const refused = (reason: string) =>
    expect.objectContaining({ details: expect.objectContaining({ fields: { sendAt: [reason] } }) })
  await expect(schedule(CURATOR, direct, { sendAt: '2031-05-01T10:00:00Z' })).rejects.toEqual(refused('date_in_past'))
  await expect(schedule(CURATOR, direct, { sendAt: '2033-05-01T10:00:00Z' })).rejects.toEqual(
    refused('schedule_too_late'),
  )
  expect(
    ScheduleMessage.safeParse({ conversationId: direct, messageId: newId(), body: ' ', sendAt: DUE }).success,
  ).toBe(false)
  for (let n = 0; n < SCHEDULED_LIMIT; n += 1) await schedule(CURATOR, direct)
  await expect(schedule(CURATOR, direct)).rejects.toMatchObject({ code: 'unprocessable' })
})

test('planned messages are seen and changed by their author only', async () => {
  const { CURATOR, STUDENT, OWNER } = home.as
  const { messageId } = await schedule(CURATOR, direct)
  const { as } = await createOtherTenant()
  expect((await listScheduled(STUDENT, { conversationId: direct })).messages).toEqual([])
  for (const actor of [STUDENT, OWNER, as.CURATOR]) {
    await expect(cancelScheduled(actor, { messageId })).rejects.toEqual(code('not_found'))
    await expect(editScheduled(actor, { messageId, body: 'x', sendAt: DUE }, NOW)).rejects.toEqual(code('not_found'))
  }
  await expect(schedule(as.CURATOR, direct)).rejects.toEqual(code('not_found'))
  await expect(schedule(STUDENT, direct, { messageId })).rejects.toEqual(code('conflict'))
})
