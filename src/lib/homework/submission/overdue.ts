import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { loadCourseRoster } from '#lib/course/access/course-roster.ts'
import { latestRuleDate } from '#lib/course/learning/lesson-terms.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { setOverdueCounts } from '#lib/student/list/overdue-counts.ts'

const BATCH = 200
const GIVEN = "t.due_rule is not null and t.required and t.deleted_at is null and t.title <> ''"

interface DueTask {
  id: string
  lessonId: string
  dueRule: AccessRule
}

/**
 * Counts for every student the required tasks whose due date has passed without an answer, under current access only,
 * and updates the list of students. Periodic; returns the number of students that changed.
 */
export function countOverdueTasks(now = new Date()): Promise<number> {
  const dueSql = `select 1 from task t where ${GIVEN} union all select 1 from student where overdue_count > 0`
  return forEachTenant({ job: 'homework.countOverdueTasks', dueSql, now }, async (tenantId) => {
    const counts = new Map<string, number>()
    for (const [courseId, tasks] of await loadDueTasks(tenantId)) {
      await countInCourse({ tenantId, courseId, tasks, now }, counts)
    }
    return setOverdueCounts(tenantId, counts)
  })
}

function loadDueTasks(tenantId: string): Promise<Map<string, DueTask[]>> {
  return inTenant({ tenantId }, async (tx) => {
    const { rows } = await tx.execute<{ id: string; course_id: string; lesson_id: string; due_rule: unknown }>(
      sql`select t.id, t.course_id, t.lesson_id, t.due_rule from task t
        where t.tenant_id = current_tenant() and ${sql.raw(GIVEN)}`,
    )
    const grouped = Map.groupBy(rows, ({ course_id }) => course_id)
    return new Map(
      [...grouped].map(([courseId, tasks]) => [
        courseId,
        tasks.map((task) => ({
          id: task.id,
          lessonId: task.lesson_id,
          dueRule: parseStored(AccessRule, task.due_rule),
        })),
      ]),
    )
  })
}

interface CourseTasks {
  tenantId: string
  courseId: string
  tasks: readonly DueTask[]
  now: Date
}

async function countInCourse(input: CourseTasks, counts: Map<string, number>): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const ids = await inTenant(input, (tx) => countBatch(tx, input, after, counts))
    const last = ids.at(-1)
    if (!last) return
    after = last
  }
}

async function countBatch(
  tx: Tx,
  { courseId, tasks, now }: CourseTasks,
  after: string,
  counts: Map<string, number>,
): Promise<string[]> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`select distinct student_id from access_grant
    where tenant_id = current_tenant() and course_id = ${courseId} and revoked_at is null
      and student_id > ${after}::uuid order by student_id limit ${BATCH}`)
  const ids = rows.map(({ student_id }) => student_id)
  if (ids.length === 0) return ids
  const { students } = await loadCourseRoster(tx, courseId, ids)
  const { rows: answers } = await tx.execute<{ answer: string }>(sql`
    select distinct task_id || ' ' || student_id as answer from submission
    where tenant_id = current_tenant() and state <> 'draft' and course_id = ${courseId}
      and student_id = any(${sql.param(ids)}::uuid[])`)
  const answered = new Set(answers.map(({ answer }) => answer))
  for (const { studentId, enrolment } of students) {
    const visible = new Set(enrolment.lessons.map(({ id }) => id))
    const overdue = tasks.filter(({ id, lessonId, dueRule }) => {
      if (!visible.has(lessonId) || answered.has(`${id} ${studentId}`)) return false
      const dueAt = latestRuleDate(enrolment, lessonId, dueRule, now)
      return dueAt !== null && dueAt < now
    })
    if (overdue.length > 0) counts.set(studentId, (counts.get(studentId) ?? 0) + overdue.length)
  }
  return ids
}
