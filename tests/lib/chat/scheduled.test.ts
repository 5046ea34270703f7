import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { openChatFile, sweepUnsentFiles } from '#lib/chat/file/files.ts'
import { leaveConversation } from '#lib/chat/membership.ts'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { listThread } from '#lib/chat/message/thread.ts'
import { banMember } from '#lib/chat/moderation/bans.ts'
import { deleteOldMessages } from '#lib/chat/retention/retention.ts'
import { cancelScheduled, editScheduled, listScheduled, scheduleChatMessage } from '#lib/chat/scheduled/scheduled.ts'
import { SCHEDULED_LIMIT, ScheduleMessage } from '#lib/chat/scheduled/schema.ts'
import { removeUnsentMessages, sendScheduled } from '#lib/chat/scheduled/send-scheduled.ts'
import { ListThread, UpdateChatSettings } from '#lib/chat/schema.ts'
import { updateChatSettings } from '#lib/chat/settings.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { uploadTo } from '../../setup/chat/chat-files.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { listNotifications } from '../../setup/notification.ts'
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

const isStored = async (fileId: string) => {
  const { rows } = await inTenant(home.as.OWNER, (tx) =>
    tx.execute(sql`select 1 from chat_file where file_id = ${fileId}`),
  )
  return rows.length > 0
}

test('files wait for the message, are sent with it, and belong to no other message until then', async () => {
  const { CURATOR, STUDENT } = home.as
  const fileIds = [await uploadTo(CURATOR, direct), await uploadTo(CURATOR, direct)]
  const { messageId, files } = await schedule(CURATOR, direct, { body: '', fileIds })
  expect(files.map(({ id }) => id)).toEqual(fileIds)
  expect(await schedule(CURATOR, direct, { messageId, body: '', fileIds })).toMatchObject({ messageId })
  await expect(sendText(CURATOR, direct, 'x', { fileIds })).rejects.toEqual(code('unprocessable'))
  await expect(schedule(CURATOR, direct, { fileIds })).rejects.toEqual(code('unprocessable'))
  // Unsent uploads are deleted after a day, those of planned messages are not.
  await sweepUnsentFiles(new Date(Date.now() + 30 * DAY_MS))
  await expect(openChatFile(STUDENT, { fileId: fileIds[0] ?? '' })).rejects.toEqual(code('not_found'))
  await Promise.all([run(messageId), run(messageId)])
  const { messages } = await listMessages(STUDENT, { conversationId: direct })
  expect(messages.map(({ attachment, files: sent }) => [attachment, sent.map(({ id }) => id)])).toEqual([
    ['file', fileIds],
  ])
  expect(await openChatFile(STUDENT, { fileId: fileIds[0] ?? '' })).toContain(fileIds[0])
})

test('a voice message is planned as one; a message with neither text nor files is not', async () => {
  const { CURATOR, STUDENT } = home.as
  const fileIds = [await uploadTo(CURATOR, direct)]
  const { messageId } = await schedule(CURATOR, direct, { body: '', fileIds, isVoice: true })
  const edit = (input: object) => editScheduled(CURATOR, { messageId, body: '', sendAt: DUE, ...input }, NOW)
  await expect(edit({ fileIds: [] })).rejects.toEqual(code('unprocessable'))
  expect(await edit({})).toMatchObject({ isVoice: true, files: [{ id: fileIds[0] }] })
  await run(messageId)
  expect((await listMessages(STUDENT, { conversationId: direct })).messages).toMatchObject([{ attachment: 'voice' }])
})

test('files are taken away by a change, and deleted with a canceled message', async () => {
  const { CURATOR, STUDENT } = home.as
  const fileIds = [await uploadTo(CURATOR, direct), await uploadTo(CURATOR, direct)]
  const [first = '', second = ''] = fileIds
  const { messageId } = await schedule(CURATOR, direct, { fileIds })
  expect(await editScheduled(CURATOR, { messageId, body: 'x', fileIds: [second], sendAt: DUE }, NOW)).toMatchObject({
    files: [{ id: second }],
  })
  expect([await isStored(first), await isStored(second)]).toEqual([false, true])
  await cancelScheduled(CURATOR, { messageId })
  await run(messageId)
  expect([await isStored(second), await bodies(STUDENT, direct)]).toEqual([false, []])
})

test('a message whose file is gone is not sent without it; its author is notified and sends it without', async () => {
  const { CURATOR, STUDENT } = home.as
  const [kept = '', gone = ''] = [await uploadTo(CURATOR, direct), await uploadTo(CURATOR, direct)]
  const { messageId } = await schedule(CURATOR, direct, { fileIds: [kept, gone] })
  await inTenant(CURATOR, (tx) =>
    tx.execute(sql`update file set deleted_at = now(), deleted_with = id where id = ${gone}`),
  )
  for (const _ of [1, 2]) await run(messageId)
  expect(await bodies(STUDENT, direct)).toEqual([])
  const { messages } = await listScheduled(CURATOR, {})
  expect(messages).toMatchObject([{ failure: 'file_missing', files: [{ id: kept }] }])
  expect((await listNotifications(CURATOR, {})).items).toMatchObject([{ kind: 'chat_not_sent', count: 1 }])
  await editScheduled(CURATOR, { messageId, body: 'Без файлу', fileIds: [kept], sendAt: DUE }, NOW)
  await run(messageId)
  expect(await bodies(STUDENT, direct)).toEqual(['Без файлу'])
})

