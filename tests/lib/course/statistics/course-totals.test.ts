import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { countLearning, listCourseProgress, MANY_STUDENTS } from '#lib/course/statistics/course-totals.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

afterAll(() => pool.end())

const NOW = new Date()
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

/** A course of one lesson whose counter says `students`; one of them has access. */
async function createCourseWith(students: number) {
  const school = await createTestTenant('Школа')
  const { OWNER: owner, STUDENT: student } = school.as
  const { courseId } = await createCourse(owner, { title: 'Ораторство' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Підготовка' })
  const blocks = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
  const { lessonId } = await addLesson(owner, { moduleId, title: 'План', blocks })
  await publishCourse(owner, { courseId })
  await grantAccess(owner, { courseId, studentId: student.membershipId })
  await inTenant(owner, (tx) => tx.execute(sql`update course set student_count = ${students}`))
  const read = async (at: Date) => {
    const [{ active, completed }, [progress]] = await Promise.all([
      countLearning(owner, at),
      listCourseProgress(owner, 6, at),
    ])
    return { active, completed, share: Number(progress?.share) }
  }
  return { school, read, complete: () => completeLesson(student, { lessonId }) }
}

test('figures of the last days are true at once with few students', async () => {
  const { read, complete } = await createCourseWith(MANY_STUDENTS - 1)
  expect(await read(NOW)).toEqual({ active: 0, completed: 0, share: 0 })
  await complete()
  expect(await read(later(1))).toEqual({ active: 1, completed: 1, share: 1 / (MANY_STUDENTS - 1) })
})

test('figures of the last days are a minute old at most with many students, and of this school only', async () => {
  const { school, read, complete } = await createCourseWith(MANY_STUDENTS)
  expect(await read(NOW)).toEqual({ active: 0, completed: 0, share: 0 })
  await complete()
  expect(await read(later(59))).toEqual({ active: 0, completed: 0, share: 0 })
  expect(await countLearning(school.as.CURATOR, later(59))).toMatchObject({ active: 0, courses: 0 })
  const other = await createCourseWith(MANY_STUDENTS)
  await other.complete()
  expect(await other.read(later(59))).toEqual({ active: 1, completed: 1, share: 1 / MANY_STUDENTS })
  expect(await read(later(60))).toEqual({ active: 1, completed: 1, share: 1 / MANY_STUDENTS })
})
