import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  deleteAutomation,
  getAutomation,
  listAutomationCourses,
  previewAutomation,
  switchAutomation,
} from '#lib/automation/automation.ts'
import { runAutomations } from '#lib/automation/run-automations.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { inboxCardSection } from '#lib/inbox/erasure.ts'
import { getInboxItem } from '#lib/inbox/inbox.ts'
import { listItemMessages } from '#lib/inbox/messages.ts'
import { closeItems, reopenItems } from '#lib/inbox/organize.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { requestApi } from '../../api/api-request.ts'
import { listAutomations, saveAutomation } from '../../setup/automation.ts'
import { giveAccess } from '../../setup/chat/conversations.ts'
import { handedIn, putOnCourse, type TaskPlace, withTask } from '../../setup/course/works.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { listInbox } from '../../setup/inbox.ts'
import { createWebinar, updateEvent, visitorAt } from '../../setup/meeting/events.ts'
import { listNotifications } from '../../setup/notification.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DUE = { mode: 'date' as const, at: new Date(Date.now() - 2 * DAY).toISOString() }
const ago = (ms: number) => new Date(Date.now() - ms)

let home: TestTenant
let owner: Actor
let student: Actor
let place: TaskPlace
beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
  place = await withTask(owner, { dueRule: DUE })
  await giveAccess(student, place.courseId)
})
afterAll(() => pool.end())

type Settings = Parameters<typeof saveAutomation>[1]['settings']
const MESSAGE = { action: 'notify', subject: 'Повертайтеся', text: '{name}, чекаємо: {subject}' } as const

async function add(settings: Partial<Settings> & Pick<Settings, 'trigger'>, onSince: Date | null = ago(3 * DAY)) {
  const automationId = newId()
  await saveAutomation(owner, { automationId, version: 0, settings: { title: 'Правило', ...MESSAGE, ...settings } })
  if (onSince) await switchAutomation(owner, { automationId, isOn: true }, onSince)
  return automationId
}
const execute = (text: string) => inTenant(owner, (tx) => tx.execute(text))
const titles = async (actor = student) =>
  (await listNotifications(actor, { view: 'all' })).items.map(({ data }) => [data.subject, data.context])
const reached = async (automationId: string) => {
  const { total, items } = await previewAutomation(owner, { automationId })
  return { total, about: items.map(({ name, subject }) => `${name}: ${subject}`) }
}

