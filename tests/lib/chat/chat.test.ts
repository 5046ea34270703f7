import { beforeEach, expect, test } from 'vitest'
import { deleteChatMessage, editChatMessage } from '#lib/chat/message/change.ts'
import { markConversationRead } from '#lib/chat/message/read.ts'
import { updateChatSettings } from '#lib/chat/settings.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { channels } from '#lib/live.ts'
import { requestApi } from '../../api/api-request.ts'
import { assignCurator, chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import {
  getConversation,
  listContacts,
  listConversations,
  listMessages,
  sendMessage,
} from '../../setup/chat/parsed-chat.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
let lessonId: string
beforeEach(async () => {
  home = await createTestTenant()
  const place = await chatCourse(home)
  courseId = place.courseId
  lessonId = place.lessonId
})

const code = (name: string) => expect.objectContaining({ code: name })
const idsOf = async (actor: Actor) => (await listConversations(actor, {})).items.map(({ id }) => id)
const unreadOf = async (actor: Actor, conversationId: string) =>
  (await getConversation(actor, { conversationId })).unread
const read = (actor: Actor, conversationId: string, seq: number) => markConversationRead(actor, { conversationId, seq })

test('a student writes to the curator of the course, who answers', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  expect(await startDirect(CURATOR, STUDENT)).toBe(id)
  expect(await idsOf(CURATOR)).toEqual([])
  const question = await sendText(STUDENT, id, 'Добрий день!')
  const answer = await sendText(CURATOR, id, '**Вітаю**', { replyTo: question.seq })
  expect([question.seq, answer.seq]).toEqual([1, 2])
  expect(answer).toMatchObject({ isStaff: true, reply: { seq: 1, body: 'Добрий день!' } })
  expect((await listConversations(STUDENT, {})).items).toMatchObject([
    { id, kind: 'direct', unread: 1, last: { body: '**Вітаю**', isMine: false }, title: 'curator Тест' },
  ])
})

test('a student cannot write to staff who are not assigned until the school opens it', async () => {
  const { STUDENT, MENTOR, OWNER } = home.as
  await expect(startDirect(STUDENT, MENTOR)).rejects.toEqual(code('forbidden'))
  await expect(startDirect(MENTOR, STUDENT)).rejects.toEqual(code('forbidden'))
  expect((await listContacts(STUDENT, {})).people.map(({ name }) => name)).toEqual(['curator Тест', 'owner Тест'])
  await expect(updateChatSettings(home.as.EXPERT, { contactPolicy: 'staff' })).rejects.toEqual(code('forbidden'))
  await updateChatSettings(OWNER, { contactPolicy: 'staff' })
  const id = await startDirect(STUDENT, MENTOR)
  await sendText(STUDENT, id, 'Можна запитати?')
  expect((await listContacts(STUDENT, { search: 'mentor' })).people).toHaveLength(1)
  // The student may still answer when the school closes it again, and the mentor has written.
  await updateChatSettings(OWNER, { contactPolicy: 'assigned' })
  await expect(sendText(STUDENT, id, 'Ще одне')).rejects.toEqual(code('forbidden'))
  await sendText(MENTOR, id, 'Так')
  await sendText(STUDENT, id, 'Дякую')
})

test('students of a course write to each other only when the school opens it', async () => {
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, courseId)
  await expect(startDirect(home.as.STUDENT, classmate)).rejects.toEqual(code('forbidden'))
  await updateChatSettings(home.as.OWNER, { contactPolicy: 'everyone' })
  await startDirect(home.as.STUDENT, classmate)
  const stranger = await addTestMember(home, 'STUDENT', 'stranger@school.test')
  await expect(startDirect(stranger, classmate)).rejects.toEqual(code('forbidden'))
})

