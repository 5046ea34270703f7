import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { countOverdueTasks } from '#lib/homework/submission/overdue.ts'
import { homeworkMessage } from '#lib/homework/table.ts'
import { publishQuiz } from '#lib/quiz/quiz.ts'
import { listRisks } from '#lib/student/card/card.ts'
import { remindStudent } from '#lib/student/card/reminder.ts'
import { RISK_KINDS } from '#lib/student/card/rules.ts'
import { cardSections } from '#lib/student-card.ts'
import { changeLesson, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { handedIn, learner, withTask } from '../../../setup/course/works.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { takeTest } from '../../../setup/quiz/lessons.ts'
import { addQuiz } from '../../../setup/quiz/quizzes.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const DAY_MS = 86_400_000
let school: TestTenant
let owner: Actor
let count = 0

beforeAll(async () => {
  school = await createTestTenant('Школа')
  owner = school.as.OWNER
  const nextPayment = new Date(Date.now() + 30 * DAY_MS)
  await setPlan({ tenantId: owner.tenantId, group: 'lms', plan: 'max', nextPayment })
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

const newLearner = (courseId: string) => learner(school, courseId, `risk-${++count}@card.test`)
const risksOf = (student: Actor) => listRisks(owner, { studentId: student.membershipId }, cardSections)
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

test('required tasks whose due date has passed without an answer', async () => {
  const place = await withTask(owner, { dueRule: { mode: 'date', at: instantAt(-DAY_MS) } })
  const student = await newLearner(place.courseId)
  await countOverdueTasks()
  expect(await risksOf(student)).toEqual([{ kind: 'overdue', count: 1 }])
  await handedIn(student, place)
  await countOverdueTasks()
  expect(await risksOf(student)).toEqual([])
})

test('two required lessons that the plan opened more than a week ago and that are not completed', async () => {
  const { courseId, lessonIds } = await publishedCourse(owner)
  const [first = '', second = ''] = lessonIds
  const student = await newLearner(courseId)
  await inTenant(owner, (tx) =>
    tx.execute(sql`update access_grant set starts_at = now() - interval '20 days' where course_id = ${courseId}`),
  )
  const opens = (days: number) => ({ mode: 'date', at: instantAt(-days * DAY_MS) }) as const
  await changeLesson(owner, courseId, first, opens(9))
  await changeLesson(owner, courseId, second, opens(6))
  expect(await risksOf(student)).toEqual([])
  await changeLesson(owner, courseId, second, opens(8))
  expect(await risksOf(student)).toEqual([{ kind: 'behind', count: 2, title: 'Групи' }])
  await completeLesson(student, { lessonId: first })
  expect(await risksOf(student)).toEqual([])
})

test('reviews and messages of curators that are unread for two days', async () => {
  const place = await withTask(owner)
  const student = await newLearner(place.courseId)
  const { taskId } = place
  const review = (days: number) => ({
    state: 'returned' as const,
    reviewedBy: owner.membershipId,
    reviewedAt: daysAgo(days),
  })
  const submissionId = await handedIn(student, place, { ago: 80, ...review(1) })
  const write = (authorId: string, days: number) =>
    inTenant(owner, (tx) =>
      tx.insert(homeworkMessage).values({
        tenantId: owner.tenantId,
        id: newId(),
        taskId,
        studentId: student.membershipId,
        authorId,
        body: 'Погляньте ще раз',
        at: daysAgo(days),
      }),
    )
  await write(student.membershipId, 5)
  await write(owner.membershipId, 1)
  expect(await risksOf(student)).toEqual([])
  await write(owner.membershipId, 3)
  await inTenant(owner, (tx) =>
    tx.execute(sql`update submission set reviewed_at = ${daysAgo(3).toISOString()} where id = ${submissionId}`),
  )
  expect(await risksOf(student)).toEqual([{ kind: 'unreadReply', count: 2 }])
  await inTenant(owner, async (tx) => {
    await tx.execute(sql`update submission set read_by_student_at = now() where id = ${submissionId}`)
    await tx.execute(sql`update homework_message set read_at = now() where student_id = ${student.membershipId}`)
  })
  expect(await risksOf(student)).toEqual([])
})

test('two failed attempts at a test that was not passed, while it can be taken', async () => {
  const { courseId } = await publishedCourse(owner)
  const student = await newLearner(courseId)
  const { quizId, questionIds } = await addQuiz(owner, courseId, ['trueFalse'])
  await publishQuiz(owner, { quizId })
  const take = (isRight: boolean) => takeTest(student, quizId, questionIds[0] ?? '', isRight)
  await take(false)
  expect(await risksOf(student)).toEqual([])
  await take(false)
  const risk = { kind: 'failedTest', count: 2, title: 'Тест' }
  expect(await risksOf(student)).toEqual([risk])
  const setHidden = (hidden: boolean) =>
    inTenant(owner, (tx) => tx.execute(sql`update quiz set hidden = ${hidden} where id = ${quizId}`))
  await setHidden(true)
  expect(await risksOf(student)).toEqual([])
  await setHidden(false)
  await remindStudent(owner, { studentId: student.membershipId }, cardSections)
  const [email] = await listEmailsTo(student.email, owner.tenantId)
  // The reminder does not tell a result that the test may not show.
  expect(email?.text).toContain('Складний тест «Тест»?')
  await take(true)
  expect(await risksOf(student)).toEqual([])
})

test.each(LOCALES)('every risk has words for the team, the student and the audit log in %s', (locale) => {
  const t = getTranslator(locale)
  for (const kind of RISK_KINDS) {
    for (const text of [
      t(`student:card.risk.${kind}`, { count: 2, title: 'Т' }),
      t(`student:reminderEmail.${kind}`, { count: 2, title: 'Т' }),
      t(`audit:value.risk.${kind}`),
    ])
      expect(text).not.toMatch(/risk|reminderEmail|\{\{/)
  }
})