describe('triggers', () => {
  test('a student who joined a course is written to after the delay, once, by notification and email', async () => {
    const automationId = await add({ trigger: 'courseJoined', courseId: place.courseId, delayHours: 2 })
    expect(await runAutomations()).toBe(0)
    const later = new Date(Date.now() + 3 * HOUR)
    await Promise.all([runAutomations(later), runAutomations(later)])
    expect(await runAutomations(later)).toBe(0)
    expect(await titles()).toEqual([['Повертайтеся', 'student, чекаємо: Курс із завданням']])
    const emails = await listEmailsTo(student.email, home.tenant.id)
    expect(emails.map(({ subject }) => subject)).toEqual(['Повертайтеся'])
    expect(emails[0]?.text).toContain('student, чекаємо: Курс із завданням')
    expect((await listAutomations(owner, {})).items).toMatchObject([{ id: automationId, isOn: true, reached: 1 }])
  })

  test('an automation that fails stops no other, and a student for whom it fails no other student', async () => {
    const second = await addTestMember(home, 'STUDENT', 'second@school.test')
    await giveAccess(second, place.courseId)
    const trigger = { trigger: 'courseJoined' as const, courseId: place.courseId }
    const [broken, sound] = [await add(trigger), await add({ ...trigger, subject: 'Вітаємо' })]
    await execute('delete from automation_run')
    const later = new Date(Date.now() + HOUR)
    await whileRowsFail({ table: 'automation_run', column: 'automation_id', value: broken }, async () => {
      await expect(runAutomations(later)).rejects.toThrow('1 of 2 items failed')
    })
    const runs = async () => {
      const { rows } = await execute('select automation_id, student_id, result from automation_run')
      return rows.map((row) => `${row.automation_id} ${row.student_id} ${row.result}`).sort()
    }
    const runsOf = (id: string, results: [string, string]) =>
      [student, second].map(({ membershipId }, index) => `${id} ${membershipId} ${results[index]}`)
    expect(await runs()).toEqual(runsOf(sound, ['done', 'done']).sort())
    // Only the notification of one student cannot be stored.
    await whileRowsFail({ table: 'notification', column: 'member_id', value: second.membershipId }, async () => {
      await runAutomations(later)
    })
    await runAutomations(later)
    expect(await runs()).toEqual([...runsOf(sound, ['done', 'done']), ...runsOf(broken, ['done', 'failed'])].sort())
  })

  test('a student who opens no lesson for some days is reached once, and again after the next pause', async () => {
    const automationId = await add({ trigger: 'lessonsNotOpened', days: 3 }, ago(9 * DAY))
    await execute(
      `update access_grant set created_at = now() - interval '6 days', starts_at = now() - interval '6 days'`,
    )
    expect(await reached(automationId)).toEqual({ total: 1, about: ['student Тест: Курс із завданням'] })
    expect(await runAutomations()).toBe(1)
    expect(await runAutomations()).toBe(0)
    const { membershipId } = student
    await execute(`insert into lesson_progress (tenant_id, student_id, lesson_id, course_id, opened_at, last_opened_at)
      values (current_tenant(), '${membershipId}', '${place.lessonId}', '${place.courseId}', now(), now())`)
    expect(await runAutomations(new Date(Date.now() + 2 * DAY))).toBe(0)
    expect(await runAutomations(new Date(Date.now() + 4 * DAY))).toBe(1)
    // Who has completed the course is left alone.
    await execute('update lesson_progress set completed_at = now()')
    await execute('delete from automation_run')
    expect(await runAutomations(new Date(Date.now() + 4 * DAY))).toBe(0)
  })

  test('overdue homework reaches those without an answer; the dry run also those who answered too late', async () => {
    const punctual = await addTestMember(home, 'STUDENT', 'punctual@school.test')
    const late = await addTestMember(home, 'STUDENT', 'late@school.test')
    for (const member of [punctual, late]) await giveAccess(member, place.courseId)
    await handedIn(punctual, place, { ago: 72 })
    await handedIn(late, place, { ago: 1 })
    const automationId = await add({
      trigger: 'homeworkOverdue',
      delayHours: 24,
      action: 'task',
      text: 'Написати: {subject}',
    })
    expect((await reached(automationId)).about.sort()).toEqual([
      'late Тест: План заняття',
      'student Тест: План заняття',
    ])
    expect(await runAutomations()).toBe(1)
    expect((await listInbox(owner, {})).items.filter(({ kind }) => kind === 'task')).toMatchObject([
      { student: 'student Тест', excerpt: 'Написати: План заняття', course: 'Курс із завданням' },
    ])
  })

  test('a failed test, a completed course and a missed event are found', async () => {
    const course = await add({ trigger: 'courseCompleted', action: 'tag', tag: 'випускник' })
    const event = await add({ trigger: 'eventMissed', courseId: place.courseId })
    const { membershipId } = student
    await execute(`insert into lesson_progress (tenant_id, student_id, lesson_id, course_id, completed_at)
      values (current_tenant(), '${membershipId}', '${place.lessonId}', '${place.courseId}', now() - interval '1 hour')`)
    const webinar = await createWebinar(owner, { title: 'Ефір', startAt: ago(-HOUR).toISOString() })
    await registerForEvent(
      { ...visitorAt(home), actor: student },
      { workshopId: webinar.workshopId, email: student.email, name: 'Олена' },
    )
    await updateEvent(
      owner,
      webinar,
      { startAt: ago(5 * HOUR) },
      { startedAt: ago(5 * HOUR), finishedAt: ago(4 * HOUR) },
    )
    expect(await reached(course)).toMatchObject({ total: 1 })
    expect(await reached(event)).toEqual({ total: 1, about: ['student Тест: Ефір'] })
    expect(await runAutomations()).toBe(2)
    const { rows } = await execute('select student_id, tag from student_tag')
    expect(rows).toEqual([{ student_id: membershipId, tag: 'випускник' }])
  })
})

describe('the job', () => {
  test('does nothing for what happened before it was switched on, nor while it is off', async () => {
    await add({ trigger: 'courseJoined' }, ago(-1000))
    await add({ trigger: 'courseJoined' }, null)
    expect(await runAutomations()).toBe(0)
  })

  test('reaches no blocked or deleted student and none of another school', async () => {
    const other = await createOtherTenant()
    await add({ trigger: 'courseJoined' })
    await execute(`update student set blocked_at = now() where id = '${student.membershipId}'`)
    expect(await runAutomations()).toBe(0)
    expect(await titles(other.as.STUDENT)).toEqual([])
  })

  test('respects that a student turned the emails of the school off', async () => {
    await saveNotificationSettings(student, {
      preferences: [{ topic: 'school_news', channel: 'email', frequency: 'off' }],
      quiet: null,
      dailyCap: 10,
    })
    await add({ trigger: 'courseJoined' })
    expect(await runAutomations()).toBe(1)
    expect(await titles()).toHaveLength(1)
    expect(await listEmailsTo(student.email, home.tenant.id)).toEqual([])
  })

  test('leaves what exceeds the emails of a day for later', async () => {
    await add({ trigger: 'courseJoined' })
    await pool.query(
      `insert into throttle (key, count, window_ends_at) values ($1, 500, now() + interval '1 hour')
      on conflict (key) do update set count = 500`,
      [`emails:students:${home.tenant.id}`],
    )
    expect(await runAutomations()).toBe(0)
    await pool.query('delete from throttle')
    expect(await runAutomations()).toBe(1)
  })
})

