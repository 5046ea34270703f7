import { type SQL, sql } from 'drizzle-orm'
import type { AutomationSettings } from './schema.ts'

/** The part of an automation that decides after what it acts. */
export type TriggerSettings = Pick<AutomationSettings, 'trigger' | 'courseId' | 'days' | 'delayHours'>

/** What is looked for: a student, and the subject of an event (see AutomationSubject); undefined or null: all. */
export interface CauseFilter {
  studentId?: string | null | undefined
  subjectId?: string | null | undefined
}

/**
 * SQL of everything that a trigger has found so far, as rows of student, cause, instant, name and page of what it is about,
 * and course. Homework has no SQL, because its due dates are computed by the rules of the lessons.
 */
export function causesOf(
  settings: TriggerSettings & { trigger: Exclude<TriggerSettings['trigger'], 'homeworkOverdue'> },
  { studentId, subjectId }: CauseFilter = {},
): SQL {
  const { trigger, courseId } = settings
  const inCourse = (column: SQL) => (courseId ? sql`and ${column} = ${courseId}` : sql``)
  const isOf = (student: SQL, subject: SQL) => sql`${studentId ? sql`and ${student} = ${studentId}` : sql``}
    ${subjectId ? sql`and ${subject} = ${subjectId}` : sql``}`
  switch (trigger) {
    case 'courseJoined':
      return sql`select g.student_id, 'joined/' || g.course_id as cause, min(greatest(g.created_at, g.starts_at)) as at,
          c.title as subject, '/course/view/' || c.id as link, c.id as course_id
        from enrolled_grants() g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
        where true ${inCourse(sql`g.course_id`)}
          ${isOf(sql`g.student_id`, sql`g.course_id`)}
        group by g.student_id, g.course_id, c.id, c.title`
    case 'lessonsNotOpened':
      return notOpened(settings)
    case 'testFailed':
      return sql`select a.student_id, 'attempt/' || a.id as cause, coalesce(a.graded_at, a.submitted_at) as at,
          q.title as subject, '/test/' || q.id as link, q.course_id
        from quiz_attempt a join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
        where a.tenant_id = current_tenant() and a.state = 'graded' and not a.passed ${inCourse(sql`q.course_id`)}
          ${isOf(sql`a.student_id`, sql`a.quiz_id`)}`
    case 'courseCompleted':
      return sql`select p.student_id, 'completed/' || p.course_id as cause,
          (select max(l.completed_at) from lesson_progress l where l.tenant_id = p.tenant_id
            and l.course_id = p.course_id and l.student_id = p.student_id) as at,
          c.title as subject, '/course/view/' || c.id as link, c.id as course_id
        from course_progress p join course c on c.tenant_id = p.tenant_id and c.id = p.course_id
        where p.tenant_id = current_tenant() and c.published_lesson_count > 0
          and p.completed >= c.published_lesson_count ${inCourse(sql`p.course_id`)}
          ${isOf(sql`p.student_id`, sql`p.course_id`)}`
    case 'eventMissed':
      return sql`select r.member_id as student_id, 'registration/' || r.id as cause, s.finished_at as at,
          w.title as subject, '/workshops' as link, null::uuid as course_id
        from registration r join workshop w on w.tenant_id = r.tenant_id and w.id = r.workshop_id
          join workshop_session s on s.tenant_id = r.tenant_id and s.workshop_id = r.workshop_id
            and s.kind in ('live', 'auto') and (r.session_id is null or r.session_id = s.id)
        where r.tenant_id = current_tenant() and r.member_id is not null and r.state = 'confirmed'
          and r.first_joined_at is null and s.finished_at is not null ${isOf(sql`r.member_id`, sql`s.id`)}`
  }
}

/**
 * Students with access who have opened no lesson for some days after they joined or opened the last one, and until the
 * automation acts: the gaps between the instants that are stored. Who has completed the course or is paused is left alone.
 */
function notOpened({ courseId, days, delayHours }: TriggerSettings): SQL {
  const course = courseId ? sql`and course_id = ${courseId}` : sql``
  return sql`
    with enrolled as (
      select a.student_id, a.course_id, min(greatest(g.created_at, a.starts_at)) as at
      from course_access(now()) a join enrolled_grants() g on g.id = a.grant_id
      where true ${courseId ? sql`and a.course_id = ${courseId}` : sql``} group by a.student_id, a.course_id),
    point as (
      select student_id, course_id, at from enrolled
      union select student_id, course_id, opened_at from lesson_progress where tenant_id = current_tenant() ${course}
      union select student_id, course_id, last_opened_at from lesson_progress
        where tenant_id = current_tenant() ${course}),
    gap as (
      select student_id, course_id, at, lead(at) over (partition by student_id, course_id order by at) as next
      from point)
    select gap.student_id, 'idle/' || gap.course_id || '/' || extract(epoch from gap.at)::bigint as cause,
      gap.at + make_interval(days => ${days}) as at, c.title as subject, '/course/view/' || c.id as link, c.id as course_id
    from gap join enrolled e on e.student_id = gap.student_id and e.course_id = gap.course_id and gap.at >= e.at
      join course c on c.tenant_id = current_tenant() and c.id = gap.course_id and c.status = 'published'
      left join course_progress p on p.tenant_id = current_tenant() and p.course_id = gap.course_id
        and p.student_id = gap.student_id
    where (gap.next is null or gap.next > gap.at + make_interval(days => ${days}, hours => ${delayHours}))
      and c.published_lesson_count > coalesce(p.completed, 0)`
}
