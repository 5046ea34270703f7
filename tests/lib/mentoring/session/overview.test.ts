import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { listPrograms } from '#lib/mentoring/program/list.ts'
import { getMentorOverview, getStudentOverview, type OverviewList } from '#lib/mentoring/session/overview.ts'
import { MentoringStatisticsQuery } from '#lib/mentoring/session/schema.ts'
import { listMentoringStatistics } from '#lib/mentoring/session/statistics.ts'
import { createMentoring, type Mentoring, NOW } from '../../../setup/mentoring.ts'
import { createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
beforeEach(async () => {
  school = await createMentoring()
})

/** Adds programs with access of the student, in each a session in the past and one that is to come. */
async function addSessions(count: number): Promise<void> {
  const { mentor, student, programId } = school
  await inTenant(mentor, async (tx) => {
    await tx.execute(sql`insert into mentor_program (tenant_id, id, title, status, updated_at)
      select current_tenant(), gen_random_uuid(), 'Програма ' || n / 2, 'published', '2026-01-01'::timestamptz
      from generate_series(1, ${count}::int) n`)
    await tx.execute(sql`insert into program_enrolment (tenant_id, id, program_id, student_id, source)
      select tenant_id, gen_random_uuid(), id, ${student.membershipId}, 'manual' from mentor_program
      where id <> ${programId}`)
    await tx.execute(sql`
      with slot as (
        select e.id as enrolment_id, e.program_id, gen_random_uuid() as session_id, d.direction,
          ${NOW.toISOString()}::timestamptz + d.direction * (row_number() over (partition by d.direction)) * interval '3 hours'
            as at
        from program_enrolment e cross join (values (-1), (1)) as d(direction)
        where e.student_id = ${student.membershipId} and e.program_id <> ${programId}),
      taken as (
        insert into mentor_session (tenant_id, id, program_id, mentor_id, start_at, end_at, busy_from, busy_to, seats)
        select current_tenant(), session_id, program_id, ${mentor.membershipId}, at, at + interval '1 hour', at,
          at + interval '1 hour', 1 from slot)
      insert into booking (tenant_id, id, session_id, enrolment_id, student_id, state)
      select current_tenant(), gen_random_uuid(), session_id, enrolment_id, ${student.membershipId},
        case when direction < 0 then 'completed' else 'confirmed' end from slot`)
  })
}

/** All rows of a list, page by page. */
async function readAll<Row>(readPage: (cursor: string | undefined) => Promise<OverviewList<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const { items, next } = await readPage(cursor)
    rows.push(...items)
    cursor = next ?? undefined
  } while (cursor)
  return rows
}

test('the lists of mentor and student have every row once, page by page and in order', async () => {
  const { mentor, student, home } = school
  await addSessions(65)
  const upcoming = await readAll(
    async (cursor) => (await getMentorOverview(mentor, { upcoming: cursor }, NOW)).upcoming,
  )
  const past = await readAll(async (cursor) => (await getStudentOverview(student, { past: cursor }, NOW)).past)
  expect((await getMentorOverview(mentor, {}, NOW)).upcoming.items).toHaveLength(30)
  for (const rows of [upcoming, past]) {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(65)
    expect(rows).toHaveLength(65)
  }
  const timesOf = (rows: typeof upcoming) => rows.map(({ startAt }) => startAt.getTime())
  expect(timesOf(upcoming)).toEqual(timesOf(upcoming).toSorted((a, b) => a - b))
  expect(timesOf(past)).toEqual(timesOf(past).toSorted((a, b) => b - a))
  const students = await readAll(
    async (cursor) => (await getMentorOverview(mentor, { students: cursor }, NOW)).students,
  )
  expect(students).toHaveLength(65)
  expect(new Set(students.map(({ programId }) => programId)).size).toBe(65)
  const own = await readAll(async (cursor) => (await getStudentOverview(student, { programs: cursor }, NOW)).programs)
  expect(new Set(own.map(({ id }) => id)).size).toBe(66)
  expect(own).toHaveLength(66)
  const all = await readAll((cursor) => listPrograms(home.as.OWNER, { view: 'active', cursor }))
  expect(new Set(all.map(({ id }) => id)).size).toBe(66)
  expect(all).toHaveLength(66)
  const ofMentor = await readAll((cursor) => listPrograms(mentor, { view: 'active', cursor }))
  expect(ofMentor[0]).toMatchObject({ id: school.programId, isOwn: true })
  expect(ofMentor).toHaveLength(66)
})

test('a cursor of another list is refused', async () => {
  await addSessions(31)
  const { upcoming } = await getMentorOverview(school.mentor, {}, NOW)
  const read = (cursor: string | null) => getMentorOverview(school.mentor, { students: cursor ?? undefined }, NOW)
  await expect(Promise.resolve().then(() => read(upcoming.next))).rejects.toMatchObject({ code: 'invalid' })
})

test('statistics of a period omit earlier sessions, and keep those that are to come', async () => {
  await addSessions(1)
  const { mentor, student } = school
  await inTenant(mentor, (tx) =>
    tx.execute(sql`update mentor_session set start_at = start_at - interval '40 days', end_at = end_at - interval '40 days',
      busy_from = busy_from - interval '40 days', busy_to = busy_to - interval '40 days'
      where start_at < ${NOW.toISOString()}::timestamptz`),
  )
  const counts = async (period?: '30' | '90') =>
    (await listMentoringStatistics(mentor, { period }, NOW)).map(({ completed, upcoming }) => [completed, upcoming])
  expect(await counts('30')).toEqual([[0, 1]])
  expect(await counts('90')).toEqual([[1, 1]])
  expect(await counts()).toEqual([[1, 1]])
  expect(MentoringStatisticsQuery.safeParse({ period: '7' }).success).toBe(false)
  expect(() => listMentoringStatistics(student, {}, NOW)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  const stranger = (await createOtherTenant()).as.OWNER
  expect(await listMentoringStatistics(stranger, { period: '90' }, NOW)).toEqual([])
})
