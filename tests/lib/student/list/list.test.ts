import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { addToGroup } from '#lib/course/group/members.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { publishLessons } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { getSeatUsage } from '#lib/student/list/list.ts'
import { listFilterOptions } from '#lib/student/list/options.ts'
import { refreshStaleProgress } from '#lib/student/list/refresh-progress.ts'
import type { StudentFilter } from '#lib/student/list/schema.ts'
import { deleteView, listViews, saveView } from '#lib/student/list/views.ts'
import { addMember, findOrCreateUser } from '#lib/user/member.ts'
import { requestApi } from '../../../api/api-request.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess } from '../../../setup/parsed/course-access.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { countMatching, listStudents } from '../../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
const ids: Record<string, string> = {}

const blocks = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Текст' }] }] } as const

interface Person {
  key: string
  firstName: string
  lastName: string
  phone?: string
  status: 'invited' | 'registered' | 'accepted' | 'unknown'
}

const PEOPLE: Person[] = [
  { key: 'danylo', firstName: 'Данило', lastName: 'О’Коннор', phone: '+38 (067) 123-45-67', status: 'accepted' },
  { key: 'hanna', firstName: 'Ґанна', lastName: 'Їжакевич', status: 'registered' },
  { key: 'iryna', firstName: 'Ірина', lastName: 'Бондар', status: 'accepted' },
  { key: 'mail', firstName: '', lastName: '', status: 'invited' },
  { key: 'old', firstName: 'Зоряна', lastName: 'Кузь', status: 'unknown' },
]

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  for (const person of PEOPLE) ids[person.key] = await addStudent(home, person)
  ids.neighbour = await addStudent(other, {
    key: 'neighbour',
    firstName: 'Данило',
    lastName: 'Сусід',
    status: 'accepted',
  })
})
afterAll(() => pool.end())

async function addStudent(
  { tenant }: TestTenant,
  { key, firstName, lastName, phone, status }: Person,
): Promise<string> {
  const { userId } = await findOrCreateUser({ email: `${key}@list.test`, firstName, lastName })
  if (phone) await inSystem((tx) => tx.execute(`update "user" set phone = '${phone}' where id = '${userId}'`))
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status } as const
  return (await addMember(student)).membershipId
}

const write = (statement: string) => inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(statement))

async function keysOf(input: Parameters<typeof listStudents>[1]): Promise<string[]> {
  const { items } = await listStudents(home.as.OWNER, input)
  return items.map(({ email }) => email.split('@')[0] ?? '')
}
const sorted = async (filter: Partial<StudentFilter>) => (await keysOf(filter)).sort()

