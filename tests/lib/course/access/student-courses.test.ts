import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { listStudentCourses } from '#lib/course/access/student-courses.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { inviteToCourse } from '../../../setup/parsed/course-access.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let courseId: string
let studentId: string

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  courseId = (await createCourse(home.as.OWNER, { title: 'Акварель' })).courseId
  const { moduleId } = await addModule(home.as.OWNER, { courseId, title: 'Модуль' })
  await addLesson(home.as.OWNER, { moduleId, title: 'Урок' })
  studentId = (await inviteToCourse(home.as.OWNER, { courseId, email: 'card@courses.test' })).studentId
})
afterAll(() => pool.end())

test('the courses of a student are listed with grants and progress', async () => {
  const courses = await listStudentCourses(home.as.DIRECTOR, { studentId })
  expect(courses).toMatchObject([{ id: courseId, title: 'Акварель', completed: 0, lastOpenedAt: null }])
  expect(courses[0]?.grants).toHaveLength(1)
})

test('they are not shown to another school or to those who do not manage students', async () => {
  await expect(listStudentCourses(other.as.OWNER, { studentId })).rejects.toMatchObject({ code: 'not_found' })
  for (const role of ['EXPERT', 'CURATOR', 'STUDENT'] as const) {
    await expect(listStudentCourses(home.as[role], { studentId })).rejects.toMatchObject({ code: 'forbidden' })
  }
})
