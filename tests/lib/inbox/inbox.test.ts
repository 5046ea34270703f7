import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listHomeworkMessages, sendHomeworkMessage } from '#lib/homework/submission/messages.ts'
import { answerItem, answerItems } from '#lib/inbox/answer.ts'
import { countInbox, getInboxItem } from '#lib/inbox/inbox.ts'
import { assignItems, closeItems, reopenItems, snoozeItems } from '#lib/inbox/organize.ts'
import { getInboxSettings, updateInboxSettings } from '#lib/inbox/settings.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { requestApi } from '../../api/api-request.ts'
import { assignCurator, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { handedIn, putOnCourse, type TaskPlace, withTask } from '../../setup/course/works.ts'
import { listInbox } from '../../setup/inbox.ts'
import { submittedAttempt } from '../../setup/quiz/attempts.ts'
import { KEYS } from '../../setup/quiz/questions.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let place: TaskPlace
let student: Actor
let curator: Actor
let director: Actor
beforeEach(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  student = home.as.STUDENT
  curator = home.as.CURATOR
  director = home.as.DIRECTOR
  await putOnCourse(curator, place.courseId)
  await giveAccess(student, place.courseId)
})

const code = (name: string) => expect.objectContaining({ code: name })
const refs = async (actor: Actor, input: Parameters<typeof listInbox>[1] = {}) =>
  (await listInbox(actor, input)).items.map(({ ref }) => ref)