test('a task is in the inbox of the curators of the course until it is done, and can be reopened', async () => {
  const { CURATOR: curator } = home.as
  const stranger = await addTestMember(home, 'CURATOR', 'stranger@school.test')
  await putOnCourse(curator, place.courseId)
  await add({ trigger: 'courseJoined', title: 'Знайомство', action: 'task', text: 'Привітати {name}' })
  await runAutomations()
  const [item] = (await listInbox(curator, { kind: 'task' })).items
  if (!item) throw new Error('the inbox has no task')
  expect(item).toMatchObject({ excerpt: 'Привітати student', href: `/inbox?item=${item.ref}` })
  expect(await listItemMessages(curator, item.ref)).toMatchObject([{ author: 'Знайомство', body: 'Привітати student' }])
  expect((await listInbox(stranger, {})).items).toEqual([])
  await expect(listItemMessages(stranger, item.ref)).rejects.toMatchObject({ code: 'not_found' })
  const input = { items: [item.ref] }
  expect((await closeItems(stranger, input)).changed).toBe(0)
  const { closed } = await closeItems(curator, input)
  expect((await closeItems(curator, input)).changed).toBe(0)
  expect(await getInboxItem(curator, { item: item.ref })).toBeNull()
  await expect(reopenItems(stranger, { closed })).rejects.toMatchObject({ code: 'not_found' })
  await reopenItems(curator, { closed })
  expect(await getInboxItem(curator, { item: item.ref })).toMatchObject({ ref: item.ref })
})

test('the tasks about a student are erased with the student', async () => {
  await add({ trigger: 'courseJoined', action: 'task', text: 'Привітати {name}' })
  await runAutomations()
  await inTenant(owner, async (tx) => {
    await inboxCardSection.erase?.(tx, { studentId: student.membershipId, email: student.email })
  })
  expect((await listInbox(owner, { kind: 'task' })).items).toEqual([])
})

describe('the editor', () => {
  test('is for the owner and the director; other schools find nothing', async () => {
    const automationId = await add({ trigger: 'courseJoined' }, null)
    const other = await createOtherTenant()
    const calls = [
      (actor: Actor) => listAutomations(actor, {}),
      (actor: Actor) => listAutomationCourses(actor),
      (actor: Actor) => getAutomation(actor, { automationId }),
      (actor: Actor) => previewAutomation(actor, { automationId }),
      (actor: Actor) => switchAutomation(actor, { automationId, isOn: false }),
    ]
    for (const role of ROLES)
      for (const [index, call] of calls.entries()) {
        const outcome = await Promise.resolve()
          .then((): Promise<unknown> => call(home.as[role]))
          .then(
            () => 'allowed',
            ({ code }: { code?: string }) => code,
          )
        const expected = role === 'OWNER' || role === 'DIRECTOR' ? 'allowed' : 'forbidden'
        expect(`${role} ${index} ${outcome}`).toBe(`${role} ${index} ${expected}`)
      }
    for (const call of calls.slice(2)) {
      await expect(Promise.resolve().then((): Promise<unknown> => call(other.as.OWNER))).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect((await listAutomations(other.as.OWNER, {})).items).toEqual([])
    await expect(
      saveAutomation(other.as.OWNER, {
        automationId: newId(),
        version: 0,
        settings: { title: 'Чуже', ...MESSAGE, trigger: 'courseJoined', courseId: place.courseId },
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('saves the same twice, refuses an older version and what is incomplete', async () => {
    const automationId = await add({ trigger: 'courseJoined' }, null)
    const settings: Settings = { title: 'Нова назва', ...MESSAGE, trigger: 'courseJoined' }
    const save = (version: number, change: object = {}) =>
      saveAutomation(owner, { automationId, version, settings: { ...settings, ...change } })
    expect(await save(1)).toEqual({ version: 2 })
    expect(await save(1)).toEqual({ version: 2 })
    await expect(save(1, { title: 'Інша' })).rejects.toMatchObject({ code: 'conflict' })
    const call = (change: object) =>
      requestApi('POST', 'automation/saveAutomation', {
        actor: owner,
        body: { automationId, version: 2, settings: { ...settings, ...change } },
      })
    for (const wrong of [
      { subject: '' },
      { text: '' },
      { action: 'tag' },
      { days: 0 },
      { delayHours: 1000 },
      { trigger: 'x' },
    ])
      expect((await call(wrong)).status).toBe(400)
    expect((await call({ title: 'Інша' })).status).toBe(200)
    await deleteAutomation(owner, { automationId })
    await expect(getAutomation(owner, { automationId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(save(3)).rejects.toMatchObject({ code: 'not_found' })
    const { rows } = await execute(
      `select action from audit_entry where action like 'automation.%' order by created_at, id`,
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'automation.created',
      'automation.changed',
      'automation.changed',
      'automation.deleted',
    ])
  })
})
