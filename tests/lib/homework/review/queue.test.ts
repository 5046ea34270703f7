import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { acceptSubmissions, assignSubmissions, previewAccept } from '#lib/homework/review/assign.ts'
import type { QueueRow } from '#lib/homework/review/queue.ts'
import { countReviewQueue, listQueueFilterOptions, listReviewers } from '#lib/homework/review/queue-count.ts'
import { selectWork } from '#lib/homework/review/queue-sql.ts'
import { COUNT_LIMIT, canReview, deadlineClock } from '#lib/homework/review/rules.ts'
import { QUEUE_TABS, QueueFilter } from '#lib/homework/review/schema.ts'
import { loadScope } from '#lib/homework/review/scope.ts'
import { finishAttemptReview, saveAttemptReview } from '#lib/quiz/review/review.ts'
import { getTeam } from '#lib/team/team.ts'
import { addVacation } from '#lib/team/vacation.ts'
import { handedIn, learner, putOnCourse, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { listQueue, openSubmission } from '../../../setup/parsed/homework-review.ts'
import { submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const ids = ({ items }: { items: QueueRow[] }) => items.map(({ id }) => id)

describe('the response time', () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 10, 21, hours))
  const clock = (hours: number) => deadlineClock({ submittedAt: at(0), answerBy: at(24) }, at(hours))
  test.each([
    [0, 'calm', 24],
    [11, 'calm', 13],
    [12, 'soon', 12],
    [23, 'soon', 1],
    [24, 'late', 0],
    [30, 'late', 6],
  ])('after %i of 24 hours is %s with %i hours', (hours, tone, left) => {
    expect(clock(hours)).toEqual({ tone, hours: left })
  })
  test('is absent where none was configured', () => {
    expect(deadlineClock({ submittedAt: at(0), answerBy: null })).toEqual({ tone: 'none', hours: null })
  })
})

test('only staff responsible for a course review its submissions', () => {
  const may = (assigned: boolean) => ROLES.filter((role) => canReview({ roles: [role] }, assigned).allow)
  expect(may(false)).toEqual(['OWNER', 'DIRECTOR', 'EXPERT'])
  expect(may(true)).toEqual(['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'])
})