const only = async (actor: Actor) => {
  const [item] = (await listInbox(actor, {})).items
  if (!item) throw new Error('the inbox is empty')
  return item
}
async function ask(body = 'Як це зробити?', from = student): Promise<string> {
  const id = await start(from, { kind: 'lesson', lessonId: place.lessonId })
  await sendText(from, id, body)
  return `lesson.${id}`
}
const answerTo = async (actor: Actor, item: string, body = 'Ось так.', messageId = newId()) => {
  const shown = (await listInbox(actor, {})).items.find(({ ref }) => ref === item)
  return answerItem(actor, { item, since: shown?.since ?? '0', messageId, body })
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('what waits for an answer is one list, the closest deadline first', async () => {
  const direct = await startDirect(student, curator)
  await sendText(student, direct, 'Добрий день!')
  const lesson = await ask('Не відкривається урок')
  await sendHomeworkMessage(student, { taskId: place.taskId, body: 'Чи можна відео?' })
  const submissionId = await handedIn(student, place, { ago: 30 })
  const quiz = await offerQuiz(home, ['essay'])
  const attemptId = await submittedAttempt(student, quiz, [KEYS.essay])
  const page = await listInbox(director, {})
  const thread = `thread.${place.taskId}:${student.membershipId}`
  expect(page.items.map(({ ref }) => ref)).toEqual([`homework.${submissionId}`, lesson, thread, `test.${attemptId}`])
  expect(page.counts).toEqual({ open: 4, mine: 0, overdue: 1, snoozed: 0 })
  expect(page.items[1]).toMatchObject({
    kind: 'lesson',
    student: 'student Тест',
    excerpt: 'Не відкривається урок',
    lesson: 'Урок',
    course: 'Курс із завданням',
  })
  expect(page.items[0]?.href).toBe(`/homework/${submissionId}`)
  // The curator also has the direct conversation, but not the test of another course.
  expect(await refs(curator)).toEqual([`homework.${submissionId}`, `chat.${direct}`, lesson, thread])
  expect(await refs(curator, { tab: 'mine' })).toEqual([`chat.${direct}`])
  expect(await refs(curator, { kind: 'thread' })).toEqual([thread])
  expect(await countInbox(curator)).toEqual({ open: 4, overdue: 1 })
})

test('the dashboard counts few items at once, and many once a minute, for each member', async () => {
  const waits = (count: number) =>
    inTenant(director, (tx) =>
      tx.execute(sql`insert into chat_conversation (tenant_id, id, kind, subject_key, created_by, waiting_since)
        select current_tenant(), time_ordered_id(), 'support', time_ordered_id()::text, ${student.membershipId}, now()
        from generate_series(1, ${count}::int)`),
    )
  const now = new Date()
  await waits(1)
  expect(await countInbox(director, now)).toEqual({ open: 1, overdue: 0 })
  await waits(199)
  expect(await countInbox(director, now)).toEqual({ open: 200, overdue: 0 })
  await waits(1)
  expect(await countInbox(director, now)).toEqual({ open: 200, overdue: 0 })
  expect(await countInbox(home.as.OWNER, now)).toEqual({ open: 201, overdue: 0 })
  expect(await countInbox(director, new Date(now.getTime() + 60_001))).toEqual({ open: 201, overdue: 0 })
})

test('an item disappears with the answer, and appears again with the next question', async () => {
  const item = await ask()
  await answerTo(curator, item)
  expect(await refs(curator)).toEqual([])
  const conversationId = item.slice('lesson.'.length)
  const { messages } = await listMessages(student, { conversationId })
  expect(messages.map(({ body }) => body)).toEqual(['Як це зробити?', 'Ось так.'])
  await sendText(student, conversationId, 'А далі?')
  expect(await refs(curator)).toEqual([item])
  await deleteChatMessage(student, { conversationId, seq: 3 })
  expect(await refs(curator)).toEqual([])
})

test('of two curators who answer at the same time one is refused with the name of the other one', async () => {
  const second = await addTestMember(home, 'CURATOR', 'second@school.test')
  await assignCurator(second, place.courseId)
  const item = await ask()
  const { since } = await only(curator)
  const results = await Promise.allSettled(
    [curator, second].map((actor) => answerItem(actor, { item, since, messageId: newId(), body: 'Відповідь' })),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(refused[0]?.reason).toMatchObject({
    code: 'conflict',
    details: { message: 'inbox_answered', variables: { name: expect.stringContaining('Тест') } },
  })
  expect((await listMessages(student, { conversationId: item.slice(7) })).messages).toHaveLength(2)
})

test('of two answers to a thread about a submission one is refused too', async () => {
  const { taskId } = place
  await sendHomeworkMessage(student, { taskId, body: 'Чи можна відео?' })
  const { ref: item, since } = await only(curator)
  const answer = (actor: Actor) => answerItem(actor, { item, since, messageId: newId(), body: 'Можна' })
  const results = await Promise.allSettled([answer(curator), answer(director)])
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(await listHomeworkMessages(student, { taskId })).toHaveLength(2)
  expect(await refs(curator)).toEqual([])
})

test('the same answer twice is one message', async () => {
  const item = await ask()
  const { since } = await only(curator)
  const input = { item, since, messageId: newId(), body: 'Один раз' }
  await answerItem(curator, input)
  await answerItem(curator, input)
  expect((await listMessages(student, { conversationId: item.slice(7) })).messages).toHaveLength(2)
})

test('one answer is sent to several questions with the names filled in, once', async () => {
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, place.courseId)
  const first = await ask()
  const second = await ask('І в мене так', classmate)
  const submissionId = await handedIn(student, place)
  const batch = {
    items: [first, second, `homework.${submissionId}`, `lesson.${newId()}`],
    batchId: newId(),
    body: '{name} {patronymic}, відкрийте «{lesson}» ще раз. {x}',
  }
  await inTenant(student, (tx) =>
    tx.execute(sql`update "user" set first_name = 'Ганно', patronymic = 'Петрівно'
      where id = (select user_id from membership where id = ${student.membershipId})`),
  )
  expect(await answerItems(curator, batch)).toEqual({ sent: 2, skipped: 2 })
  expect(await answerItems(curator, batch)).toEqual({ sent: 0, skipped: 4 })
  const { messages } = await listMessages(classmate, { conversationId: second.slice(7) })
  expect(messages.map(({ body }) => body)).toEqual(['І в мене так', 'classmate, відкрийте «Урок» ще раз. {x}'])
  const own = await listMessages(student, { conversationId: first.slice(7) })
  expect(own.messages.at(-1)?.body).toBe('Ганно Петрівно, відкрийте «Урок» ще раз. {x}')
})

test('items are assigned to those who are responsible for them', async () => {
  const item = await ask()
  const direct = await startDirect(student, curator)
  await sendText(student, direct, 'Особисто')
  const submissionId = await handedIn(student, place)
  const stranger = await addTestMember(home, 'CURATOR', 'stranger@school.test')
  const items = [item, `chat.${direct}`, `homework.${submissionId}`]
  expect(await assignItems(curator, { items, memberId: stranger.membershipId })).toEqual({ changed: 0, skipped: 3 })
  expect(await assignItems(curator, { items, memberId: director.membershipId })).toEqual({ changed: 2, skipped: 1 })
  expect((await refs(director, { tab: 'mine' })).toSorted()).toEqual([`homework.${submissionId}`, item])
  await assignItems(director, { items, memberId: null })
  expect(await refs(director, { tab: 'mine' })).toEqual([])
  const mentor = home.as.MENTOR.membershipId
  await expect(assignItems(curator, { items, memberId: mentor })).rejects.toEqual(code('not_found'))
  await expect(assignItems(curator, { items, memberId: student.membershipId })).rejects.toEqual(code('not_found'))
})

test('a snoozed item is shown again in time, or with a new message', async () => {
  const item = await ask()
  expect(await snoozeItems(curator, { items: [item], until: 'tomorrow' })).toEqual({ changed: 1, skipped: 0 })
  expect(await refs(curator)).toEqual([])
  expect(await refs(curator, { tab: 'snoozed' })).toEqual([item])
  await sendText(student, item.slice(7), 'Ви тут?')
  expect(await refs(curator)).toEqual([item])
  await snoozeItems(curator, { items: [item], until: 'week' })
  await snoozeItems(curator, { items: [item], until: 'end' })
  expect(await refs(curator)).toEqual([item])
  await snoozeItems(curator, { items: [item], until: 'tomorrow' }, new Date(Date.now() - 3 * 86_400_000))
  expect(await refs(curator)).toEqual([item])
})

test('questions are closed without an answer, and the closing is undone', async () => {
  const item = await ask()
  await sendHomeworkMessage(student, { taskId: place.taskId, body: 'Дякую!' })
  const submissionId = await handedIn(student, place)
  const items = [item, `thread.${place.taskId}:${student.membershipId}`, `homework.${submissionId}`]
  const { closed, skipped } = await closeItems(curator, { items })
  expect([closed.length, skipped]).toEqual([2, 1])
  expect((await closeItems(curator, { items })).closed).toEqual([])
  expect(await refs(curator)).toEqual([`homework.${submissionId}`])
  const stranger = await addTestMember(home, 'CURATOR', 'stranger@school.test')
  await expect(reopenItems(stranger, { closed })).rejects.toEqual(code('not_found'))
  await reopenItems(curator, { closed })
  await reopenItems(curator, { closed })
  expect(await refs(curator)).toHaveLength(3)
})

test('the substitute of a curator on vacation has their inbox', async () => {
  const deputy = await addTestMember(home, 'CURATOR', 'deputy@school.test')
  const item = await ask()
  const direct = await startDirect(student, curator)
  await sendText(student, direct, 'Особисто')
  expect(await refs(deputy)).toEqual([])
  const away = { memberId: curator.membershipId, deputyId: deputy.membershipId }
  await addVacation(home.as.OWNER, { ...away, firstDay: inDays(-1), lastDay: inDays(2) })
  expect(await refs(deputy)).toEqual([item, `chat.${direct}`])
  expect(await refs(deputy, { tab: 'mine' })).toEqual([`chat.${direct}`])
  await answerTo(deputy, `chat.${direct}`)
  await answerTo(deputy, item)
  expect(await refs(curator)).toEqual([])
})

test('the deadline follows the course, else the school', async () => {
  await ask()
  const hours = async () => {
    const { dueAt, sinceAt } = await only(director)
    return (dueAt.getTime() - sinceAt.getTime()) / 3_600_000
  }
  expect(await hours()).toBe(24)
  await expect(updateInboxSettings(home.as.EXPERT, { answerHours: 4 })).rejects.toEqual(code('forbidden'))
  await updateInboxSettings(director, { answerHours: 4 })
  await updateInboxSettings(director, { answerHours: 4 })
  expect(await getInboxSettings(curator)).toEqual({ answerHours: 4 })
  expect(await hours()).toBe(4)
  await inTenant(director, (tx) =>
    tx.execute(`update course set homework_sla_hours = 48 where id = '${place.courseId}'`),
  )
  expect(await hours()).toBe(48)
})

test('pages continue after the last item', async () => {
  const items: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const asker = await addTestMember(home, 'STUDENT', `${name}@school.test`)
    await giveAccess(asker, place.courseId)
    items.push(await ask('Запитання', asker))
  }
  const first = await listInbox(curator, { limit: 2 })
  const second = await listInbox(curator, { limit: 2, cursor: first.next ?? '' })
  expect([...first.items, ...second.items].map(({ ref }) => ref)).toEqual(items)
  expect(second.next).toBeNull()
  await expect(listInbox(curator, { cursor: 'eA' })).rejects.toEqual(code('invalid'))
})

