import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { getResponseTimes } from '#lib/homework/submission/response-times.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createOtherTenant, createTestTenant } from '../../../setup/tenants.ts'

const ZONE = 'Europe/Kyiv'
const words: LessonDoc = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }

test('response times are reported by week and by reviewer, with the number of waiting submissions', async () => {
  const ours = await createTestTenant()
  const owner = ours.as.OWNER
  const { courseId } = await createCourse(owner, { title: 'Курс із роботами' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Урок', blocks: words })
  const none = await getResponseTimes(owner, { courseId }, ZONE)
  expect(none).toMatchObject({ waiting: 0, answered: 0, overdue: 0, medianHours: null, reviewers: [] })
  expect(none.weeks).toHaveLength(12)

  await inTenant(owner, async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into task (tenant_id, id, course_id, lesson_id, title, instructions)
      values (${owner.tenantId}, time_ordered_id(), ${courseId}, ${lessonId}, 'Завдання', '{"type":"doc","content":[]}') returning id`)
    const taskId = rows[0]?.id
    const works: [number, string, number | null, number][] = [
      [1, 'accepted', 10, 24],
      [2, 'returned', 20, 24],
      [3, 'accepted', 60, 24],
      [4, 'submitted', null, 24],
    ]
    for (const [attempt, state, hours, promised] of works) {
      await tx.execute(sql`
        insert into submission (tenant_id, id, task_id, course_id, lesson_id, student_id, attempt, state, submitted_at,
            answer_by, reviewed_at, reviewed_by)
        select ${owner.tenantId}, time_ordered_id(), ${taskId}, ${courseId}, ${lessonId}, ${ours.as.STUDENT.membershipId}, ${attempt},
          ${state}, at, at + make_interval(hours => ${promised}), at + make_interval(hours => ${hours}::int),
          case when ${hours}::int is not null then ${owner.membershipId}::uuid end
        from (select now() - interval '3 days' as at) one`)
    }
  })
  const times = await getResponseTimes(owner, { courseId }, ZONE)
  expect(times).toMatchObject({ waiting: 1, answered: 3, overdue: 1, medianHours: 20 })
  expect(times.reviewers).toMatchObject([{ answered: 3, medianHours: 20 }])
  expect(times.weeks.reduce((sum, { answered }) => sum + answered, 0)).toBe(3)

  const no = (code: string) => expect.objectContaining({ code })
  await expect(getResponseTimes(ours.as.CURATOR, { courseId }, ZONE)).rejects.toEqual(no('forbidden'))
  const theirs = await createOtherTenant()
  const stranger = await getResponseTimes(theirs.as.OWNER, { courseId }, ZONE).catch((error: Error) => error)
  expect(stranger).toMatchObject({ code: 'not_found' })
})