describe('the queue', () => {
  let home: TestTenant
  let first: TaskPlace
  let second: TaskPlace
  const works: Record<string, string> = {}
  beforeAll(async () => {
    home = await createTestTenant()
    first = await withTask(home.as.OWNER)
    second = await withTask(home.as.OWNER, {}, 'Інший курс')
    await putOnCourse(home.as.CURATOR, first.courseId)
    const { STUDENT } = home.as
    const olena = await learner(home, first.courseId, 'olena.shevchuk@queue.test')
    works.young = await handedIn(STUDENT, first, { ago: 2, answerBy: new Date(Date.now() + 3_600_000) })
    works.old = await handedIn(olena, first, { ago: 50, answerBy: new Date(Date.now() - 3_600_000), late: true })
    works.elsewhere = await handedIn(STUDENT, second, { ago: 20 })
    works.returned = await handedIn(olena, second, { ago: 90, state: 'returned' })
    works.again = await handedIn(olena, second, { ago: 5, attempt: 2 })
    await handedIn(STUDENT, first, { attempt: 2, state: 'draft', submittedAt: null })
  })

  test('lists waiting submissions, the longest waiting first, and no drafts', async () => {
    expect(ids(await listQueue(home.as.OWNER, {}))).toEqual([works.old, works.elsewhere, works.again, works.young])
  })

  test('shows a curator the submissions of assigned courses only, counts included', async () => {
    expect(ids(await listQueue(home.as.CURATOR, {}))).toEqual([works.old, works.young])
    const foreign = listQueue(home.as.CURATOR, { courseId: second.courseId })
    await expect(foreign).rejects.toThrow(code('not_found'))
    expect(await countReviewQueue(home.as.CURATOR)).toEqual({ toCheck: 2, mine: 0, overdue: 1 })
    expect(await countReviewQueue(home.as.OWNER)).toEqual({ toCheck: 4, mine: 0, overdue: 1 })
  })

  test('is empty for a curator without courses, and refused to others', async () => {
    const newcomer = await addTestMember(home, 'CURATOR', 'newcomer@queue.test')
    expect(ids(await listQueue(newcomer, {}))).toEqual([])
    for (const role of ['STUDENT', 'MENTOR', 'PRESENTER', 'MODERATOR', 'MEMBER'] as const) {
      expect(() => listQueue(home.as[role], {})).toThrow(code('forbidden'))
    }
  })

  test('omits returned submissions that were submitted again', async () => {
    expect(ids(await listQueue(home.as.OWNER, { tab: 'returned' }))).toEqual([])
    const other = await learner(home, first.courseId, 'waits@queue.test')
    const returned = await handedIn(other, first, { state: 'returned' })
    expect(ids(await listQueue(home.as.OWNER, { tab: 'returned' }))).toEqual([returned])
  })

  test('filters by course, lesson, student, name, day, lateness and reviewer', async () => {
    const find = async (filter: Parameters<typeof listQueue>[1]) => ids(await listQueue(home.as.OWNER, filter))
    expect(await find({ courseId: second.courseId })).toEqual([works.elsewhere, works.again])
    expect(await find({ lessonId: first.lessonId })).toEqual([works.old, works.young])
    expect(await find({ studentId: home.as.STUDENT.membershipId })).toEqual([works.elsewhere, works.young])
    expect(await find({ q: 'olena.shev' })).toEqual([works.old, works.again])
    expect(await find({ late: true })).toEqual([works.old])
    expect(await find({ curator: 'none' })).toHaveLength(4)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: home.as.OWNER.timeZone }).format(new Date())
    const dayBefore = new Date(Date.now() - 46 * 3_600_000).toISOString().slice(0, 10)
    expect(await find({ to: dayBefore })).toEqual([works.old])
    expect(await find({ from: today, to: today })).not.toContain(works.old)
  })

  test('assigns submissions to a reviewer, and shows them as theirs', async () => {
    const { OWNER, CURATOR } = home.as
    const { assigned } = await assignSubmissions(OWNER, {
      submissionIds: [String(works.young), String(works.elsewhere)],
      memberId: CURATOR.membershipId,
    })
    // The curator is not assigned to the second course.
    expect(assigned).toEqual([works.young])
    expect(ids(await listQueue(CURATOR, { tab: 'mine' }))).toEqual([works.young])
    expect((await listReviewers(OWNER)).find(({ id }) => id === CURATOR.membershipId)).toMatchObject({ waiting: 1 })
    await openSubmission(CURATOR, { submissionId: String(works.old) })
    expect(ids(await listQueue(CURATOR, { tab: 'mine' }))).toEqual([works.old, works.young])
    const stranger = assignSubmissions(OWNER, {
      submissionIds: [String(works.old)],
      memberId: home.as.STUDENT.membershipId,
    })
    await expect(stranger).rejects.toThrow(code('not_found'))
  })

  test('pages without losing or repeating a submission', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listQueue(home.as.OWNER, { limit: 1, cursor })
      seen.push(...ids(page))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(ids(await listQueue(home.as.OWNER, {})))
  })

  test('offers a curator the filters of assigned courses', async () => {
    const { courses, lessons } = await listQueueFilterOptions(home.as.CURATOR, { courseId: first.courseId })
    expect(courses.map(({ id }) => id)).toEqual([first.courseId])
    expect(lessons.map(({ id }) => id)).toEqual([first.lessonId])
    expect((await listQueueFilterOptions(home.as.CURATOR, { courseId: second.courseId })).lessons).toEqual([])
  })

  test('shows nothing of another tenant', async () => {
    const theirs = await createOtherTenant()
    expect(ids(await listQueue(theirs.as.OWNER, {}))).toEqual([])
    expect(await countReviewQueue(theirs.as.OWNER)).toEqual({ toCheck: 0, mine: 0, overdue: 0 })
  })
})

