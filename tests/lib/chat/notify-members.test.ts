import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { notifyOfMessages } from '#lib/chat/notify-members/notify-members.ts'
import { emailUnread } from '#lib/chat/notify-members/unread-email.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countUnread, markRead } from '#lib/notification/notification.ts'
import { muteSubject } from '#lib/notification/settings/mute.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { uploadTo } from '../../setup/chat/chat-files.ts'
import { chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { getConversation, listConversations } from '../../setup/chat/parsed-chat.ts'
import { listNotifications } from '../../setup/notification.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
let lessonId: string
let student: Actor
let curator: Actor
beforeEach(async () => {
  home = await createTestTenant()
  const place = await chatCourse(home)
  courseId = place.courseId
  lessonId = place.lessonId
  student = home.as.STUDENT
  curator = home.as.CURATOR
})

const jobOf = (conversationId: string, fromSeq: number) => ({ tenantId: home.tenant.id, conversationId, fromSeq })
const notifyNow = (conversationId: string, fromSeq = 1) => notifyOfMessages(jobOf(conversationId, fromSeq))
const titles = async (actor: Actor) =>
  (await listNotifications(actor, {})).items.map(({ kind, data, count, link }) => ({ kind, ...data, count, link }))
const emailsTo = async (actor: Actor) => {
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ subject: string; text: string }>(
      `select subject, text from mail where "to" = '${actor.email}' and subject like '%повідомлен%' order by created_at`,
    ),
  )
  return rows
}
const waitingJobs = async (conversationId: string) => {
  const { rows } = await inTenant(student, (tx) =>
    tx.execute<{ name: string; data: { fromSeq: number } }>(`select name, data from pgboss.job
      where name like 'chat.%' and singleton_key = '${conversationId}' order by name`),
  )
  return rows.map(({ name, data }) => [name, data.fromSeq])
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('messages of a conversation are one notification of the reader, none of the sender', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Добрий день!')
  await sendText(student, id, 'Коли ефір?')
  expect(await waitingJobs(id)).toEqual([['chat.notify', 1]])
  await notifyNow(id)
  expect(await waitingJobs(id)).toEqual([
    ['chat.emailUnread', 1],
    ['chat.notify', 1],
  ])
  await notifyNow(id)
  const link = `/chat?conversation=${id}`
  expect(await titles(curator)).toEqual([{ kind: 'chat_message', subject: 'student Тест', count: 2, link }])
  await sendText(student, id, 'І ще одне')
  await notifyNow(id, 3)
  expect(await titles(curator)).toMatchObject([{ count: 3 }])
  expect(await countUnread(curator)).toBe(1)
  expect(await titles(student)).toEqual([])
})

test('what was read or deleted before is not notified of, and reading marks the notification as read', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Раз')
  await markConversationRead(curator, { conversationId: id, seq: 1 })
  await notifyNow(id)
  expect(await titles(curator)).toEqual([])
  await sendText(student, id, 'Два')
  await notifyNow(id, 2)
  expect(await countUnread(curator)).toBe(1)
  await sendText(curator, id, 'Відповідь')
  await markConversationRead(curator, { conversationId: id, seq: 2 })
  expect(await countUnread(curator)).toBe(0)
  await sendText(student, id, 'Помилка')
  await deleteChatMessage(student, { conversationId: id, seq: 4 })
  await notifyNow(id, 4)
  expect(await countUnread(curator)).toBe(0)
})

test('a notification is not unread when the messages are read at the same time', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Раз')
  await Promise.all([notifyNow(id), markConversationRead(curator, { conversationId: id, seq: 1 })])
  expect(await countUnread(curator)).toBe(0)
})