test('who takes part in the conversation of a course follows access and staff', async () => {
  const { STUDENT, CURATOR, PRESENTER } = home.as
  const id = await start(CURATOR, { kind: 'course', courseId })
  expect(await start(home.as.OWNER, { kind: 'course', courseId })).toBe(id)
  await sendText(STUDENT, id, 'Питання до всіх')
  await expect(sendText(PRESENTER, id, 'x')).rejects.toEqual(code('not_found'))
  const newcomer = await addTestMember(home, 'STUDENT', 'new@school.test')
  await expect(listMessages(newcomer, { conversationId: id })).rejects.toEqual(code('not_found'))
  await giveAccess(newcomer, courseId)
  expect(await unreadOf(newcomer, id)).toBe(0)
  await sendText(CURATOR, id, 'Відповідь')
  expect(await unreadOf(newcomer, id)).toBe(1)
  expect(await unreadOf(CURATOR, id)).toBe(1)
  await read(CURATOR, id, 2)
  await inTenant(CURATOR, (tx) => tx.execute(`update access_grant set revoked_at = now(); delete from course_staff`))
  for (const actor of [STUDENT, newcomer, CURATOR]) {
    await expect(listMessages(actor, { conversationId: id })).rejects.toEqual(code('not_found'))
    expect(await idsOf(actor)).toEqual([])
  }
  expect(await idsOf(home.as.EXPERT)).toEqual([id])
})

test('the conversation of a course opens when the access begins, and closes when it ends', async () => {
  const { STUDENT } = home.as
  const id = await start(home.as.CURATOR, { kind: 'course', courseId })
  const setTime = (change: string) => inTenant(STUDENT, (tx) => tx.execute(`update access_grant set ${change}`))
  const expectClosed = async () => {
    expect(await idsOf(STUDENT)).toEqual([])
    await expect(listMessages(STUDENT, { conversationId: id })).rejects.toEqual(code('not_found'))
    await expect(sendText(STUDENT, id, 'Я вже тут')).rejects.toEqual(code('not_found'))
    await expect(start(STUDENT, { kind: 'lesson', lessonId })).rejects.toEqual(code('not_found'))
  }
  await setTime(`starts_at = now() + interval '1 minute'`)
  await expectClosed()
  await setTime(`starts_at = now() - interval '1 hour', ends_at = now() - interval '1 second'`)
  await expectClosed()
  await setTime(`ends_at = now() + interval '1 minute'`)
  expect(await idsOf(STUDENT)).toEqual([id])
  await sendText(STUDENT, id, 'Я вже тут')
})

test('in announcements only staff post', async () => {
  const id = await start(home.as.CURATOR, { kind: 'course', courseId, postPolicy: 'staff' })
  await sendText(home.as.CURATOR, id, 'Завтра ефір')
  expect(await getConversation(home.as.STUDENT, { conversationId: id })).toMatchObject({ canPost: false, unread: 1 })
  await expect(sendText(home.as.STUDENT, id, 'x')).rejects.toEqual(code('forbidden'))
})

test('questions about a lesson reach the staff of the course', async () => {
  const { STUDENT, CURATOR, EXPERT, MENTOR } = home.as
  const id = await start(STUDENT, { kind: 'lesson', lessonId })
  await sendText(STUDENT, id, 'Не відкривається відео')
  const lists = await Promise.all([CURATOR, EXPERT, MENTOR].map((actor) => listConversations(actor, {})))
  expect(lists.map(({ items }) => items.map(({ title, context, unread }) => ({ title, context, unread })))).toEqual([
    [{ title: 'student Тест', context: 'Урок 1', unread: 1 }],
    // Managers count what they take part in.
    [{ title: 'student Тест', context: 'Урок 1', unread: 0 }],
    [],
  ])
  expect((await listConversations(STUDENT, {})).items).toMatchObject([{ title: 'Урок 1', context: 'Групи' }])
  await sendText(CURATOR, id, 'Оновіть сторінку')
  expect(await unreadOf(STUDENT, id)).toBe(1)
  const stranger = await addTestMember(home, 'STUDENT', 'stranger@school.test')
  await expect(start(stranger, { kind: 'lesson', lessonId })).rejects.toEqual(code('not_found'))
  await expect(start(CURATOR, { kind: 'lesson', lessonId })).rejects.toEqual(code('not_found'))
})

