import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { matchesIndexedText, matchesSearch } from '#lib/core/db/search.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { findMessages } from '#lib/meeting/chat/message-pages.ts'
import { getStatistics } from '#lib/statistics/statistics.ts'
import { file } from '#lib/storage/table.ts'
import { getTeam } from '#lib/team/team.ts'
import { handedIn, learner, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  sendTestMessage,
  type TestParticipant,
} from '../../../setup/meeting/chat-room.ts'
import { createWebinar, visitorAt } from '../../../setup/meeting/events.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { createCourse, listCourses } from '../../../setup/parsed/course.ts'
import { getMatrix, listCourseStudents } from '../../../setup/parsed/course-access.ts'
import { listAllGroups, listMembers } from '../../../setup/parsed/course-group.ts'
import { listQueue } from '../../../setup/parsed/homework-review.ts'
import { listPeople } from '../../../setup/parsed/meeting.ts'
import { listRegistrations, registerForEvent } from '../../../setup/parsed/registration.ts'
import { findSessionMessages, listStatistics, listViewers } from '../../../setup/parsed/statistics.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { listStudents } from '../../../setup/parsed/student-list.ts'
import { listWorkshops } from '../../../setup/parsed/workshop.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const NAME = 'Мар’яна Лукʼяненко'
/** Every kind of apostrophe, other case and other word order. */
const QUERIES = ["мар'яна", 'МАР’ЯНА', 'марʼяна', 'мар`ян', "лук'яненко мар’яна"]

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

describe('the search expression', () => {
  const finds = async (text: string, query: string): Promise<boolean> => {
    const { rows } = await drizzle(pool).execute(
      sql`select 1 where ${matchesSearch(query, sql`${text}::text`) ?? sql`true`}`,
    )
    return rows.length > 0
  }

  test.each(QUERIES)('matches the name for %s', async (query) => {
    expect(await finds(NAME, query)).toBe(true)
  })

  test('finds an address of an internationalised domain in either notation', async () => {
    const stored = 'Олена olena@xn--80a1acn3a.xn--j1amh'
    for (const query of ['olena@пошта.укр', 'Olena@ПОШТА.укр олена', 'olena@xn--80a1acn3a.xn--j1amh', 'olena@'])
      expect(await finds(stored, query), query).toBe(true)
    expect(await finds(stored, 'olha@пошта.укр')).toBe(false)
    expect(await finds('Пишіть на olena@пошта.укр', 'olena@пошта.укр')).toBe(true)
  })

  test('requires every word, treats pattern characters literally, and is no condition without words', async () => {
    expect(await finds(NAME, 'мар’яна петренко')).toBe(false)
    expect(await finds('знижка 50 %', '50 %')).toBe(true)
    expect(await finds('знижка 50', '%')).toBe(false)
    expect(await finds('а_б', 'а_б')).toBe(true)
    expect(await finds('аxб', 'а_б')).toBe(false)
    expect(await finds('C:\\temp', '\\t')).toBe(true)
    expect(matchesSearch(' \t ', sql`x`)).toBeUndefined()
  })

  test('finds a person among all accounts by the trigram index, in Cyrillic letters too', async () => {
    await pool.query(
      `insert into "user" (id, email, first_name, last_name)
       select time_ordered_id(), 'crowd' || n || '@search.test', 'Особа', case when n % 5000 = 7 then 'Щур’як' else 'Номер ' || n end
       from generate_series(1, 20000) n`,
    )
    await pool.query('vacuum analyze "user"')
    for (const [query, count] of [
      ['crowd12345', 1],
      ["щур'як", 4],
      ['ОСОБА ЩУР', 4],
      ['щуряк', 0],
    ] as const) {
      const condition = matchesIndexedText(query, sql`search`, sql`search_ascii`)
      const { rows } = await drizzle(pool).execute(sql`select id from "user" where ${condition}`)
      expect(rows, query).toHaveLength(count)
      const { rows: plan } = await drizzle(pool).execute<{ 'QUERY PLAN': string }>(
        sql`explain analyze select id from "user" where ${condition}`,
      )
      const text = plan.map((line) => line['QUERY PLAN']).join('\n')
      expect(text).toContain('user_search')
      expect(text, 'people whom the index did not exclude').not.toMatch(/Rows Removed by .*: \d{3}/)
    }
  })

  test('letters that are equal in the index are distinguished', async () => {
    await pool.query(`insert into "user" (id, email, first_name, last_name)
      values (time_ordered_id(), 'letters@search.test', 'Эмма', 'abba'), (time_ordered_id(), 'letters2@search.test', 'Емма', 'абба')`)
    const find = async (query: string) => {
      const condition = matchesIndexedText(`letters ${query}`, sql`search`, sql`search_ascii`)
      const { rows } = await drizzle(pool).execute<{ email: string }>(sql`select email from "user" where ${condition}`)
      return rows.map(({ email }) => email)
    }
    expect(await find('емма')).toEqual(['letters2@search.test'])
    expect(await find('abba')).toEqual(['letters@search.test'])
    expect(await find('абба')).toEqual(['letters2@search.test'])
  })
})