test('a job that is interrupted before its commit neither loses nor doubles a notification', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Раз')
  // The job has written everything and waits for the order of live updates, which the other transaction holds.
  const blocked = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const other = inTenant(curator, async (tx) => {
    await tx.execute(sql`select publish_live('test', '{}', true)`)
    begun.resolve()
    await blocked.promise
  })
  await begun.promise
  const job = notifyNow(id).then(
    () => 'done',
    () => 'interrupted',
  )
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '%publish_live%'`
  await expect
    .poll(
      async () =>
        (await inTenant(student, (tx) => tx.execute(sql`select pg_cancel_backend(pid) from (${waiting}) w`))).rowCount,
    )
    .toBe(1)
  expect(await job).toBe('interrupted')
  blocked.resolve()
  await other
  expect(await titles(curator)).toEqual([])
  await Promise.all([notifyNow(id), notifyNow(id)])
  expect(await titles(curator)).toMatchObject([{ count: 1 }])
  expect(await countUnread(curator)).toBe(1)
})

test('a muted conversation or course is listed without counting', async () => {
  const id = await startDirect(student, curator)
  await muteSubject(curator, { type: 'conversation', id })
  await sendText(student, id, 'Тихо')
  await notifyNow(id)
  await emailUnread(jobOf(id, 1))
  const question = await start(student, { kind: 'lesson', lessonId })
  await muteSubject(curator, { type: 'course', id: courseId })
  await sendText(student, question, 'Про урок')
  await notifyNow(question)
  expect(await countUnread(curator)).toBe(0)
  expect((await listNotifications(curator, { view: 'all' })).items).toHaveLength(2)
  expect(await emailsTo(curator)).toEqual([])
})

test('who is mentioned learns of it in a muted conversation too, by name and with everyone', async () => {
  const id = await start(curator, { kind: 'course', courseId })
  await muteSubject(student, { type: 'conversation', id })
  await sendText(curator, id, 'Тихо')
  await notifyNow(id)
  expect(await countUnread(student)).toBe(0)
  await sendText(curator, id, '@student Тест, гляньте', { mentions: [student.membershipId] })
  await notifyNow(id, 2)
  await emailUnread(jobOf(id, 2))
  expect(await titles(student)).toMatchObject([{ kind: 'chat_mention', count: 2 }])
  const { rows } = await inTenant(student, (tx) =>
    tx.execute(
      `select count(*)::int as count from mail where "to" = '${student.email}' and subject like 'Вас згадано%'`,
    ),
  )
  expect(rows).toEqual([{ count: 1 }])
  await markConversationRead(student, { conversationId: id, seq: 2 })
  expect(await countUnread(student)).toBe(0)
  await sendText(curator, id, '@усі, завтра ефір', { mentionsAll: true })
  await notifyNow(id, 3)
  expect(await countUnread(student)).toBe(1)
  expect(await countUnread(curator)).toBe(0)
})

test('a mention that was read, or of a person who turned mentions off, is an ordinary message', async () => {
  const id = await start(curator, { kind: 'course', courseId })
  const preferences = (['inApp', 'email', 'push', 'telegram'] as const).map((channel) => {
    return { topic: 'mention', channel, frequency: 'off' } as const
  })
  await saveNotificationSettings(student, { preferences, quiet: null, dailyCap: 10 })
  await sendText(curator, id, '@student Тест', { mentions: [student.membershipId] })
  await notifyNow(id)
  expect(await titles(student)).toMatchObject([{ kind: 'chat_message' }])
  const classmate = await addTestMember(home, 'STUDENT', 'mentioned@school.test')
  await giveAccess(classmate, courseId)
  await sendText(curator, id, '@mentioned Тест', { mentions: [classmate.membershipId] })
  await markConversationRead(classmate, { conversationId: id, seq: 2 })
  await sendText(curator, id, 'І ще одне')
  await notifyNow(id, 2)
  expect(await titles(classmate)).toMatchObject([{ kind: 'chat_message', count: 1 }])
})

test('a question about a lesson reaches the curator, and the answer the student, each with its name', async () => {
  const id = await start(student, { kind: 'lesson', lessonId })
  await sendText(student, id, 'Не відкривається відео')
  await notifyNow(id)
  expect(await titles(curator)).toMatchObject([{ subject: 'student Тест', context: expect.any(String) }])
  expect(await titles(home.as.DIRECTOR)).toEqual([])
  await sendText(curator, id, 'Оновіть сторінку')
  await notifyNow(id, 2)
  expect(await titles(student)).toMatchObject([{ context: 'curator Тест' }])
})

test('the conversation of a course reaches students with access and the staff', async () => {
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  const stranger = await addTestMember(home, 'STUDENT', 'stranger@school.test')
  await giveAccess(classmate, courseId)
  const id = await start(curator, { kind: 'course', courseId })
  await sendText(curator, id, 'Вітаю на курсі')
  await notifyNow(id)
  for (const actor of [student, classmate]) expect(await countUnread(actor)).toBe(1)
  for (const actor of [stranger, curator, home.as.DIRECTOR]) expect(await countUnread(actor)).toBe(0)
  // Who gets access later is not notified of what was written before.
  await giveAccess(stranger, courseId)
  await notifyNow(id)
  expect(await countUnread(stranger)).toBe(0)
})

test('a request to the support reaches the managers', async () => {
  const id = await start(student, { kind: 'support' })
  await sendText(student, id, 'Не бачу курсу')
  await notifyNow(id)
  for (const role of ['OWNER', 'DIRECTOR', 'EXPERT'] as const) expect(await countUnread(home.as[role])).toBe(1)
  expect(await countUnread(curator)).toBe(0)
})

test('what is unread for half an hour arrives as one email, and once', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Добрий день, **коли** ефір?')
  await sendText(student, id, 'І де посилання?')
  await notifyNow(id)
  expect(await emailsTo(curator)).toEqual([])
  await emailUnread(jobOf(id, 1))
  await emailUnread(jobOf(id, 1))
  const [email, ...more] = await emailsTo(curator)
  expect(more).toEqual([])
  expect(email?.subject).toBe('2 нові повідомлення: student Тест')
  expect(email?.text).toContain('student Тест: Добрий день, коли ефір?')
  expect(email?.text).toContain(`/chat?conversation=${id}`)
  await sendText(student, id, 'Знайдено')
  await markConversationRead(curator, { conversationId: id, seq: 3 })
  await emailUnread(jobOf(id, 3))
  expect(await emailsTo(curator)).toHaveLength(1)
})

test('a message without a text is named by what it has in the email', async () => {
  const id = await startDirect(student, curator)
  await sendText(student, id, '', { fileIds: [await uploadTo(student, id)] })
  await sendText(student, id, '', { fileIds: [await uploadTo(student, id)], isVoice: true })
  await emailUnread(jobOf(id, 1))
  const [email] = await emailsTo(curator)
  expect(email?.text).toContain('student Тест: Файл')
  expect(email?.text).toContain('student Тест: Голосове повідомлення')
})

test('a person who chose no emails about the chat gets none', async () => {
  const id = await startDirect(student, curator)
  const preferences = [{ topic: 'chat', channel: 'email', frequency: 'off' } as const]
  await saveNotificationSettings(curator, { preferences, quiet: null, dailyCap: 10 })
  await sendText(student, id, 'Є хтось?')
  await emailUnread(jobOf(id, 1))
  expect(await emailsTo(curator)).toEqual([])
})

test('a notification that was read on another device is sent by no digest', async () => {
  const id = await startDirect(student, curator)
  const preferences = [{ topic: 'chat', channel: 'email', frequency: 'hourly' } as const]
  await saveNotificationSettings(curator, { preferences, quiet: null, dailyCap: 10 })
  await sendText(student, id, 'Є хтось?')
  await notifyNow(id)
  await emailUnread(jobOf(id, 1))
  await markRead(curator, {})
  const { rows } = await inTenant(curator, (tx) =>
    tx.execute(`select d.channel from notification_delivery d join notification n
      on n.tenant_id = d.tenant_id and n.id = d.notification_id where n.read_at is not null`),
  )
  expect(rows).toEqual([{ channel: 'email' }])
})

test('the deputy of a curator on vacation reads and answers direct conversations with students', async () => {
  const deputy = await addTestMember(home, 'CURATOR', 'deputy@school.test')
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Запитання')
  await expect(getConversation(deputy, { conversationId: id })).rejects.toMatchObject({ code: 'not_found' })
  const private_ = await startDirect(curator, home.as.MENTOR)
  await addVacation(home.as.OWNER, {
    memberId: curator.membershipId,
    deputyId: deputy.membershipId,
    firstDay: inDays(-1),
    lastDay: inDays(2),
  })
  expect((await listConversations(deputy, {})).items).toMatchObject([{ id, title: 'student Тест' }])
  await expect(getConversation(deputy, { conversationId: private_ })).rejects.toMatchObject({ code: 'not_found' })
  await notifyNow(id)
  expect(await countUnread(deputy)).toBe(1)
  await sendText(deputy, id, 'Відповідаю замість куратора')
  await notifyNow(id, 2)
  expect(await titles(student)).toMatchObject([{ subject: 'deputy Тест' }])
})

test('a deputy sees the questions of the courses of the curator', async () => {
  const deputy = await addTestMember(home, 'CURATOR', 'deputy@school.test')
  const id = await start(student, { kind: 'lesson', lessonId })
  await sendText(student, id, 'Запитання')
  await addVacation(home.as.OWNER, {
    memberId: curator.membershipId,
    deputyId: deputy.membershipId,
    firstDay: inDays(-1),
    lastDay: inDays(2),
  })
  await sendText(deputy, id, 'Відповідь')
  expect((await listConversations(deputy, {})).items).toMatchObject([{ id, kind: 'lesson' }])
})

test('a job about a conversation of another school does nothing', async () => {
  const other = await createOtherTenant()
  const id = await startDirect(student, curator)
  await sendText(student, id, 'Тут')
  await notifyOfMessages({ tenantId: other.tenant.id, conversationId: id, fromSeq: 1 })
  await emailUnread({ tenantId: other.tenant.id, conversationId: id, fromSeq: 1 })
  expect(await countUnread(curator)).toBe(0)
  expect(await emailsTo(curator)).toEqual([])
})
