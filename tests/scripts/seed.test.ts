import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAutowebinarChecks } from '#lib/autowebinar/auto-session.ts'
import { getPlan } from '#lib/autowebinar/plan.ts'
import { listPurchases } from '#lib/billing/history.ts'
import { config } from '#lib/core/config/config.ts'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { inspectEncoder } from '#lib/core/media/encoder.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listMyCourses } from '#lib/course/learning/my-courses.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { countLearning } from '#lib/course/statistics/course-totals.ts'
import { readCourseFolder } from '#lib/course/transfer/read-course-folder.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders, ListOwnOrders } from '#lib/offer/order/order-schema.ts'
import { listOwnOrders } from '#lib/offer/order/own/own-orders.ts'
import { ORDER_STATES } from '#lib/offer/order/state-schema.ts'
import { readSalesReport } from '#lib/offer/report/report.ts'
import { hashPassword } from '#lib/user/password.ts'
import { beginSession, findActor } from '#lib/user/session.ts'
import { signIn } from '#lib/user/sign-in.ts'
import { asOwner } from '../../scripts/demo/as-owner.ts'
import { importCourse } from '../../scripts/demo/import-course.ts'
import { PASSWORD } from '../../scripts/demo/people.ts'
import { checkDemoAccounts } from '../../scripts/doctor/doctor-database.ts'
import { isEmpty, seedDemo } from '../../scripts/seed.ts'
import { listCourses } from '../setup/parsed/course.ts'
import { listCourseStudents } from '../setup/parsed/course-access.ts'

const SAMPLE = path.resolve('docs/sample-course')

async function actorOf(email: string, host: string) {
  const { rows } = await pool.query<{ id: string }>('select id from "user" where email = $1', [email])
  const caller = { address: '127.0.0.1', userAgent: 'tests', locale: 'uk', host } as const
  const token = await inSystem((tx) => beginSession(tx, rows[0]?.id ?? '', caller))
  const actor = await findActor(token, host)
  if (!actor) throw new Error(`${email} is let in nowhere on ${host}`)
  return actor
}

async function refusalOf(promise: Promise<unknown>) {
  const reason = await promise.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(reason instanceof Refusal)) throw new Error(`not refused: ${String(reason)}`)
  return { code: reason.code, fields: reason.details.fields }
}

beforeAll(async () => {
  expect(await isEmpty()).toBe(true)
  await seedDemo()
}, 300_000)

