import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { archiveCourses, restoreCourses, undoArchive } from '#lib/course/archive.ts'
import { archiveCourse, restoreCourse } from '#lib/course/publish.ts'
import { findActor } from '#lib/user/session.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { createTestTenant } from '../../setup/tenants.ts'

const atLimit = expect.objectContaining({
  details: expect.objectContaining({ fields: { form: ['limit_course_count'] } }),
})

let owner: Actor
const courseIds: string[] = []

// The plan "start" allows three courses.
beforeAll(async () => {
  const school = await createTestTenant(`Школа ${newId()}`)
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'start', nextPayment, trialEndsAt: null })
  owner = (await findActor(school.token.OWNER, school.tenant.subdomain)) ?? school.as.OWNER
  for (const title of ['Перший', 'Другий', 'Третій']) {
    courseIds.push((await createCourse(owner, { title })).courseId)
  }
})

afterAll(() => pool.end())

test('an archived course makes place for another one, and cannot return while the plan is full', async () => {
  await expect(createCourse(owner, { title: 'Четвертий' })).rejects.toEqual(atLimit)
  const [first = '', second = ''] = courseIds
  await archiveCourse(owner, { courseId: first })
  const { drafts } = await archiveCourses(owner, { courseIds: [second] })
  const { courseId: fourth } = await createCourse(owner, { title: 'Четвертий' })
  await restoreCourse(owner, { courseId: first })

  await expect(restoreCourse(owner, { courseId: second })).rejects.toEqual(atLimit)
  await expect(restoreCourses(owner, { courseIds: [second] })).rejects.toEqual(atLimit)
  await expect(undoArchive(owner, { drafts, published: [] })).rejects.toEqual(atLimit)
  await archiveCourse(owner, { courseId: fourth })
  expect(await restoreCourses(owner, { courseIds: [second] })).toEqual({ restored: 1 })
})

test('of two archived courses that are restored at once, only one takes the last place', async () => {
  const school = await createTestTenant(`Школа ${newId()}`)
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'start', nextPayment, trialEndsAt: null })
  const actor = (await findActor(school.token.OWNER, school.tenant.subdomain)) ?? school.as.OWNER
  const ids: string[] = []
  for (const title of ['А', 'Б']) {
    const { courseId } = await createCourse(actor, { title })
    await archiveCourse(actor, { courseId })
    ids.push(courseId)
  }
  for (const title of ['В', 'Г']) await createCourse(actor, { title })
  const outcomes = await Promise.allSettled(ids.map((courseId) => restoreCourse(actor, { courseId })))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})