test('only owners, directors, experts, curators and mentors have an inbox', async () => {
  const item = await ask()
  for (const role of ROLES) {
    const actor = home.as[role]
    if (['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'].includes(role)) {
      expect(await refs(actor)).toEqual([item])
      continue
    }
    if (role === 'MENTOR') {
      expect(await refs(actor)).toEqual([])
      continue
    }
    const items = [item]
    await expect(listInbox(actor, {})).rejects.toEqual(code('forbidden'))
    for (const change of [
      () => answerItem(actor, { item, since: '1', messageId: newId(), body: 'Ні' }),
      () => answerItems(actor, { items, batchId: newId(), body: 'Ні' }),
      () => assignItems(actor, { items, memberId: null }),
      () => snoozeItems(actor, { items, until: 'week' }),
      () => closeItems(actor, { items }),
      () => updateInboxSettings(actor, { answerHours: 1 }),
    ])
      await expect((async () => change())()).rejects.toEqual(code('forbidden'))
  }
})

test('items of other courses and schools are unknown', async () => {
  const item = await ask()
  const { since } = await only(curator)
  const stranger = await addTestMember(home, 'CURATOR', 'stranger@school.test')
  const other = await createOtherTenant()
  for (const actor of [stranger, other.as.OWNER]) {
    expect(await refs(actor)).toEqual([])
    expect(await getInboxItem(actor, { item })).toBeNull()
    expect(await snoozeItems(actor, { items: [item], until: 'week' })).toEqual({ changed: 0, skipped: 1 })
    expect((await closeItems(actor, { items: [item] })).closed).toEqual([])
    expect(await answerItems(actor, { items: [item], batchId: newId(), body: 'Ні' })).toEqual({ sent: 0, skipped: 1 })
    const attempt = answerItem(actor, { item, since, messageId: newId(), body: 'Ні' })
    await expect(attempt).rejects.toEqual(code('not_found'))
  }
  expect(await refs(curator)).toEqual([item])
})

test('the API refuses what is not an item, and an empty answer', async () => {
  const call = (name: string, input: object) => requestApi('POST', `inbox/${name}`, { actor: curator, body: input })
  const item = await ask()
  expect((await call('answer', { item, since: '1', messageId: newId(), body: ' ' })).status).toBe(400)
  expect((await call('answer', { item: 'lesson.x', since: '1', messageId: newId(), body: 'Так' })).status).toBe(400)
  expect((await call('answer', { item, since: '1', messageId: newId(), body: 'Так' })).status).toBe(409)
  expect((await call('closeItems', { items: [] })).status).toBe(400)
  expect((await requestApi('GET', 'inbox/listInbox', { actor: curator })).status).toBe(200)
  expect((await requestApi('GET', 'inbox/listInbox', { actor: student })).status).toBe(403)
  expect((await requestApi('GET', 'inbox/listInbox')).status).toBe(401)
})