test('support and team conversations', async () => {
  const { STUDENT, OWNER, CURATOR, MENTOR, MEMBER } = home.as
  const support = await start(STUDENT, { kind: 'support' })
  await sendText(STUDENT, support, 'Допоможіть')
  expect(await idsOf(OWNER)).toEqual([support])
  expect(await idsOf(CURATOR)).toEqual([])
  await sendText(OWNER, support, 'Слухаю')
  const conversationId = newId()
  const memberIds = [MENTOR.membershipId]
  const team = { kind: 'team' as const, title: 'Методисти', conversationId, memberIds }
  expect([await start(CURATOR, team), await start(CURATOR, team)]).toEqual([conversationId, conversationId])
  await sendText(MENTOR, conversationId, 'Привіт')
  await expect(sendText(OWNER, conversationId, 'x')).rejects.toEqual(code('not_found'))
  await expect(start(STUDENT, { ...team, conversationId: newId() })).rejects.toEqual(code('forbidden'))
  await expect(start(CURATOR, { ...team, conversationId: newId(), memberIds: [STUDENT.membershipId] })).rejects.toEqual(
    code('unprocessable'),
  )
  await expect(start(MEMBER, { kind: 'support' })).rejects.toEqual(code('forbidden'))
})

test('a repeated message is sent once, concurrently too; numbers have no gaps', async () => {
  const { STUDENT, CURATOR } = home.as
  const conversationId = await startDirect(STUDENT, CURATOR)
  const messageId = newId()
  const message = { conversationId, messageId, body: 'Один раз' }
  const sent = await Promise.all([1, 2, 3, 4].map(() => sendMessage(STUDENT, message)))
  expect(new Set(sent.map(({ seq }) => seq))).toEqual(new Set([1]))
  await expect(sendMessage(CURATOR, message)).rejects.toEqual(code('conflict'))
  await Promise.all(
    [STUDENT, CURATOR].flatMap((actor) => [1, 2, 3, 4, 5].map((n) => sendText(actor, conversationId, `Текст ${n}`))),
  )
  const { messages, lastSeq } = await listMessages(STUDENT, { conversationId })
  expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
  expect(lastSeq).toBe(11)
})

test('the unread number is exact: own and deleted messages do not count, and reading never goes back', async () => {
  const { STUDENT, CURATOR } = home.as
  const id = await startDirect(STUDENT, CURATOR)
  for (const text of ['1', '2', '3', '4']) await sendText(CURATOR, id, text)
  await sendText(STUDENT, id, '5')
  expect(await unreadOf(STUDENT, id)).toBe(4)
  await deleteChatMessage(CURATOR, { conversationId: id, seq: 4 })
  expect(await unreadOf(STUDENT, id)).toBe(3)
  await Promise.all([read(STUDENT, id, 2), read(STUDENT, id, 1)])
  expect(await unreadOf(STUDENT, id)).toBe(1)
  await read(STUDENT, id, 1_000_000)
  expect(await getConversation(STUDENT, { conversationId: id })).toMatchObject({ unread: 0, readSeq: 5 })
  expect((await getConversation(CURATOR, { conversationId: id })).otherReadSeq).toBe(5)
  await sendText(CURATOR, id, '6')
  expect(await unreadOf(STUDENT, id)).toBe(1)
})

test('pages of messages continue in both directions', async () => {
  const { STUDENT, CURATOR } = home.as
  const conversationId = await startDirect(STUDENT, CURATOR)
  for (let n = 1; n <= 12; n += 1) await sendText(n % 2 ? STUDENT : CURATOR, conversationId, `Текст ${n}`)
  const seqs = async (page: object) =>
    (await listMessages(STUDENT, { conversationId, limit: 4, ...page })).messages.map(({ seq }) => seq)
  expect(await seqs({})).toEqual([9, 10, 11, 12])
  expect(await seqs({ before: 9 })).toEqual([5, 6, 7, 8])
  expect(await seqs({ after: 10 })).toEqual([11, 12])
  expect(await seqs({ around: 6 })).toEqual([4, 5, 6, 7])
  expect(await seqs({ before: 1 })).toEqual([])
})

test('conversations are listed in pages, the latest active first', async () => {
  const { CURATOR } = home.as
  const ids: string[] = []
  for (const role of ['OWNER', 'DIRECTOR', 'EXPERT', 'MENTOR'] as const) {
    const id = await startDirect(CURATOR, home.as[role])
    await sendText(CURATOR, id, role)
    ids.unshift(id)
  }
  const first = await listConversations(CURATOR, { limit: 3 })
  const second = await listConversations(CURATOR, { limit: 3, cursor: first.next ?? '' })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
  expect(second.next).toBeNull()
})