describe('attempts at tests', () => {
  const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  let home: TestTenant
  let work: TaskPlace
  let place1: Awaited<ReturnType<typeof offerQuiz>>
  let submissionId: string
  let attemptId: string
  beforeAll(async () => {
    home = await createTestTenant()
    work = await withTask(home.as.OWNER)
    submissionId = await handedIn(home.as.STUDENT, work, { ago: 1 })
    place1 = await offerQuiz(home, ['essay'])
    await putOnCourse(home.as.CURATOR, place1.courseId)
    await inTenant(home.as.OWNER, (tx) =>
      tx.execute(sql`update course set homework_sla_hours = 24 where id = ${place1.courseId}`),
    )
    attemptId = await submittedAttempt(home.as.STUDENT, place1, [KEYS.essay])
  })

  test('wait next to submissions, in the order of their time, with the response time of their course', async () => {
    const { items } = await listQueue(home.as.OWNER, {})
    expect(items.map(({ id, kind }) => [id, kind])).toEqual([
      [submissionId, 'homework'],
      [attemptId, 'test'],
    ])
    expect(items[1]).toMatchObject({
      href: `/test/${place1.quizId}/${home.as.STUDENT.membershipId}?attempt=${attemptId}`,
      state: 'submitted',
      attempt: 1,
      lesson: null,
      maxPoints: 5,
      score: null,
    })
    const { submittedAt, answerBy } = items[1] ?? {}
    expect(Number(answerBy) - Number(submittedAt)).toBe(24 * 3_600_000)
    expect(await countReviewQueue(home.as.OWNER)).toEqual({ toCheck: 2, mine: 0, overdue: 0 })
  })

  test('are filtered by kind, course, student and name, and shown to the curators of their course only', async () => {
    const find = async (filter: Parameters<typeof listQueue>[1], actor = home.as.OWNER) =>
      ids(await listQueue(actor, filter))
    expect(await find({ kind: 'test' })).toEqual([attemptId])
    expect(await find({ kind: 'homework' })).toEqual([submissionId])
    expect(await find({ courseId: place1.courseId })).toEqual([attemptId])
    expect(await find({ lessonId: work.lessonId })).toEqual([submissionId])
    expect(await find({ studentId: home.as.STUDENT.membershipId })).toHaveLength(2)
    expect(await find({ q: 'student' })).toHaveLength(2)
    expect(await find({}, home.as.CURATOR)).toEqual([attemptId])
    expect(await find({}, await addTestMember(home, 'CURATOR', 'elsewhere@queue.test'))).toEqual([])
  })

  test('are assigned like submissions, counted for their reviewer, and never accepted without marks', async () => {
    const { OWNER, CURATOR } = home.as
    const assign = { submissionIds: [submissionId, attemptId], memberId: CURATOR.membershipId }
    // The curator is not assigned to the course of the submission.
    expect(await assignSubmissions(OWNER, assign)).toEqual({ assigned: [attemptId] })
    expect(ids(await listQueue(CURATOR, { tab: 'mine' }))).toEqual([attemptId])
    expect((await listReviewers(OWNER)).find(({ id }) => id === CURATOR.membershipId)).toMatchObject({ waiting: 1 })
    const { members } = await getTeam(OWNER)
    expect(members.find(({ id }) => id === CURATOR.membershipId)?.openHomework).toBe(1)
    const preview = await previewAccept(OWNER, { submissionIds: [attemptId] })
    expect(preview).toMatchObject([{ submissionId: attemptId, skip: 'needsScore' }])
    await expect(acceptSubmissions(OWNER, { submissionIds: [attemptId] })).rejects.toThrow(code('not_found'))
    const theirs = await createOtherTenant()
    await expect(assignSubmissions(theirs.as.OWNER, { ...assign, memberId: null })).rejects.toThrow(code('not_found'))
  })

  test('of a new attempt go to the same reviewer, or to the deputy of one on vacation', async () => {
    const { OWNER, CURATOR } = home.as
    const assigned = async (id: string) => (await listQueue(OWNER, {})).items.find((row) => row.id === id)?.assignedTo
    const second = await submittedAttempt(home.as.STUDENT, place1, [KEYS.essay])
    expect(await assigned(second)).toMatchObject({ id: CURATOR.membershipId })
    const deputy = await addTestMember(home, 'CURATOR', 'deputy@queue.test')
    await addVacation(OWNER, {
      memberId: CURATOR.membershipId,
      deputyId: deputy.membershipId,
      firstDay: dayFromNow(-2),
      lastDay: dayFromNow(2),
    })
    const third = await submittedAttempt(home.as.STUDENT, place1, [KEYS.essay])
    expect(await assigned(third)).toMatchObject({ id: deputy.membershipId })
    // The deputy also sees submissions from before the vacation.
    expect(ids(await listQueue(deputy, {}))).toEqual([attemptId, second, third])
  })

  test('that were reviewed are in a tab of their own', async () => {
    const { questionIds } = place1
    const draft = { marks: { [questionIds[0] ?? '']: { score: 4.5, comment: '' } }, comment: '' }
    const { revision } = await saveAttemptReview(home.as.OWNER, { attemptId, revision: 0, draft })
    await finishAttemptReview(home.as.OWNER, { attemptId, revision })
    expect(ids(await listQueue(home.as.OWNER, {}))).not.toContain(attemptId)
    const { items } = await listQueue(home.as.OWNER, { tab: 'graded' })
    expect(items).toMatchObject([{ id: attemptId, state: 'graded', score: 4.5, maxPoints: 5 }])
    expect(items[0]?.reviewedBy).toMatchObject({ id: home.as.OWNER.membershipId })
    expect(ids(await listQueue(home.as.OWNER, { tab: 'accepted' }))).toEqual([])
  })
})