describe('lists and searches', () => {
  let place: TaskPlace
  let room: ChatRoom
  let host: TestParticipant
  let workshopId: string
  let groupId: string
  const owner = () => home.as.OWNER

  beforeAll(async () => {
    place = await withTask(owner(), {}, `Курс «${NAME}»`)
    const student = await learner(home, place.courseId, 'student@search.test')
    await pool.query(`update "user" set first_name = 'Мар’яна', last_name = 'Лукʼяненко' where id = $1`, [
      student.userId,
    ])
    await handedIn(student, place)
    await pool.query(`update "user" set first_name = 'Мар''яна', last_name = 'Лук’яненко' where id = $1`, [
      home.as.MENTOR.userId,
    ])
    const dates = { startAt: '2026-11-01T09:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
    groupId = (await createGroup(owner(), { courseId: place.courseId, name: NAME, ...dates })).groupId
    await changeMembers(owner(), { action: 'add', groupId, studentIds: [student.membershipId] })
    workshopId = (await createWebinar(owner(), { title: NAME })).workshopId
    await registerForEvent(visitorAt(home), { workshopId, name: NAME, email: 'viewer@search.test' })
    room = await createChatRoom(home, {}, { begun: true })
    host = await joinRoom(room, 'host')
    await sendTestMessage(await joinRoom(room, 'viewer', { name: NAME, email: 'viewer@search.test' }), `Пише ${NAME}`)
    await inTenant(owner(), (tx) =>
      tx.insert(file).values({
        tenantId: home.tenant.id,
        id: newId(),
        kind: 'folder',
        name: NAME,
        ownerId: owner().membershipId,
      }),
    )
    await createCourse(owner(), { title: 'Інший курс' })
  })

  const searches: [string, (query: string) => Promise<number>][] = [
    ['courses', async (q) => (await listCourses(owner(), { q })).items.length],
    [
      'students of a course',
      async (q) => (await listCourseStudents(owner(), { courseId: place.courseId, q })).items.length,
    ],
    ['the access matrix', async (q) => (await getMatrix(owner(), { courseId: place.courseId, q })).rows.length],
    ['homework', async (q) => (await listQueue(owner(), { q })).items.length],
    ['events', async (search) => (await listWorkshops(owner(), { search })).items.length],
    ['registrations', async (search) => (await listRegistrations(owner(), { workshopId, search })).items.length],
    ['people in the room', async (search) => (await listPeople({ seatToken: host.seatToken, search })).people.length],
    ['chat messages', async (search) => (await findMessages({ seatToken: host.seatToken, search })).messages.length],
    [
      'messages of an event',
      async (search) => (await findSessionMessages(owner(), { sessionId: room.id, search })).items.length,
    ],
    ['students', async (q) => (await listStudents(owner(), { q })).items.length],
    ['the team', async (search) => (await getTeam(owner(), { search })).members.length],
    ['groups', async (q) => (await listAllGroups(owner(), { q })).items.length],
    ['members of a group', async (q) => (await listMembers(owner(), { groupId, q })).items.length],
    [
      'the audit log',
      async (search) => (await listAuditEntries(owner(), { action: 'group.created', search })).items.length,
    ],
    ['files', async (search) => (await listFiles(owner(), { search })).rows.length],
  ]

  test.each(searches)('find %s regardless of the apostrophe', async (_, find) => {
    expect(await find('немає такого')).toBe(0)
    for (const query of QUERIES) expect([query, await find(query)]).toEqual([query, 1])
  })

  test('find viewers and events of the statistics regardless of the apostrophe', async () => {
    const viewer = await joinRoom(room, 'viewer', { name: 'Дем’ян', email: 'demian@search.test' })
    await appendTestEvents(room, [{ type: 'user.connect', actorId: viewer.personId, payload: {} }])
    await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }])
    await getStatistics(owner(), { workshopId: room.workshopId })
    for (const search of ["дем'ян", 'ДЕМʼЯН', 'demian@']) {
      const { items } = await listViewers(owner(), { sessionId: room.id, search })
      expect(items.map(({ name }) => name)).toEqual(['Дем’ян'])
    }
    await inTenant(owner(), (tx) => tx.execute(sql`update workshop set title = 'П’ять' where id = ${room.workshopId}`))
    for (const search of ["п'ять", 'ПʼЯТЬ'])
      expect((await listStatistics(owner(), { search })).items.map(({ title }) => title)).toEqual(['П’ять'])
  })
})
