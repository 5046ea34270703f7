import { sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { courseAccessOf, type Enrolment, loadEnrolment } from '#lib/course/access/enrolment.ts'
import { latestRuleDate } from '#lib/course/learning/lesson-terms.ts'
import { lessonOpenings } from '#lib/course/learning/rule-dates.ts'
import { AccessRule } from '#lib/course/schema.ts'
import { scheduleScope } from '../rules.ts'
import { dateItem, isWithinPeriod } from './date-item.ts'

/** Maximum number of courses of one student. */
const MAX_COURSES = 50

interface DueTask extends Record<string, unknown> {
  id: string
  title: string
  courseId: string
  lessonId: string
  dueRule: unknown
}

/** Lesson openings and homework deadlines of a student, by the same functions that open the lessons. */
export const studentDateSource: ScheduleSource = { kinds: ['lesson', 'homework'], loadItems: loadStudentDates }

async function loadStudentDates(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const { kind, courseId, groupId, personId } = query.filters
  if (scheduleScope(actor) !== 'student' || personId) return { items: [] }
  const studentId = actor.membershipId
  const { rows: courses } = await tx.execute<{ courseId: string }>(sql`select distinct course_id as "courseId"
    from enrolled_grants() where student_id = ${studentId}
      and ${courseId ? sql`course_id = ${courseId}` : sql`true`}
      and ${groupId ? sql`source_type = 'group' and source_id = ${groupId}` : sql`true`}
    order by course_id limit ${MAX_COURSES}`)
  const ids = courses.map((row) => row.courseId)
  if (ids.length === 0) return { items: [] }
  const [tasks, enrolments] = await Promise.all([
    kind === 'lesson' ? [] : loadDueTasks(tx, ids),
    Promise.all(ids.map((id) => loadEnrolment(tx, { studentId, courseId: id }))),
  ])
  const items = enrolments
    .filter((enrolment) => courseAccessOf(enrolment, query.now).allow)
    .flatMap((enrolment) => [
      ...(kind === 'homework' ? [] : openingItems(enrolment, query)),
      ...homeworkItems(enrolment, tasks, query.now),
    ])
  return { items: items.filter((item) => isWithinPeriod(item.startAt, query)) }
}

async function loadDueTasks(tx: Tx, courseIds: readonly string[]): Promise<DueTask[]> {
  const { rows } = await tx.execute<DueTask>(sql`select t.id, t.title, t.course_id as "courseId",
      t.lesson_id as "lessonId", t.due_rule as "dueRule"
    from task t where t.tenant_id = current_tenant() and t.course_id = any(${sql.param([...courseIds])}::uuid[])
      and t.due_rule is not null and t.deleted_at is null and t.title <> ''`)
  return rows
}

function openingItems(enrolment: Enrolment, { now }: ScheduleQuery): ScheduleItem[] {
  return lessonOpenings(enrolment, now).map(({ lessonId, title, opensAt }) =>
    dateItem('lesson', lessonId, {
      title,
      startAt: opensAt,
      context: enrolment.course.title,
      href: `/course/lesson/${lessonId}`,
    }),
  )
}

function homeworkItems(enrolment: Enrolment, tasks: readonly DueTask[], now: Date): ScheduleItem[] {
  const visible = new Set(enrolment.lessons.map(({ id }) => id))
  return tasks.flatMap(({ id, title, courseId, lessonId, dueRule }) => {
    if (courseId !== enrolment.course.id || !visible.has(lessonId)) return []
    const startAt = latestRuleDate(enrolment, lessonId, parseStored(AccessRule, dueRule), now)
    const href = `/course/lesson/${lessonId}`
    return startAt ? [dateItem('homework', id, { title, startAt, context: enrolment.course.title, href })] : []
  })
}
