import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { revokeAccess } from '#lib/course/access/revoke.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { getCourseStatistics, listStudentStatistics } from '#lib/course/statistics/course-statistics.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const words: LessonDoc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }

// Functions may throw or reject: both are a refusal.
const attempt = async (action: () => Promise<unknown>) => action()

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

/** A published course of four lessons with a number of students. */
async function taught(students: number) {
  const owner = ours.as.OWNER
  const { courseId } = await createCourse(owner, { title: 'Курс із числами' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const lessonIds: string[] = []
  for (const title of ['Один', 'Два', 'Три', 'Чотири']) {
    lessonIds.push((await addLesson(owner, { moduleId, title, blocks: words })).lessonId)
  }
  await publishCourse(owner, { courseId })
  const people = []
  for (let n = 0; n < students; n += 1) {
    const person = await addTestMember(ours, 'STUDENT', `figures-${courseId.slice(-6)}-${n}@students.test`)
    await grantAccess(owner, { courseId, studentId: person.membershipId })
    people.push(person)
  }
  return { courseId, lessonIds, people }
}

describe('statistics of a course', () => {
  test('count openings, completions and stuck students by lesson', async () => {
    const { courseId, lessonIds, people } = await taught(3)
    const [quick, slow, idle] = people
    const [first = '', second = ''] = lessonIds
    if (!quick || !slow || !idle) throw new Error('three students')
    for (const lessonId of lessonIds) await completeLesson(quick, { lessonId })
    await completeLesson(slow, { lessonId: first })
    await openLesson(slow, { lessonId: second })
    const figures = await getCourseStatistics(ours.as.OWNER, { courseId })
    expect(figures.lessons.map(({ title, opened, completed }) => [title, opened, completed])).toEqual([
      ['Один', 2, 2],
      ['Два', 2, 1],
      ['Три', 1, 1],
      ['Чотири', 1, 1],
    ])
    expect(figures).toMatchObject({ students: 3, share: 5 / 12, shares: [1, 0, 1, 0, 0, 1] })
    expect(figures.lessons.map(({ usualMinutes }) => usualMinutes)).toEqual([1, 1, 1, 1])
    expect(
      figures.lessons.map(({ stuck }) => stuck),
      'nobody is stuck on the same day',
    ).toEqual([0, 0, 0, 0])

    await inTenant(ours.as.OWNER, (tx) =>
      tx.execute(sql`update lesson_progress set last_opened_at = now()
        - case when lesson_id = ${second} then interval '8 days' else interval '9 days' end
        where student_id = ${slow.membershipId}`),
    )
    // Nobody has completed the last lesson of this course.
    const untouched = await taught(1)
    const [lesson] = (await getCourseStatistics(ours.as.OWNER, { courseId: untouched.courseId })).lessons
    expect(lesson).toMatchObject({ opened: 0, usualMinutes: null })
    const later = await getCourseStatistics(ours.as.OWNER, { courseId })
    expect(later.lessons.map(({ stuck }) => stuck)).toEqual([0, 1, 0, 0])
  })

  test('count only students who have a grant', async () => {
    const { courseId, lessonIds, people } = await taught(2)
    const [gone] = people
    if (!gone) throw new Error('a student')
    await completeLesson(gone, { lessonId: lessonIds[0] ?? '' })
    await revokeAccess(ours.as.OWNER, { courseId, studentId: gone.membershipId })
    expect(await getCourseStatistics(ours.as.OWNER, { courseId })).toMatchObject({ students: 1, share: 0 })
    expect(await listStudentStatistics(ours.as.OWNER, { courseId })).toHaveLength(1)
  })

  test('contain a row for each student in the export, including inactive ones', async () => {
    const { courseId, lessonIds, people } = await taught(2)
    const [firstPerson] = people
    if (!firstPerson) throw new Error('a student')
    await completeLesson(firstPerson, { lessonId: lessonIds[0] ?? '' })
    const rows = await listStudentStatistics(ours.as.OWNER, { courseId })
    expect(rows.map(({ email, completed, total }) => [email, completed, total])).toEqual([
      [people[0]?.email, 1, 4],
      [people[1]?.email, 0, 4],
    ])
    expect(rows.map(({ lastOpenedAt }) => lastOpenedAt === null)).toEqual([false, true])
  })

  test('are available to responsible staff of the tenant only', async () => {
    const { courseId } = await taught(1)
    const theirs = await createOtherTenant()
    const no = (code: string) => expect.objectContaining({ code })
    for (const action of [getCourseStatistics, listStudentStatistics]) {
      await expect(attempt(() => action(ours.as.CURATOR, { courseId }))).rejects.toEqual(no('forbidden'))
      await expect(attempt(() => action(ours.as.STUDENT, { courseId }))).rejects.toEqual(no('forbidden'))
      await expect(attempt(() => action(theirs.as.OWNER, { courseId }))).rejects.toEqual(no('not_found'))
    }
  })
})
