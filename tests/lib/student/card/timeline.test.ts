import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { claimCertificate } from '#lib/certificate/issue/claim.ts'
import { issueDue } from '#lib/certificate/issue/issue.ts'
import { ClaimCertificate } from '#lib/certificate/issue/schema.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { cardSections } from '#lib/student-card.ts'
import { completeCourse, createCertifiedCourse } from '../../../setup/course/earned-certificate.ts'
import { createWebinar, visitorAt } from '../../../setup/meeting/events.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { registerForEvent } from '../../../setup/parsed/registration.ts'
import { listTimeline } from '../../../setup/parsed/student-card.ts'
import { submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

afterAll(() => pool.end())

test('the timeline tells what a student opened, watched, completed, submitted, registered for and attended', async () => {
  const school = await createTestTenant('Історія')
  const { OWNER: owner, STUDENT: student } = school.as
  const { courseId } = await createCourse(owner, { title: 'Ораторство' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Підготовка' })
  const blocks = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
  const { lessonId } = await addLesson(owner, { moduleId, title: 'План', blocks })
  await publishCourse(owner, { courseId })
  const studentId = student.membershipId
  await grantAccess(owner, { courseId, studentId })
  await completeLesson(student, { lessonId })
  const { workshopId } = await createWebinar(owner, { startAt: new Date(Date.now() + DAY_MS).toISOString() })
  await registerForEvent(visitorAt(school), { workshopId, name: 'Олена Ткач', email: student.email })
  const taskId = randomUUID()
  await inTenant(owner, async (tx) => {
    await tx.execute(sql`update lesson_progress set watched = '{"file": [[0, 9]]}' where student_id = ${studentId}`)
    await tx.execute(sql`update registration set first_joined_at = now()`)
    await tx.execute(sql`insert into task (tenant_id, id, course_id, lesson_id, title, instructions)
      values (${owner.tenantId}, ${taskId}, ${courseId}, ${lessonId}, 'Промова', ${JSON.stringify(blocks)}::jsonb)`)
    await tx.execute(sql`insert into submission (tenant_id, id, task_id, course_id, lesson_id, student_id, state, text,
        submitted_at, answer_by, reviewed_by, reviewed_at)
      values (${owner.tenantId}, ${randomUUID()}, ${taskId}, ${courseId}, ${lessonId}, ${studentId}, 'accepted', 'Моя',
        now(), now(), ${owner.membershipId}, now())`)
  })
  const { items } = await listTimeline(owner, { studentId }, cardSections)
  const entries = new Map(items.map(({ kind, title }) => [kind, title]))
  expect(Object.fromEntries(entries)).toMatchObject({
    granted: 'Ораторство',
    opened: 'План',
    watched: 'План',
    completed: 'План',
    submitted: 'Промова',
    reviewed: 'Промова',
    registered: expect.any(String),
    attended: expect.any(String),
    emailed: expect.any(String),
  })
  expect(entries.get('attended')).toBe(entries.get('registered'))
})

test('the timeline tells which tests a student submitted, when a reviewer marked them, and the certificate', async () => {
  const school = await createTestTenant('Історія тестів')
  const { OWNER: owner, STUDENT: student } = school.as
  const offered = await offerQuiz(school, ['trueFalse'])
  await submittedAttempt(student, offered, [KEYS.trueFalse])
  const course = await createCertifiedCourse(owner)
  await completeCourse(owner, student, course)
  await claimCertificate(student, ClaimCertificate.parse({ courseId: course.courseId, name: 'Олена Ткач' }))
  await issueDue({ tenantId: owner.tenantId, courseId: course.courseId }, { signal: new AbortController().signal })
  const kinds = async () => {
    const { items } = await listTimeline(owner, { studentId: student.membershipId, limit: 100 }, cardSections)
    return items.map(({ kind }) => kind)
  }
  expect(await kinds()).toEqual(expect.arrayContaining(['tested', 'certified']))
  // The mark of an automatic score is no entry of its own.
  expect(await kinds()).not.toContain('marked')
  await inTenant(owner, (tx) => tx.execute(sql`update quiz_attempt set graded_at = submitted_at + interval '1 hour'`))
  expect(await kinds()).toContain('marked')
})