describe('search', () => {
  test.each([
    ["о'коннор", ['danylo']],
    ['О‘КОННОР данило', ['danylo']],
    ['ґанна', ['hanna']],
    ['OLD@list', ['old']],
    ['067 123 45', ['danylo']],
    ['0671234567', ['danylo']],
    ['380671', ['danylo']],
    ['80671234567', ['danylo']],
    ['00380 67 123 45 67', ['danylo']],
    ['8 (067) 12', ['danylo']],
    ['45-67', ['danylo']],
    ['Їжакевич'.normalize('NFD'), ['hanna']],
    ['бондар петренко', []],
    ['100%', []],
  ])('for %j finds name, email or phone', async (q, expected) => {
    expect(await sorted({ q })).toEqual(expected)
    expect(await countMatching(home.as.OWNER, { q })).toBe(expected.length)
  })

  test('follows a new name, address and phone at once, in every school of the person', async () => {
    const { userId } = await findOrCreateUser({ email: 'many@list.test', firstName: 'Стара' })
    for (const { tenant } of [home, other]) {
      await addMember({ tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
    }
    await inSystem((tx) =>
      tx.execute(`update "user" set first_name = 'Новозлата', phone = '0991' where id = '${userId}'`),
    )
    for (const { as } of [home, other]) {
      const { items } = await listStudents(as.OWNER, { q: 'новозлата' })
      expect(items).toMatchObject([{ name: 'Новозлата', phone: '0991' }])
    }
    await write(`update membership set blocked_at = now() where user_id = '${userId}'`)
    expect(await keysOf({ q: 'новозлата', status: 'blocked' })).toEqual(['many'])
    expect((await listStudents(other.as.OWNER, { q: 'новозлата' })).items[0]?.blockedAt).toBeNull()
  })
})

describe('filters', () => {
  test.each(['invited', 'registered', 'unknown'] as const)('by the status %s', async (status) => {
    expect(await keysOf({ status })).toEqual(PEOPLE.filter((person) => person.status === status).map(({ key }) => key))
  })

  test('by the status accepted, which blocked students have too', async () => {
    expect(await sorted({ status: 'accepted', q: 'list.test' })).toEqual(['danylo', 'iryna'])
  })

  test('by tag, last activity and overdue homework', async () => {
    await write(`insert into student_tag select tenant_id, id, 'VIP' from student where email like 'iryna%'`)
    await write(`update student set last_active_at = now() - interval '10 days' where email like 'hanna%'`)
    await write(`update student set last_active_at = now(), overdue_count = 2 where email like 'danylo%'`)
    expect(await keysOf({ tag: 'VIP' })).toEqual(['iryna'])
    expect(await keysOf({ tag: 'vip' })).toEqual([])
    expect(await keysOf({ activity: 'active7', q: 'list.test' })).toEqual(['danylo'])
    expect(await sorted({ activity: 'inactive7', q: 'list.test' })).toEqual(['hanna', 'iryna', 'mail', 'many', 'old'])
    expect(await keysOf({ activity: 'inactive14', q: 'ґанна' })).toEqual([])
    const unseen = ['iryna', 'mail', 'many', 'old']
    expect(await sorted({ activity: 'never', q: 'list.test' })).toEqual(unseen)
    expect(await sorted({ activity: 'inactive14', q: 'list.test' })).toEqual(unseen)
    await write(`update student set last_active_at = now() - interval '15 days' where email like 'hanna%'`)
    expect(await sorted({ activity: 'inactive14', q: 'list.test' })).toEqual(['hanna', ...unseen])
    expect(await keysOf({ overdue: true })).toEqual(['danylo'])
    expect((await listFilterOptions(home.as.OWNER)).tags).toEqual(['VIP'])
  })

  test('by course, group and progress, which follows what is completed, granted and published', async () => {
    const owner = home.as.OWNER
    const { courseId } = await createCourse(owner, { title: 'Голос' })
    const { moduleId } = await addModule(owner, { courseId, title: 'Перший' })
    const lessonIds: string[] = []
    for (const title of ['Один', 'Два']) lessonIds.push((await addLesson(owner, { moduleId, title, blocks })).lessonId)
    await publishCourse(owner, { courseId })
    const studentId = home.as.STUDENT.membershipId
    await grantAccess(owner, { courseId, studentId })
    await grantAccess(owner, { courseId, studentId: ids.iryna ?? '' })
    expect(await sorted({ courseId })).toEqual(['iryna', 'student'])
    expect(await sorted({ progress: 'notStarted' })).toEqual(['iryna', 'student'])
    await completeLesson(home.as.STUDENT, { lessonId: lessonIds[0] ?? '' })
    expect(await keysOf({ progress: 'started' })).toEqual(['student'])
    expect((await listStudents(owner, { courseId, q: 'student@' })).items).toMatchObject([
      { progress: 50, courses: ['Голос'], courseCount: 1 },
    ])
    await completeLesson(home.as.STUDENT, { lessonId: lessonIds[1] ?? '' })
    expect(await keysOf({ progress: 'finished' })).toEqual(['student'])

    const { lessonId: third } = await addLesson(owner, { moduleId, title: 'Три', blocks })
    const { lessonId: fourth } = await addLesson(owner, { moduleId, title: 'Чотири', blocks })
    await publishLessons(owner, { courseId, lessonIds: [third, fourth] })
    // Another course, whose progress cannot be stored, is tried first.
    const { courseId: bad } = await createCourse(owner, { title: 'Інший' })
    await inTenant(owner, (tx) =>
      tx.execute(
        sql`insert into stale_progress (tenant_id, course_id, since) values (current_tenant(), ${bad}, 'epoch')`,
      ),
    )
    await whileRowsFail({ table: 'stale_progress', column: 'course_id', value: bad }, async () => {
      await expect(refreshStaleProgress()).rejects.toThrow('1 of 2 items failed')
    })
    expect((await listStudents(owner, { q: 'student@' })).items[0]?.progress).toBe(50)
    await refreshStaleProgress()
    expect(await refreshStaleProgress()).toBe(0)

    const dates = { startAt: new Date().toISOString(), endAt: null, timeZone: 'Europe/Kyiv' }
    const { groupId } = await createGroup(owner, { courseId, name: 'Осінь', ...dates })
    await addToGroup(owner, { groupId, studentId: ids.hanna ?? '' })
    expect(await keysOf({ groupId })).toEqual(['hanna'])
    await changeAccess(owner, { courseId, target: { studentIds: [ids.iryna ?? ''] }, change: { action: 'revoke' } })
    expect(await sorted({ courseId })).toEqual(['hanna', 'student'])
    expect(await sorted({ progress: 'noCourse', q: 'iryna' })).toEqual(['iryna'])
  })

  test('refuse values that no filter has', async () => {
    const reply = await requestApi('GET', 'student/list?status=gone', { actor: home.as.OWNER })
    expect(reply).toMatchObject({ status: 400, body: { fields: { status: [expect.any(String)] } } })
    expect(() => listStudents(home.as.OWNER, { cursor: 'x' })).toThrow('invalid')
  })
})

describe('sorting', () => {
  test('by name follows the Ukrainian alphabet and uses the address of students without a name, after the others', async () => {
    expect(await keysOf({ q: 'list.test', sort: 'name' })).toEqual(['hanna', 'danylo', 'old', 'iryna', 'many', 'mail'])
  })

  test('by surname compares surname, given name and patronymic', async () => {
    expect(await keysOf({ q: 'list.test', sort: 'surname' })).toEqual([
      'iryna',
      'hanna',
      'old',
      'many',
      'danylo',
      'mail',
    ])
    const { items } = await listStudents(home.as.OWNER, { q: 'кузь', sort: 'surname' })
    expect(items[0]).toMatchObject({
      formalName: 'Кузь Зоряна',
      lastName: 'Кузь',
      firstName: 'Зоряна',
      patronymic: null,
    })
  })

  test.each(['created', 'name', 'surname', 'active', 'progress', 'overdue'] as const)(
    'by %s pages through everybody once, in both directions',
    async (sort) => {
      const everybody = await keysOf({ sort })
      for (const descending of [true, false]) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await listStudents(home.as.OWNER, { sort, descending, limit: 2, cursor })
          seen.push(...page.items.map(({ email }) => email.split('@')[0] ?? ''))
          cursor = page.next ?? undefined
        } while (cursor)
        expect([...seen].sort()).toEqual([...everybody].sort())
        expect(seen).toHaveLength(everybody.length)
      }
    },
  )

  test('a cursor of another sort is refused', async () => {
    const { next } = await listStudents(home.as.OWNER, { sort: 'name', limit: 1 })
    expect(() => listStudents(home.as.OWNER, { sort: 'created', cursor: next ?? '' })).toThrow('invalid')
  })
})