test('an author edits and deletes; assigned staff delete in a course, nobody else', async () => {
  const { STUDENT, CURATOR, EXPERT } = home.as
  const conversationId = await start(CURATOR, { kind: 'course', courseId })
  const { seq } = await sendText(STUDENT, conversationId, 'Помилка')
  const ref = { conversationId, seq }
  await expect(editChatMessage(CURATOR, { ...ref, body: 'x' })).rejects.toEqual(code('forbidden'))
  expect(await editChatMessage(STUDENT, { ...ref, body: 'Виправлено' })).toMatchObject({ body: 'Виправлено', seq })
  const { rows } = await inTenant(STUDENT, (tx) => tx.execute('select body from chat_message_edit'))
  expect(rows).toEqual([{ body: 'Помилка' }])
  expect(await deleteChatMessage(CURATOR, ref)).toMatchObject({ body: '', deletedAt: expect.any(Date) })
  await expect(editChatMessage(STUDENT, { ...ref, body: 'x' })).rejects.toEqual(code('forbidden'))
  expect((await inTenant(STUDENT, (tx) => tx.execute('select 1 from chat_message_edit'))).rows).toEqual([])
  const { seq: answer } = await sendText(CURATOR, conversationId, 'Відповідь')
  await expect(deleteChatMessage(STUDENT, { conversationId, seq: answer })).rejects.toEqual(code('forbidden'))
  await deleteChatMessage(EXPERT, { conversationId, seq: answer })
  await expect(deleteChatMessage(EXPERT, { conversationId, seq: 99 })).rejects.toEqual(code('not_found'))
})

test('nothing of another school is found, by guessed ids either', async () => {
  const other = await createOtherTenant()
  const { STUDENT, CURATOR } = home.as
  const conversationId = await startDirect(STUDENT, CURATOR)
  await sendText(STUDENT, conversationId, 'Наше')
  await assignCurator(other.as.CURATOR, (await publishedCourse(other.as.OWNER)).courseId)
  const strangers = [other.as.OWNER, other.as.CURATOR, other.as.STUDENT, home.as.OWNER, home.as.MENTOR]
  const messageId = newId()
  for (const actor of strangers) {
    const input = { conversationId, seq: 1 }
    for (const attempt of [
      () => getConversation(actor, { conversationId }),
      () => listMessages(actor, { conversationId }),
      () => sendMessage(actor, { conversationId, messageId, body: 'x' }),
      () => markConversationRead(actor, input),
      () => editChatMessage(actor, { ...input, body: 'x' }),
      () => deleteChatMessage(actor, input),
      () => Promise.resolve(channels.conversation?.canSubscribe(actor, [conversationId])),
    ])
      await expect(attempt()).rejects.toEqual(code('not_found'))
  }
  await expect(startDirect(other.as.OWNER, STUDENT)).rejects.toEqual(code('not_found'))
  await expect(start(other.as.OWNER, { kind: 'course', courseId })).rejects.toEqual(code('not_found'))
  expect(() => channels.chat?.canSubscribe(STUDENT, [CURATOR.membershipId])).toThrow()
})

test('the procedures validate input and are closed to members without a chat', async () => {
  for (const role of ROLES) {
    const reply = await requestApi('GET', 'chat/listConversations', { actor: home.as[role] })
    expect([role, reply.status]).toEqual([role, role === 'MEMBER' ? 403 : 200])
  }
  expect((await requestApi('GET', 'chat/listConversations')).status).toBe(401)
  const conversationId = await startDirect(home.as.STUDENT, home.as.CURATOR)
  const send = (body: object) => requestApi('POST', 'chat/sendMessage', { actor: home.as.STUDENT, body })
  const valid = { conversationId, messageId: newId(), body: ' текст ' }
  expect(await send(valid)).toMatchObject({ status: 200, body: { body: 'текст', seq: 1 } })
  for (const wrong of [{ body: '  ' }, { body: 'x'.repeat(4001) }, { messageId: 'x' }, { replyTo: 2 ** 31 }])
    expect((await send({ ...valid, ...wrong })).status).toBe(400)
})

test('staff of a school whose plan has expired read but do not write', async () => {
  const conversationId = await startDirect(home.as.STUDENT, home.as.CURATOR)
  const lapsed = { ...home.as.CURATOR, plans: [] }
  await expect(sendText(lapsed, conversationId, 'x')).rejects.toEqual(code('plan_inactive'))
  await listMessages(lapsed, { conversationId })
})