describe('however long the queue is', () => {
  let home: TestTenant
  beforeAll(async () => {
    home = await createTestTenant()
    const place = await withTask(home.as.OWNER)
    await putOnCourse(home.as.CURATOR, place.courseId)
    await handedIn(home.as.STUDENT, place, { answerBy: new Date(0) })
    await inTenant(home.as.OWNER, (tx) =>
      tx.execute(sql`insert into submission
          (tenant_id, id, task_id, course_id, lesson_id, student_id, attempt, state, submitted_at, answer_by)
        select tenant_id, gen_random_uuid(), task_id, course_id, lesson_id, student_id, n,
          case when n % 2 = 0 then 'accepted' else 'submitted' end, now() - n * interval '1 minute', now()
        from submission, generate_series(2, 20000) n`),
    )
    await pool.query('analyze submission')
  })

  test.each([...QUEUE_TABS, 'curator'] as const)('%s reads only a few index pages', async (tab) => {
    const actor = home.as[tab === 'curator' ? 'CURATOR' : 'OWNER']
    const filter = QueueFilter.parse({ tab: tab === 'curator' ? 'toCheck' : tab })
    const blocks = await inTenant(actor, async (tx) => {
      const scope = await loadScope(tx, actor)
      const picked = selectWork({ actor, filter, scope, limit: 41 })
      const { rows } = await tx.execute(sql`explain (analyze, buffers, format json) ${picked}`)
      const [{ Plan: plan }] = Object(rows[0])['QUERY PLAN']
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    })
    expect(blocks).toBeLessThan(300)
  })

  test('shows one page, and counts up to a limit', async () => {
    expect((await listQueue(home.as.OWNER, {})).items).toHaveLength(40)
    expect(await countReviewQueue(home.as.CURATOR)).toEqual({ toCheck: COUNT_LIMIT, mine: 0, overdue: COUNT_LIMIT })
  })

  test('reads only the people whom it shows, however many members the school has', async () => {
    const read = await inTenant(home.as.OWNER, async (tx) => {
      await tx.execute(sql`with people as (
          insert into "user" (id, email) select time_ordered_id(), 'member-' || n || '@queue.test' from generate_series(1, 3000) n
          returning id)
        insert into membership (tenant_id, id, user_id, account_type, roles, status)
        select current_tenant(), time_ordered_id(), id, 'ACCOUNT_TYPE_STUDENT', '{STUDENT}', 'accepted' from people`)
      await tx.execute(sql`analyze membership`)
      const count = async () => {
        const { rows } = await tx.execute<{ count: string }>(sql`
          select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'membership'`)
        return Number(rows[0]?.count)
      }
      const before = await count()
      await listQueue(home.as.OWNER, {})
      return (await count()) - before
    })
    expect(read).toBeLessThan(200)
  })
})
