import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { causesOf } from '#lib/automation/trigger-sql.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getCourseReadiness } from '#lib/course/publish.ts'
import { countNotifiableStudents } from '#lib/schedule/course-date/announce.ts'
import { giveAccess } from '../../../setup/chat/conversations.ts'
import { instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { listTitles } from '../../../setup/schedule.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const DAY_MS = 86_400_000
const day = (offset: number) => instantAt(offset * DAY_MS)

let home: TestTenant
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
})
beforeEach(async () => {
  await execute(sql`delete from access_grant`)
  courseId = (await publishedCourse(home.as.OWNER)).courseId
  await giveAccess(home.as.STUDENT, courseId)
  await setGrant(sql`starts_at = ${day(-60)}, created_at = ${day(-60)}`)
  await execute(sql`insert into quiz (tenant_id, id, course_id, title, status, close_at, show, author_id)
    values (current_tenant(), ${newId()}, ${courseId}, 'Тест', 'published', ${day(1)}, '{}', ${home.as.OWNER.membershipId})`)
})

const execute = (statement: ReturnType<typeof sql>) => inTenant(home.as.OWNER, (tx) => tx.execute(statement))
const setGrant = (columns: ReturnType<typeof sql>) =>
  execute(sql`update access_grant set ${columns} where course_id = ${courseId}`)

/** Whether the schedule, a notification about a moved date, an automation and the unpublishing count the student. */
async function readUses() {
  const trigger = { trigger: 'lessonsNotOpened', courseId, days: 3, delayHours: 0 } as const
  const titles = await listTitles(home.as.STUDENT, { course: courseId })
  const { rows } = await execute(causesOf(trigger))
  return {
    scheduled: titles.includes('test Тест'),
    notified: await inTenant(home.as.OWNER, (tx) => countNotifiableStudents(tx, { courseId, groupId: null })),
    automated: rows.length,
    active: (await getCourseReadiness(home.as.OWNER, { courseId })).activeStudents,
  }
}

test('a student with access', async () => {
  expect(await readUses()).toEqual({ scheduled: true, notified: 1, automated: 1, active: 1 })
})

test('an end that a freeze has moved', async () => {
  await setGrant(sql`ends_at = ${day(-1)}, frozen = ${JSON.stringify([{ from: day(-40), to: day(-20) }])}::jsonb`)
  expect(await readUses()).toEqual({ scheduled: true, notified: 1, automated: 1, active: 1 })
})

test('a freeze: access may open later', async () => {
  await setGrant(sql`frozen = ${JSON.stringify([{ from: day(-4), to: day(4) }])}::jsonb`)
  expect(await readUses()).toEqual({ scheduled: false, notified: 1, automated: 0, active: 1 })
})

test('a study group that has ended', async () => {
  const groupId = newId()
  await execute(sql`insert into study_group (tenant_id, id, course_id, name, start_at, end_at)
    values (current_tenant(), ${groupId}, ${courseId}, 'Осінь', ${day(-60)}, ${day(-1)})`)
  await setGrant(sql`source_type = 'group', source_id = ${groupId}`)
  expect(await readUses()).toEqual({ scheduled: false, notified: 0, automated: 0, active: 0 })
})

test('a course whose period of access has ended', async () => {
  await execute(sql`update course set access_end = ${day(-1)} where id = ${courseId}`)
  expect(await readUses()).toMatchObject({ scheduled: false, automated: 0 })
})
