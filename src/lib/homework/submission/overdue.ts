import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { loadCourseRoster } from '#lib/course/access/course-roster.ts'
import { courseAccessOf } from '#lib/course/access/enrolment.ts'
import { latestRuleDate } from '#lib/course/learning/lesson-terms.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { setOverdueCounts } from '#lib/student/list/overdue-counts.ts'

const BATCH = 200
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const GIVEN = "t.due_rule is not null and t.required and t.deleted_at is null and t.title <> ''"

interface DueTask {
  id: string
  title: string
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
    const items = [...(await inTenant({ tenantId }, selectDueTasks))]
    const counted = new Set<string>()
    const task = {
      job: 'homework.countOverdueTasks',
      tenantId,
      items,
      idOf: ([courseId]: (typeof items)[number]) => courseId,
    }
    const failure = await forEachItem(task, async ([courseId, rows]) => {
      await countInCourse({ tenantId, courseId, tasks: rows.map(toDueTask), now }, counts)
      counted.add(courseId)
    }).then(
      () => null,
      (error: unknown) => error,
    )
    const uncounted = items.map(([courseId]) => courseId).filter((courseId) => !counted.has(courseId))
    const changed = await setOverdueCounts(tenantId, counts, uncounted)
    if (failure) throw failure
    return changed
  })
}

interface DueTaskRow extends Record<string, unknown> {
  id: string
  title: string
  course_id: string
  lesson_id: string
  due_rule: unknown
}

/** The tasks with a due date, by course. */
async function selectDueTasks(tx: Tx): Promise<Map<string, DueTaskRow[]>> {
  const { rows } = await tx.execute<DueTaskRow>(
    sql`select t.id, t.title, t.course_id, t.lesson_id, t.due_rule from task t
      where t.tenant_id = current_tenant() and ${sql.raw(GIVEN)}`,
  )
  return Map.groupBy(rows, ({ course_id }) => course_id)
}

const toDueTask = ({ id, title, lesson_id, due_rule }: DueTaskRow): DueTask => ({
  id,
  title,
  lessonId: lesson_id,
  dueRule: parseStored(AccessRule, due_rule),
})

interface CourseTasks {
  tenantId: string
  courseId: string
  tasks: readonly DueTask[]
  now: Date
}

async function countInCourse(input: CourseTasks, counts: Map<string, number>): Promise<void> {
  let after = FIRST_ID
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
  const ids = await nextStudents(tx, courseId, after)
  for (const { studentId } of await findOverdue(tx, { courseId, tasks, now }, ids)) {
    counts.set(studentId, (counts.get(studentId) ?? 0) + 1)
  }
  return ids
}

async function nextStudents(tx: Tx, courseId: string, after: string): Promise<string[]> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`select distinct student_id from enrolled_grants()
    where course_id = ${courseId} and student_id > ${after}::uuid order by student_id limit ${BATCH}`)
  return rows.map(({ student_id }) => student_id)
}

/** A required task whose due date has passed without an answer. */
export interface OverdueTask {
  studentId: string
  taskId: string
  title: string
  courseId: string
  lessonId: string
  dueAt: Date
}

interface OverdueFilter {
  /** Null: all courses. */
  courseId: string | null
  now: Date
  /** Answers that came later than this after the due date do not count: for the past. */
  answeredWithinMs?: number
}

/** The overdue tasks of all students with access. */
export async function listOverdueTasks(
  tx: Tx,
  { courseId, now, answeredWithinMs }: OverdueFilter,
): Promise<OverdueTask[]> {
  const overdue: OverdueTask[] = []
  for (const [id, rows] of await selectDueTasks(tx)) {
    if (courseId && id !== courseId) continue
    const tasks = rows.map(toDueTask)
    let after = FIRST_ID
    for (;;) {
      const ids = await nextStudents(tx, id, after)
      overdue.push(...(await findOverdue(tx, { courseId: id, tasks, now, answeredWithinMs }, ids)))
      const last = ids.at(-1)
      if (!last) break
      after = last
    }
  }
  return overdue
}

async function findOverdue(
  tx: Tx,
  {
    courseId,
    tasks,
    now,
    answeredWithinMs = Number.POSITIVE_INFINITY,
  }: Omit<CourseTasks, 'tenantId'> & { answeredWithinMs?: number | undefined },
  ids: readonly string[],
): Promise<OverdueTask[]> {
  if (ids.length === 0) return []
  const { students } = await loadCourseRoster(tx, courseId, ids)
  const { rows: answers } = await tx.execute<{ answer: string; at: Date | string | null }>(sql`
    select task_id || ' ' || student_id as answer, min(submitted_at) as at from submission
    where tenant_id = current_tenant() and state <> 'draft' and course_id = ${courseId}
      and student_id = any(${sql.param([...ids])}::uuid[]) group by task_id, student_id`)
  const answered = new Map(answers.map(({ answer, at }) => [answer, at ? new Date(at).getTime() : 0]))
  return students.flatMap(({ studentId, enrolment }) => {
    if (!courseAccessOf(enrolment, now).allow) return []
    const visible = new Set(enrolment.lessons.map(({ id }) => id))
    return tasks.flatMap(({ id: taskId, title, lessonId, dueRule }) => {
      if (!visible.has(lessonId)) return []
      const dueAt = latestRuleDate(enrolment, lessonId, dueRule, now)
      if (dueAt === null || dueAt >= now) return []
      const answeredAt = answered.get(`${taskId} ${studentId}`)
      const isAnswered = answeredAt !== undefined && answeredAt <= dueAt.getTime() + answeredWithinMs
      return isAnswered ? [] : [{ studentId, taskId, title, courseId, lessonId, dueAt }]
    })
  })
}