test('an author who lost access still sees the message, which is deleted with its files after thirty days', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const fileId = await uploadTo(STUDENT, course)
  // Those of the other tests.
  await removeUnsentMessages(new Date(AT_DUE.getTime() + 40 * DAY_MS))
  const { messageId } = await schedule(STUDENT, course, { fileIds: [fileId] })
  const target = { studentIds: [STUDENT.membershipId] }
  await changeAccess(OWNER, { courseId, target, change: { action: 'revoke' }, note: '' })
  await run(messageId)
  await expect(listScheduled(STUDENT, { conversationId: course })).rejects.toEqual(code('not_found'))
  expect((await listScheduled(STUDENT, {})).messages).toMatchObject([
    { messageId, failure: 'forbidden', body: 'Нагадую про ефір' },
  ])
  expect((await listScheduled(CURATOR, {})).messages).toEqual([])
  const after = (days: number) => new Date(AT_DUE.getTime() + days * DAY_MS)
  expect([await removeUnsentMessages(after(29)), await isStored(fileId)]).toEqual([0, true])
  expect([await removeUnsentMessages(after(31)), await isStored(fileId)]).toEqual([1, false])
  expect((await listScheduled(STUDENT, {})).messages).toEqual([])
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

test('a planned reply is sent to the thread, also after the message that it answers was deleted', async () => {
  const { CURATOR, STUDENT } = home.as
  await sendText(STUDENT, direct, 'Запитання')
  await sendText(CURATOR, direct, 'Відповідь', { replyTo: 1 })
  const first = await schedule(CURATOR, direct, { replyTo: 2 })
  expect(first.reply).toEqual({ seq: 2, threadSeq: 1, author: 'curator Тест', body: 'Відповідь' })
  const second = await schedule(CURATOR, direct, { replyTo: 1 })
  expect((await schedule(CURATOR, direct)).reply).toBeNull()
  await run(first.messageId)
  await deleteChatMessage(STUDENT, { conversationId: direct, seq: 1 })
  const { messages } = await listScheduled(CURATOR, { conversationId: direct })
  expect(messages.map(({ reply }) => reply)).toEqual([{ seq: 1, threadSeq: 1, author: 'student Тест', body: '' }, null])
  await run(second.messageId)
  const thread = await listThread(STUDENT, ListThread.parse({ conversationId: direct, seq: 1 }))
  expect(thread.messages.map(({ seq, reply }) => [seq, reply?.seq])).toEqual([
    [1, undefined],
    [2, 1],
    [3, 2],
    [4, 1],
  ])
})

test('a planned reply to a message that its age has deleted is sent without it', async () => {
  const { CURATOR, STUDENT, OWNER } = home.as
  await sendText(STUDENT, direct, 'Давнє запитання')
  const { messageId } = await schedule(CURATOR, direct, { replyTo: 1 })
  await inTenant(CURATOR, (tx) => tx.execute(sql`update chat_message set created_at = now() - interval '100 days'`))
  await updateChatSettings(OWNER, UpdateChatSettings.parse({ retentionDays: 90 }))
  await deleteOldMessages(new Date())
  await run(messageId)
  expect((await listMessages(STUDENT, { conversationId: direct })).messages).toMatchObject([
    { seq: 2, body: 'Нагадую про ефір', reply: null, threadSeq: null },
  ])
})

test('a reply of an author who was banned, has left or was blocked meanwhile waits, and shows nothing of the thread', async () => {
  const { CURATOR, STUDENT, MENTOR } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const memberIds = [MENTOR.membershipId]
  const team = await start(CURATOR, { kind: 'team', title: 'Куратори', conversationId: newId(), memberIds })
  for (const id of [course, team]) await sendText(CURATOR, id, 'Запитання')
  const banned = await schedule(STUDENT, course, { replyTo: 1 })
  const left = await schedule(MENTOR, team, { replyTo: 1 })
  const blocked = await schedule(CURATOR, team, { replyTo: 1 })
  await banMember(CURATOR, { conversationId: course, memberId: STUDENT.membershipId })
  await leaveConversation(MENTOR, { conversationId: team })
  await inTenant(CURATOR, (tx) =>
    tx.execute(sql`update membership set blocked_at = now() where id = ${CURATOR.membershipId}`),
  )
  for (const { messageId } of [banned, left, blocked]) await run(messageId)
  const { rows } = await inTenant(CURATOR, (tx) => tx.execute(sql`select failure from chat_scheduled_message`))
  expect(rows).toEqual([1, 2, 3].map(() => ({ failure: 'forbidden' })))
  const { rows: sent } = await inTenant(CURATOR, (tx) => tx.execute(sql`select 1 from chat_message where seq > 1`))
  expect(sent).toEqual([])
  for (const [actor, { messageId }] of [
    [STUDENT, banned],
    [MENTOR, left],
  ] as const)
    expect((await listScheduled(actor, {})).messages).toMatchObject([{ messageId, reply: null, failure: 'forbidden' }])
})
