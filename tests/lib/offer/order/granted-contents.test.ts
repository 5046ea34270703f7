import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimCertificate, getOwnCertificate } from '#lib/certificate/issue/claim.ts'
import { ClaimCertificate } from '#lib/certificate/issue/schema.ts'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { createCertifiedCourse } from '../../../setup/course/earned-certificate.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order } from '../../../setup/offer/orders.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

const buy = async ({ email }: Actor, courseId: string, change: Parameters<typeof createSoldOffer>[2]) =>
  answerBank(await order(home, await createSoldOffer(owner, courseId, change), { email }), 'success')
const newStudent = () => addTestMember(home, 'STUDENT', newBuyer())
const isOpen = async (student: Actor, lessonId: string) => (await openLesson(student, { lessonId })).content !== null

/** A published course of two modules with a lesson each. */
async function twoModules() {
  const { courseId } = await createCourse(owner, { title: 'Два модулі' })
  const blocks = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
  const modules: { moduleId: string; lessonId: string }[] = []
  for (const title of ['Перший', 'Другий']) {
    const { moduleId } = await addModule(owner, { courseId, title })
    modules.push({ moduleId, lessonId: (await addLesson(owner, { moduleId, title, blocks })).lessonId })
  }
  await publishCourse(owner, { courseId })
  const [first = { moduleId: '', lessonId: '' }, second = first] = modules
  return { courseId, first, second }
}

test('an offer of some modules opens these only, other courses as a whole, until its date', async () => {
  const { courseId, first, second } = await twoModules()
  const other = await publishedCourse(owner)
  const student = await newStudent()
  const accessUntil = '2099-06-30T20:59:00.000Z'
  const paid = await buy(student, courseId, {
    moduleIds: [second.moduleId],
    courseIds: [other.courseId],
    accessType: 'untilDate',
    accessUntil,
  })
  expect([await isOpen(student, first.lessonId), await isOpen(student, second.lessonId)]).toEqual([false, true])
  for (const lessonId of other.lessonIds) expect(await isOpen(student, lessonId)).toBe(true)
  const grants = await currentGrants(home.tenant.id, student.membershipId)
  expect(grants.map(({ sourceId, endsAt }) => [sourceId, endsAt])).toEqual(
    Array.from({ length: 2 }, () => [paid.id, new Date(accessUntil)]),
  )
})

test('an offer without a certificate gives none for the completed course, and another purchase adds it', async () => {
  const course = await createCertifiedCourse(owner)
  const student = await newStudent()
  await buy(student, course.courseId, { withCertificate: false })
  for (const lessonId of course.lessonIds) await completeLesson(student, { lessonId })
  const { courseId } = course
  const claim = async () => claimCertificate(student, ClaimCertificate.parse({ courseId, name: 'Ганна Їжакевич' }))
  await expect(claim()).rejects.toMatchObject({ code: 'unprocessable' })
  expect(await getOwnCertificate(student, { courseId })).toMatchObject({ missing: [{ key: 'access' }] })
  await buy(student, courseId, { name: 'Із сертифікатом' })
  expect(await claim()).toMatchObject({ certificateId: expect.any(String) })
})