test('only the students of the own school are listed, for owner and director only', async () => {
  const everybody = await listStudents(home.as.DIRECTOR, { limit: 200 })
  expect(everybody.items.map(({ id }) => id)).not.toContain(ids.neighbour)
  for (const role of ROLES.filter((name) => name !== 'OWNER' && name !== 'DIRECTOR')) {
    expect(() => listStudents(home.as[role], {}), role).toThrow('forbidden')
    expect(() => listViews(home.as[role]), role).toThrow('forbidden')
    expect(() => listFilterOptions(home.as[role]), role).toThrow('forbidden')
  }
})

test('the seats of the plan are counted without blocked students', async () => {
  const usage = await getSeatUsage(home.as.OWNER)
  const blocked = await countMatching(home.as.OWNER, { status: 'blocked' })
  expect(usage).toEqual({ max: 1000, used: (await countMatching(home.as.OWNER, {})) - blocked })
  expect(blocked).toBe(1)
})

test('a signed-in student is active now', async () => {
  await write(`update student set last_active_at = null where id = '${home.as.STUDENT.membershipId}'`)
  const hash = `(select token_hash from session where user_id = '${home.as.STUDENT.userId}' limit 1)`
  await pool.query(`update session set last_seen_at = now() - interval '1 hour' where token_hash = ${hash}`)
  await pool.query(`select open_session(${hash}, 'go')`)
  expect(await keysOf({ activity: 'active7', q: 'student@' })).toEqual(['student'])
})

describe('saved views', () => {
  test('belong to one member and are saved again under the same name', async () => {
    const { OWNER, DIRECTOR } = home.as
    const first = await saveView(OWNER, { name: 'Боржники', query: 'overdue=1' })
    const again = await saveView(OWNER, { name: 'Боржники', query: 'overdue=1&sort=name' })
    expect(again).toEqual(first)
    expect(await listViews(OWNER)).toEqual([{ id: first.viewId, name: 'Боржники', query: 'overdue=1&sort=name' }])
    expect(await listViews(DIRECTOR)).toEqual([])
    await expect(deleteView(DIRECTOR, first)).rejects.toMatchObject({ code: 'not_found' })
    await deleteView(OWNER, first)
    await expect(deleteView(OWNER, first)).rejects.toMatchObject({ code: 'not_found' })
    expect(await listViews(OWNER)).toEqual([])
  })

  test('are 30 at most', async () => {
    for (let number = 1; number <= 30; number++)
      await saveView(home.as.DIRECTOR, { name: `Вигляд ${number}`, query: '' })
    await expect(saveView(home.as.DIRECTOR, { name: 'Ще один', query: '' })).rejects.toMatchObject({
      code: 'unprocessable',
    })
  })
})
