import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { requireCourseViewer } from '../permission.ts'

export interface CourseTotals {
  courses: number
  published: number
  lessons: number
  students: number
  /** Students who opened a lesson in the last seven days. */
  active: number
  /** Lessons completed in the last seven days. */
  completed: number
  /** Whether any student ever had access to a course. */
  invited: boolean
}

/** Totals of the courses that the actor is responsible for; one statement. Refuses with forbidden. */
export async function countLearning(actor: Actor): Promise<CourseTotals> {
  requireCourseViewer(actor)
  const recent = sql`${isResponsibleFor(actor, sql`p.course_id`)} and p.tenant_id = current_tenant()`
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<Record<keyof CourseTotals, string | boolean>>(sql`select
      (select count(*) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as courses,
      (select count(*) from course c where c.status = 'published' and ${isResponsibleFor(actor, sql`c.id`)}) as published,
      (select coalesce(sum(c.lesson_count), 0) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as lessons,
      (select coalesce(sum(c.student_count), 0) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as students,
      (select count(distinct p.student_id) from lesson_progress p
        where p.last_opened_at > now() - interval '7 days' and ${recent}) as active,
      (select count(*) from lesson_progress p
        where p.completed_at > now() - interval '7 days' and ${recent}) as completed,
      exists (select 1 from course c where c.student_count > 0 and ${isResponsibleFor(actor, sql`c.id`)}) as invited`),
  )
  const [row] = rows
  const toNumber = (key: keyof CourseTotals): number => Number(row?.[key] ?? 0)
  return {
    courses: toNumber('courses'),
    published: toNumber('published'),
    lessons: toNumber('lessons'),
    students: toNumber('students'),
    active: toNumber('active'),
    completed: toNumber('completed'),
    invited: row?.invited === true,
  }
}

export interface CourseProgress {
  id: string
  title: string
  status: 'draft' | 'published' | 'archived'
  students: number
  lessons: number
  /** Share of completed lessons over all students: 0 to 1. */
  share: number
}

/** The most recently changed courses with the progress of their students; one statement. Refuses with forbidden. */
export async function listCourseProgress(actor: Actor, limit = 6): Promise<CourseProgress[]> {
  requireCourseViewer(actor)
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{
      id: string
      title: string
      status: CourseProgress['status']
      students: number
      lessons: number
      done: string
    }>(
      sql`select c.id, c.title, c.status, c.student_count as students, c.published_lesson_count as lessons,
          (select coalesce(sum(p.completed), 0) from course_progress p
            where p.tenant_id = current_tenant() and p.course_id = c.id) as done
        from course c where c.status <> 'archived' and ${isResponsibleFor(actor, sql`c.id`)}
        order by c.updated_at desc, c.id desc limit ${limit}`,
    ),
  )
  return rows.map(({ done, ...row }) => {
    const total = row.students * row.lessons
    return { ...row, share: total === 0 ? 0 : Math.min(1, Number(done) / total) }
  })
}

export interface RecentCompletion {
  student: string
  lesson: string
  courseId: string
  course: string
  at: Date
}

/** Latest lesson completions; one statement. Refuses with forbidden. */
export async function listCompletions(actor: Actor, limit = 6): Promise<RecentCompletion[]> {
  requireCourseViewer(actor)
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ name: string; email: string; lesson: string; course_id: string; course: string; at: string }>(
      // The latest rows are selected by their index before they are joined.
      sql`select trim(u.first_name || ' ' || u.last_name) as name, u.email, p.course_id, c.title as course,
          coalesce(l.published_title, l.title) as lesson,
          to_char(p.completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from (select p.course_id, p.lesson_id, p.student_id, p.completed_at from lesson_progress p
               where p.tenant_id = current_tenant() and p.completed_at is not null
                 and ${isResponsibleFor(actor, sql`p.course_id`)}
               order by p.completed_at desc limit ${limit}) p
        join course c on c.tenant_id = current_tenant() and c.id = p.course_id
        join lesson l on l.tenant_id = current_tenant() and l.id = p.lesson_id
        join membership m on m.tenant_id = current_tenant() and m.id = p.student_id
        join "user" u on u.id = m.user_id
       order by p.completed_at desc`,
    ),
  )
  return rows.map((row) => ({
    student: row.name || row.email,
    lesson: row.lesson,
    courseId: row.course_id,
    course: row.course,
    at: new Date(row.at),
  }))
}

/** Authors are responsible for every course, a curator for assigned ones. */
function isResponsibleFor(actor: Actor, courseId: ReturnType<typeof sql>) {
  if (hasRole(actor, ['OWNER', 'DIRECTOR', 'EXPERT'])) return sql`true`
  return sql`exists (select 1 from course_staff s where s.course_id = ${courseId} and s.member_id = ${actor.membershipId})`
}
