import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { TimedCache } from '#lib/core/timed-cache.ts'
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

/** From this many students on, figures that are counted from their progress are counted once a minute. */
export const MANY_STUDENTS = 1000
const FIGURES_LIFETIME_MS = MINUTE_MS

type RecentTotals = Pick<CourseTotals, 'active' | 'completed'>
const recentTotals = new TimedCache<RecentTotals>({ lifetimeMs: FIGURES_LIFETIME_MS })
/** Completed lessons of all students of a course, by the course, for each tenant. */
const completedLessons = new TimedCache<ReadonlyMap<string, number>>({ lifetimeMs: FIGURES_LIFETIME_MS })

/**
 * Totals of the courses that the actor is responsible for. With many students those of the last seven days may be a minute
 * old. Refuses with forbidden.
 */
export async function countLearning(actor: Actor, now = new Date()): Promise<CourseTotals> {
  requireCourseViewer(actor)
  const key = `${actor.tenantId} ${isAuthor(actor) ? '' : actor.membershipId}`
  return inTenant(actor, async (tx) => {
    const known = recentTotals.get(key, now)
    const [{ rows }, recent] = await Promise.all([
      tx.execute<Record<Exclude<keyof CourseTotals, keyof RecentTotals>, string | boolean>>(sql`select
        (select count(*) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as courses,
        (select count(*) from course c where c.status = 'published' and ${isResponsibleFor(actor, sql`c.id`)}) as published,
        (select coalesce(sum(c.lesson_count), 0) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as lessons,
        (select coalesce(sum(c.student_count), 0) from course c where ${isResponsibleFor(actor, sql`c.id`)}) as students,
        exists (select 1 from course c where c.student_count > 0 and ${isResponsibleFor(actor, sql`c.id`)}) as invited`),
      known ?? countRecent(tx, actor),
    ])
    const [row] = rows
    const students = Number(row?.students ?? 0)
    if (!known && students >= MANY_STUDENTS) recentTotals.set(key, recent, now)
    return {
      courses: Number(row?.courses ?? 0),
      published: Number(row?.published ?? 0),
      lessons: Number(row?.lessons ?? 0),
      students,
      ...recent,
      invited: row?.invited === true,
    }
  })
}

async function countRecent(tx: Tx, actor: Actor): Promise<RecentTotals> {
  const own = sql`${isResponsibleFor(actor, sql`p.course_id`)} and p.tenant_id = current_tenant()`
  const { rows } = await tx.execute<Record<keyof RecentTotals, string>>(sql`select
    (select count(distinct p.student_id) from lesson_progress p
      where p.last_opened_at > now() - interval '7 days' and ${own}) as active,
    (select count(*) from lesson_progress p
      where p.completed_at > now() - interval '7 days' and ${own}) as completed`)
  return { active: Number(rows[0]?.active ?? 0), completed: Number(rows[0]?.completed ?? 0) }
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

/**
 * The most recently changed courses with the progress of their students, which may be a minute old in a course with many
 * students. Refuses with forbidden.
 */
export async function listCourseProgress(actor: Actor, limit = 6, now = new Date()): Promise<CourseProgress[]> {
  requireCourseViewer(actor)
  const { tenantId } = actor
  const known = completedLessons.get(tenantId, now) ?? new Map<string, number>()
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{
      id: string
      title: string
      status: CourseProgress['status']
      students: number
      lessons: number
      done: string | null
    }>(
      sql`select c.id, c.title, c.status, c.student_count as students, c.published_lesson_count as lessons,
          case when c.id <> all(${sql.param([...known.keys()])}::uuid[]) then (
            select coalesce(sum(p.completed), 0) from course_progress p
            where p.tenant_id = current_tenant() and p.course_id = c.id) end as done
        from course c where c.status <> 'archived' and ${isResponsibleFor(actor, sql`c.id`)}
        order by c.updated_at desc, c.id desc limit ${limit}`,
    ),
  )
  const counted = rows.filter(({ done, students }) => done !== null && students >= MANY_STUDENTS)
  // A course that is not among the known ones waits for their end, so that no figure gets older than it may.
  if (counted.length > 0 && known.size === 0) {
    completedLessons.set(tenantId, new Map(counted.map(({ id, done }) => [id, Number(done)])), now)
  }
  return rows.map(({ done, ...row }) => {
    const completed = Number(done ?? known.get(row.id) ?? 0)
    const total = row.students * row.lessons
    return { ...row, share: total === 0 ? 0 : Math.min(1, completed / total) }
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

const isAuthor = (actor: Actor): boolean => hasRole(actor, ['OWNER', 'DIRECTOR', 'EXPERT'])

/** Authors are responsible for every course, a curator for assigned ones. */
function isResponsibleFor(actor: Actor, courseId: ReturnType<typeof sql>) {
  if (isAuthor(actor)) return sql`true`
  return sql`exists (select 1 from course_staff s where s.course_id = ${courseId} and s.member_id = ${actor.membershipId})`
}
