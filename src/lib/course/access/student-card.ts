import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { Risk } from '#lib/student/card/rules.ts'
import type { CardSection } from '#lib/student/card/section.ts'
import { latestRuleDate } from '../learning/lesson-terms.ts'
import { courseAccessOf, type Enrolment, loadEnrolment } from './enrolment.ts'

/** A lesson is behind the plan when it was planned for a day so long ago and is not completed. */
const BEHIND_DAYS = 7
const MIN_LESSONS_BEHIND = 2
const MAX_COURSES = 5

/**
 * The sections of courses in the student card: lessons and grants in the timeline, and how far the student is behind
 * the plan.
 */
export const courseCardSection: CardSection = {
  key: 'courses',
  timeline: (studentId) => [
    lessonEntries(studentId, 'opened_at', 'opened', sql`true`),
    lessonEntries(studentId, 'completed_at', 'completed', sql`p.completed_at is not null`),
    lessonEntries(studentId, 'last_opened_at', 'watched', sql`p.watched is not null and p.watched <> '{}'::jsonb`),
    sql`select g.created_at as at, g.id, 'granted'::text as kind, c.title,
        '/student/' || g.student_id || '?tab=access&course=' || c.id as href
      from access_grant g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
      where g.tenant_id = current_tenant() and g.student_id = ${studentId}`,
  ],
  risks: findCoursesBehind,
}

function lessonEntries(studentId: string, column: string, kind: string, condition: SQL): SQL {
  return sql`select p.${sql.raw(column)} as at, p.lesson_id as id, ${kind}::text as kind,
      coalesce(l.published_title, l.title) as title,
      '/student/' || p.student_id || '?tab=access&course=' || p.course_id as href
    from lesson_progress p join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
    where p.tenant_id = current_tenant() and p.student_id = ${studentId} and ${condition}`
}

async function findCoursesBehind(tx: Tx, studentId: string, now: Date): Promise<Risk[]> {
  // Each course is selected inside the statements about it: selecting its id first would take another round trip.
  const enrolments = await Promise.all(
    Array.from({ length: MAX_COURSES }, (_, number) =>
      loadEnrolment(tx, { studentId, courseId: newestCourse(studentId, number) }).catch(nullIfRefused),
    ),
  )
  return enrolments.flatMap((enrolment) => {
    const count = enrolment ? countLessonsBehind(enrolment, now) : 0
    return enrolment && count >= MIN_LESSONS_BEHIND
      ? [{ kind: 'behind' as const, count, title: enrolment.course.title }]
      : []
  })
}

/** The course that a student was given access to last, or the previous ones by `number`; null when there are fewer. */
const newestCourse = (studentId: string, number: number): SQL<string> =>
  sql<string>`(select g.course_id from enrolled_grants() g where g.student_id = ${studentId}
    group by g.course_id order by max(g.created_at) desc, g.course_id limit 1 offset ${number})`

/**
 * Number of required lessons that the rules of the course scheduled for a day more than a week ago and that are not
 * completed. Rules without a date schedule nothing.
 */
function countLessonsBehind(enrolment: Enrolment, now: Date): number {
  if (!courseAccessOf(enrolment, now).allow) return 0
  const limit = now.getTime() - BEHIND_DAYS * DAY_MS
  return enrolment.lessons.filter(({ id, required, completedAt, availability, moduleAvailability }) => {
    if (!required || completedAt) return false
    const dates = [moduleAvailability, availability].flatMap((rule) => latestRuleDate(enrolment, id, rule, now) ?? [])
    return dates.length > 0 && dates.every((date) => date.getTime() < limit)
  }).length
}
