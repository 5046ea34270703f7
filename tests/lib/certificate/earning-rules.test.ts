import { beforeAll, expect, test } from 'vitest'
import { claimCertificate, getOwnCertificate } from '#lib/certificate/issue/claim.ts'
import { ClaimCertificate } from '#lib/certificate/issue/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { recordHomework, setTaskCount } from '#lib/course/learning/progress.ts'
import { type CertifiedCourse, completeCourse, createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const HOUR_MS = 3_600_000
let school: TestTenant
let owner: Actor
let count = 0
beforeAll(async () => {
  school = await createTestTenant()
  owner = school.as.OWNER
})

const newStudent = () => addTestMember(school, 'STUDENT', `earning-${++count}@school.test`)
const missingOf = async (student: Actor, { courseId }: CertifiedCourse) =>
  (await getOwnCertificate(student, { courseId }))?.missing
const claim = async (student: Actor, { courseId }: CertifiedCourse) =>
  claimCertificate(student, ClaimCertificate.parse({ courseId, name: 'Ґанна Їжакевич' }))

test('a rule that requires tasks counts the lessons whose homework is not accepted, also when it is reopened', async () => {
  const course = await createCertifiedCourse(owner, { requireTasks: true })
  const [lessonId = ''] = course.lessonIds
  await inTenant(owner, (tx) => setTaskCount(tx, lessonId, 1))
  const student = await newStudent()
  await completeCourse(owner, student, course)
  const record = (state: 'accepted' | 'in_review', acceptedAt: Date | null) =>
    inTenant(owner, (tx) => recordHomework(tx, owner, { studentId: student.membershipId, lessonId, state, acceptedAt }))
  const open = [{ key: 'tasks', count: 1 }]
  expect(await missingOf(student, course)).toEqual(open)
  await expect(claim(student, course)).rejects.toMatchObject({ code: 'unprocessable' })
  await record('accepted', new Date())
  expect(await missingOf(student, course)).toEqual([])
  await record('in_review', null)
  expect(await missingOf(student, course)).toEqual(open)
  await record('accepted', new Date())
  await expect(claim(student, course)).resolves.toMatchObject({ certificateId: expect.any(String) })
})

test('a rule without tasks ignores homework that waits', async () => {
  const course = await createCertifiedCourse(owner, { requireTasks: false })
  await inTenant(owner, (tx) => setTaskCount(tx, course.lessonIds[0] ?? '', 1))
  const student = await newStudent()
  await completeCourse(owner, student, course)
  expect(await missingOf(student, course)).toEqual([])
})

test('lessons and tasks that were completed after the deadline do not count', async () => {
  const deadline = new Date(Date.now() - HOUR_MS)
  const late = await createCertifiedCourse(owner, { deadline, requireTasks: true })
  const student = await newStudent()
  await completeCourse(owner, student, late)
  expect(await missingOf(student, late)).toEqual([
    { key: 'completion', percent: 0, needed: 100 },
    { key: 'deadline', at: deadline },
  ])
  await expect(claim(student, late)).rejects.toMatchObject({ code: 'unprocessable' })
  const open = await createCertifiedCourse(owner, { deadline: new Date(Date.now() + HOUR_MS) })
  await completeCourse(owner, student, open)
  expect(await missingOf(student, open)).toEqual([])
})

test('a smaller share of the lessons is enough if the rule requires only that', async () => {
  const course = await createCertifiedCourse(owner, { minCompletion: 50 })
  const student = await newStudent()
  await completeCourse(owner, student, { ...course, lessonIds: course.lessonIds.slice(0, 1) })
  expect(await missingOf(student, course)).toEqual([])
})
