import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { grantEndsAt } from '#lib/course/access/access.ts'
import { courseAccessOf, loadEnrolment } from '#lib/course/access/enrolment.ts'
import { accessGrant, studyGroup } from '#lib/course/learning/table.ts'
import { course } from '#lib/course/table.ts'
import { membership } from '#lib/user/table.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const HOUR_MS = 3_600_000
// Clock changes: Kyiv and Lisbon 2026-03-29 and 2026-10-25, New York 2026-03-08 and 2026-11-01.
const CLOCK_CHANGES = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01'].map((day) => Date.parse(day))
const ZONES = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu', 'Europe/Lisbon', 'UTC']

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

/** Whole hours near a clock change, so that instants coincide and fall into skipped and repeated hours. */
const instant = fc
  .record({ change: fc.constantFrom(...CLOCK_CHANGES), hours: fc.integer({ min: -60, max: 60 }) })
  .map(({ change, hours }) => new Date(change + hours * HOUR_MS))
const period = fc
  .record({ start: instant, hours: fc.integer({ min: 1, max: 6000 }) })
  .map(({ start, hours }) => ({ start, end: new Date(start.getTime() + hours * HOUR_MS) }))
const frozen = fc
  .record({
    instants: fc.uniqueArray(instant, { maxLength: 4, selector: (at) => at.getTime() }),
    isOpen: fc.boolean(),
  })
  .map(({ instants, isOpen }) => {
    const sorted = instants.map((at) => at.toISOString()).sort()
    const pairs = [sorted.slice(0, 2), sorted.slice(2, 4)]
    return pairs.flatMap(([from, to]) => (from && (to || isOpen) ? [{ from, to: to ?? null }] : []))
  })
const grant = fc.record({
  startsAt: instant,
  endsAt: fc.option(instant),
  revokedAt: fc.option(instant, { freq: 3 }),
  frozen: frozen,
  group: fc.option(
    fc
      .record({ period, isEndless: fc.boolean(), timeZone: fc.constantFrom(...ZONES) })
      .map(({ period: { start, end }, isEndless, timeZone }) => ({
        startAt: start,
        endAt: isEndless ? null : end,
        timeZone,
      })),
    { freq: 2 },
  ),
})
const generatedCourse = fc.record({
  status: fc.constantFrom(...(['draft', 'published', 'published', 'published', 'archived'] as const)),
  dates: fc.option(fc.record({ period, hasStart: fc.boolean(), hasEnd: fc.boolean() }), { freq: 2 }),
  grants: fc.array(grant, { maxLength: 3 }),
})
type GeneratedCourse = typeof generatedCourse extends fc.Arbitrary<infer T> ? T : never

/** Returns the ids of the courses. */
async function insertCourses(tx: Tx, courses: readonly GeneratedCourse[]): Promise<string[]> {
  const { tenantId, membershipId: studentId } = home.as.STUDENT
  const rows = courses.map((row) => ({ ...row, id: newId() }))
  await tx.insert(course).values(
    rows.map(({ id, status, dates }) => ({
      tenantId,
      id,
      title: 'Курс',
      slug: id,
      status,
      accessStart: dates?.hasStart ? dates.period.start : null,
      accessEnd: dates?.hasEnd ? dates.period.end : null,
    })),
  )
  const grants = rows.flatMap(({ id, grants }) => grants.map((row) => ({ ...row, courseId: id, sourceId: newId() })))
  const groups = grants.flatMap(({ courseId, sourceId, group }) =>
    group ? [{ tenantId, id: sourceId, courseId, name: 'Група', ...group }] : [],
  )
  if (groups.length > 0) await tx.insert(studyGroup).values(groups)
  if (grants.length > 0) {
    await tx.insert(accessGrant).values(
      grants.map(({ group, ...row }) => ({
        ...row,
        tenantId,
        studentId,
        sourceType: group ? ('group' as const) : ('order' as const),
      })),
    )
  }
  return rows.map(({ id }) => id)
}

interface OpenGrant {
  courseId: string
  grantId: string
  startsAt: Date
  endsAt: Date | null
  closesAt: Date | null
}

