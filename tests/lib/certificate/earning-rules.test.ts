import { beforeAll, describe, expect, test } from 'vitest'
import { claimCertificate, getOwnCertificate } from '#lib/certificate/issue/claim.ts'
import { ClaimCertificate } from '#lib/certificate/issue/schema.ts'
import { endOfValidity } from '#lib/certificate/issue/snapshot.ts'
import { findMissing } from '#lib/certificate/rule/qualify.ts'
import { RuleText } from '#lib/certificate/rule/schema.ts'
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

test('a validity in months ends on the last day of a shorter month', () => {
  expect(endOfValidity(new Date('2027-01-31T12:00:00Z'), 1)?.toISOString()).toBe('2027-02-28T12:00:00.000Z')
  expect(endOfValidity(new Date('2026-11-23T12:00:00Z'), 24)?.toISOString()).toBe('2028-11-23T12:00:00.000Z')
  expect(endOfValidity(new Date(), null)).toBeNull()
})

describe('what a student lacks', () => {
  const rule = { ...RuleText.parse({}), courseId: 'c', version: 1 }
  const facts = { percent: 100, openTasks: 0, hasAccess: true, test: null }

  test('is nothing when the lessons are completed and the tasks accepted', () => {
    expect(findMissing({ ...rule, requireTasks: true }, facts)).toEqual([])
  })

  test('names each condition', () => {
    const missing = findMissing(
      { ...rule, requireTasks: true, testId: 't', minScore: 80 },
      { percent: 50, openTasks: 2, hasAccess: false, test: { percent: 70, passed: true, at: new Date() } },
    )
    expect(missing).toEqual([
      { key: 'access' },
      { key: 'completion', percent: 50, needed: 100 },
      { key: 'tasks', count: 2 },
      { key: 'test', score: 70, needed: 80 },
    ])
  })

  test('includes the deadline once it has passed', () => {
    const deadline = new Date('2026-11-01T00:00:00Z')
    const late = findMissing({ ...rule, deadline }, { ...facts, percent: 90 }, new Date('2026-11-02T00:00:00Z'))
    expect(late.map(({ key }) => key)).toEqual(['completion', 'deadline'])
    expect(findMissing({ ...rule, deadline }, facts, new Date('2026-11-02T00:00:00Z'))).toEqual([])
  })

  test('a test after the deadline does not count', () => {
    const deadline = new Date('2026-11-01T00:00:00Z')
    const test = { percent: 100, passed: true, at: new Date('2026-11-02T00:00:00Z') }
    const missing = findMissing(
      { ...rule, testId: 't', deadline },
      { ...facts, test },
      new Date('2026-11-03T00:00:00Z'),
    )
    expect(missing.map(({ key }) => key)).toEqual(['test', 'deadline'])
  })
})