describe('the demo school', () => {
  test.each(ROLES)('has an account %s with the known password', async (role) => {
    const host = role === 'STUDENT' ? 'go' : 'demo'
    const email = `${role.toLowerCase()}@kafedra.test`
    const caller = { address: `10.0.0.${ROLES.indexOf(role)}`, userAgent: 'tests', locale: 'uk', host } as const
    expect(await signIn({ email, password: PASSWORD, return: undefined }, caller)).toMatchObject({
      token: expect.any(String),
    })
    expect((await actorOf(email, host)).roles).toEqual([role])
  })

  test('pays for both plan groups for thirty days', async () => {
    const { plans } = await actorOf('owner@kafedra.test', 'demo')
    expect(plans.map(({ group }) => group).sort()).toEqual(['lms', 'workshop'])
    for (const { nextPayment } of plans) {
      expect((Date.parse(nextPayment ?? '') - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    }
  })

  test('has courses in every status, with the sample course published and studied', async () => {
    const owner = await actorOf('owner@kafedra.test', 'demo')
    const { items } = await listCourses(owner, {})
    expect(items.map(({ status }) => status).sort()).toEqual(['archived', 'draft', 'published', 'published'])
    const sample = items.find(({ title }) => title === 'Перший вебінар: від ідеї до запису')
    expect(sample).toMatchObject({ status: 'published', lessonCount: 11, coverFileId: expect.any(String) })
    const students = (await listCourseStudents(owner, { courseId: sample?.id ?? '' })).items
    expect(students.filter(({ status }) => status === 'invited')).toHaveLength(3)
    expect(new Set(students.map(({ completed }) => completed)).size).toBeGreaterThan(5)
    expect(await countLearning(owner)).toMatchObject({ published: 2, invited: true })
  })

  test('shares a student with sonata, whose workshop plan has expired', async () => {
    const owner = await actorOf('owner@sonata.test', 'sonata')
    const lapsed = owner.plans.filter(({ nextPayment }) => Date.parse(nextPayment ?? '') < Date.now())
    expect(lapsed.map(({ group }) => group)).toEqual(['workshop'])
    const student = await actorOf('student@kafedra.test', 'go')
    expect(student.memberships.map(({ subdomain }) => subdomain).sort()).toEqual(['demo', 'sonata'])
    expect(student.subdomain).toBe('demo')
    expect(await listMyCourses(student)).toHaveLength(2)
    expect(await listMyCourses(await actorOf('student@sonata.test', 'go'))).toHaveLength(1)
  })

  test('is reported by the doctor on a public domain while an account has the published password', async () => {
    expect((await checkDemoAccounts('kafedra.localhost'))[0]).toBe('ok')
    const [level, , found] = await checkDemoAccounts('example.com')
    expect(level).toBe('fail')
    expect(found).toMatch(/owner@kafedra\.test.*student@sonata\.test/)
    const { rows } = await pool.query<{ email: string; password_hash: string }>(
      'select email, password_hash from "user"',
    )
    await pool.query('update "user" set password_hash = $1', [await hashPassword('Vlasnyi-2026!')])
    expect((await checkDemoAccounts('example.com'))[0]).toBe('ok')
    for (const { email, password_hash } of rows) {
      await pool.query('update "user" set password_hash = $2 where email = $1', [email, password_hash])
    }
  })

  test('has orders in all states, with a coupon, an invoice and the report of their revenue', async () => {
    const owner = await actorOf('owner@kafedra.test', 'demo')
    const { items, totals } = await listOrders(owner, ListOrders.parse({}))
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(ORDER_STATES.filter((state) => state !== 'new')))
    expect(totals).toMatchObject([{ count: items.length }])
    const { currencies } = await readSalesReport(owner, {})
    expect(currencies).toMatchObject([
      { total: { received: totals?.[0]?.paidAmount }, coupons: [{ name: 'STUDENT10' }] },
    ])
    const student = await actorOf('student@kafedra.test', 'go')
    expect((await listOwnOrders(student, ListOwnOrders.parse({}))).items).toMatchObject([{ state: 'paid' }])
    expect(await listPurchases(owner)).toMatchObject([{ documents: [{ kind: 'invoice' }, { kind: 'act' }] }])
  })

  test('has an automated webinar whose sessions can run, with a video as long as the webinar', async () => {
    const owner = await actorOf('owner@kafedra.test', 'demo')
    const { rows } = await inTenant(owner, (tx) =>
      tx.execute<{ id: string }>(sql`select id from workshop where type = 'autoWebinar'`),
    )
    const workshopId = rows[0]?.id ?? ''
    expect(await getPlan(owner, { workshopId })).toMatchObject({ videoProblem: null, isPublished: true })
    const checks = await inTenant(owner, (tx) => readAutowebinarChecks(tx, workshopId))
    expect(checks.filter(({ passed }) => !passed)).toEqual([])
    const { videoFileId } = await getPlan(owner, { workshopId })
    const encoder = await inspectEncoder(undefined)
    const place = path.join(config.dataDir, 'files', owner.tenantId, videoFileId ?? '')
    const options = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', place]
    const { stdout } = await promisify(execFile)(encoder.ffprobe, options)
    expect(Number(stdout)).toBeCloseTo(62 * 60, -1)
  })

  test('is created once', async () => {
    await seedDemo()
    const { rows } = await pool.query<{ schools: string }>('select count(*) as schools from tenant')
    expect(rows).toEqual([{ schools: '2' }])
  })
})

describe('a folder as a course', () => {
  test('becomes a draft of the school with its images', async () => {
    const bundle = await readCourseFolder(SAMPLE)
    const { courseId, lessonIds } = await asOwner('sonata', (owner) => importCourse(owner, bundle))
    expect(lessonIds).toHaveLength(11)
    const owner = await actorOf('owner@sonata.test', 'sonata')
    const outline = await getOutline(owner, { courseId })
    expect(outline.map((module) => module.lessons.length)).toEqual([3, 5, 3])
    expect((await listCourses(owner, { status: 'draft' })).items).toMatchObject([{ id: courseId, title: bundle.title }])
  })

  test('is refused for an unknown school', async () => {
    expect(await refusalOf(asOwner('nowhere', async () => null))).toMatchObject({
      code: 'not_found',
      fields: { school: ['import_no_school'] },
    })
  })

  test('leaves no rows when one lesson is refused', async () => {
    const bundle = await readCourseFolder(SAMPLE)
    const broken = {
      ...bundle,
      title: 'Зламаний',
      modules: [
        {
          title: 'М',
          lessons: [{ title: '', doc: bundle.modules[0]?.lessons[0]?.doc ?? { type: 'doc' as const, content: [] } }],
        },
      ],
    }
    const before = (await listCourses(await actorOf('owner@kafedra.test', 'demo'), {})).items.length
    await expect(asOwner('demo', (owner) => importCourse(owner, broken))).rejects.toThrow()
    expect((await listCourses(await actorOf('owner@kafedra.test', 'demo'), {})).items).toHaveLength(before)
  })
})