async function findBySql(tx: Tx, moment: Date): Promise<OpenGrant[]> {
  const { rows } = await tx.execute<Record<keyof OpenGrant, string>>(sql`
    select course_id as "courseId", grant_id as "grantId", starts_at as "startsAt", ends_at as "endsAt",
      closes_at as "closesAt"
    from course_access(${moment.toISOString()}::timestamptz)`)
  return rows.map(({ courseId, grantId, startsAt, endsAt, closesAt }) => ({
    courseId,
    grantId,
    startsAt: new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
    closesAt: closesAt === null ? null : new Date(closesAt),
  }))
}

/** The same by the functions that open lessons. */
async function findByRules(tx: Tx, courseId: string, moment: Date): Promise<OpenGrant[]> {
  const enrolment = await loadEnrolment(tx, { studentId: home.as.STUDENT.membershipId, courseId })
  const open = enrolment.grants.filter((item) => courseAccessOf({ ...enrolment, grants: [item] }, moment).allow)
  expect(open.length > 0).toBe(courseAccessOf(enrolment, moment).allow)
  return open.map((item) => {
    const ends = [grantEndsAt(item), enrolment.course.accessEnd, ...item.frozen.map(({ from }) => new Date(from))]
    const times = ends.flatMap((at) => (at && at > moment ? [at.getTime()] : []))
    const closesAt = times.length > 0 ? new Date(Math.min(...times)) : null
    return { courseId, grantId: item.id, startsAt: item.startsAt, endsAt: grantEndsAt(item), closesAt }
  })
}

const byGrant = (rows: OpenGrant[]) => rows.sort((a, b) => (a.grantId < b.grantId ? -1 : 1))

test('the access that SQL finds is the access that opens lessons', async () => {
  const counts = { open: 0, closed: 0 }
  const courses = fc.array(generatedCourse, { minLength: 30, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(courses, instant, (generated, moment) =>
      inTenant(home.as.STUDENT, async (tx) => {
        const ids = await insertCourses(tx, generated)
        const expected = (await Promise.all(ids.map((id) => findByRules(tx, id, moment)))).flat()
        const found = await findBySql(tx, moment)
        await tx.delete(accessGrant)
        expect(byGrant(found)).toEqual(byGrant(expected))
        counts.open += expected.length
        counts.closed += generated.flatMap(({ grants }) => grants).length - expected.length
      }),
    ),
    { numRuns: 15 },
  )
  // The generated grants are neither all open nor all closed.
  expect(Math.min(counts.open, counts.closed)).toBeGreaterThan(20)
}, 30_000)

test('a blocked student and a student of another tenant have no access', async () => {
  const other = await createTestTenant()
  const generated: GeneratedCourse = {
    status: 'published',
    dates: null,
    grants: [{ startsAt: new Date('2026-01-01'), endsAt: null, revokedAt: null, frozen: [], group: null }],
  }
  const [courseId] = await inTenant(home.as.OWNER, (tx) => insertCourses(tx, [generated]))
  const count = async (tenant: TestTenant) => {
    const { rows } = await inTenant(tenant.as.OWNER, (tx) =>
      tx.execute(sql`select 1 from course_access('2026-06-01') where course_id = ${courseId}`),
    )
    return rows.length
  }
  expect([await count(home), await count(other)]).toEqual([1, 0])
  const setBlocked = (blockedAt: Date | null) =>
    inTenant(home.as.OWNER, (tx) =>
      tx.update(membership).set({ blockedAt }).where(eq(membership.id, home.as.STUDENT.membershipId)),
    )
  await setBlocked(new Date())
  expect(await count(home)).toBe(0)
  await setBlocked(null)
})

test('the planner inlines the functions, so that indexes answer them', async () => {
  const explain = async (query: ReturnType<typeof sql>) => {
    const { rows } = await inTenant(home.as.OWNER, (tx) => tx.execute<Record<string, string>>(sql`explain ${query}`))
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const student = home.as.STUDENT.membershipId
  for (const plan of [
    await explain(sql`select course_id from course_access(now()) where student_id = ${student}`),
    await explain(sql`select course_id from enrolled_grants() where student_id = ${student}`),
  ]) {
    expect(plan).toContain('access_grant')
    expect(plan).not.toContain('Function Scan')
  }
})
