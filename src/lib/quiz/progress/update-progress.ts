import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { publishProgress, recordTests, type TestFacts } from '#lib/course/learning/progress.ts'
import { type LessonGrade, loadLessonGrades } from './lesson-grades.ts'

/** Number of students per transaction. */
const BATCH = 200

/**
 * Updates the progress of a student in the lessons that contain a test, so that the next lesson opens in the same
 * transaction. A lesson is passed when all its tests are passed. A pass without this test's result is removed, e.g.
 * after a regrading. Has to be called after each change of an attempt's result.
 */
export async function updateTestProgress(
  tx: Tx,
  { tenantId, quizId, studentId }: { tenantId: string; quizId: string; studentId: string },
): Promise<void> {
  // When two tests of a lesson end concurrently, the later transaction reads the result of the other.
  await lockUntilCommit(tx, 'test progress', studentId)
  const ofTest = sql`l.course_id = (select course_id from quiz where tenant_id = current_tenant() and id = ${quizId})
    and l.test_ids ? ${quizId}`
  const grades = await loadLessonGrades(tx, ofTest, [studentId])
  const isFailed = grades.some((grade) => grade.quizId === quizId && grade.passedAt === null)
  const facts = factsOf(grades).filter(({ passedAt }) => passedAt !== null || isFailed)
  const [changed] = await recordTests(tx, facts)
  if (!changed) return
  await requestAutomations(tenantId, 'courseCompleted', { studentId, subjectId: changed.courseId })
  await publishProgress(tx, changed)
}

/**
 * Job handler: evaluates again all students with attempts at the tests of a course, after a test was deleted, hidden,
 * published or its lesson was changed. Students may pass lessons by it; passed lessons are not reset because the course
 * has changed. Idempotent.
 */
export async function checkTests(
  { tenantId, courseId }: { tenantId: string; courseId: string },
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  let after: string | null = '00000000-0000-0000-0000-000000000000'
  while (after !== null) {
    run.signal.throwIfAborted()
    const from: string = after
    after = await inTenant({ tenantId }, async (tx) => {
      const studentIds = await listStudentIds(tx, courseId, from)
      const grades = await loadLessonGrades(tx, sql`l.course_id = ${courseId}`, studentIds)
      await recordTests(
        tx,
        factsOf(grades).filter(({ passedAt }) => passedAt !== null),
      )
      return studentIds.length === BATCH ? (studentIds.at(-1) ?? null) : null
    })
  }
}

/** For each student and lesson, when the last of its tests was passed. */
function factsOf(grades: readonly LessonGrade[]): TestFacts[] {
  const byLesson = Map.groupBy(grades, ({ studentId, lessonId }) => `${studentId} ${lessonId}`)
  return [...byLesson.values()].flatMap((ofLesson) => {
    const [grade] = ofLesson
    if (!grade) return []
    const times = ofLesson.flatMap(({ passedAt }) => passedAt?.getTime() ?? [])
    const isEveryPassed = times.length === ofLesson.length
    const passedAt = isEveryPassed ? new Date(Math.max(...times)) : null
    return [{ studentId: grade.studentId, lessonId: grade.lessonId, passedAt }]
  })
}

async function listStudentIds(tx: Tx, courseId: string, after: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select distinct a.student_id as id from quiz_attempt a join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
     where a.tenant_id = current_tenant() and q.course_id = ${courseId} and a.state = 'graded' and a.student_id > ${after}
     order by a.student_id limit ${BATCH}`)
  return rows.map(({ id }) => id)
}
