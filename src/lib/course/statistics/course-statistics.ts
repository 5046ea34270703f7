import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { isAssigned, requireAllowed, requireCourseViewer } from '../permission.ts'
import { canManageStudents } from '../rules.ts'

/** A student who has not completed the lesson opened last is stuck after this many days. */
const STUCK_DAYS = 7

/** Lower bounds in percent of the progress classes: 0, 1 to 24, 25 to 49, 50 to 74, 75 to 99, 100. */
const SHARES = [0, 1, 25, 50, 75, 100] as const

export interface LessonStatistics {
  id: string
  moduleId: string
  moduleTitle: string
  title: string
  opened: number
  completed: number
  /** Students who are stuck in the lesson. */
  stuck: number
  /** Geometric mean of the minutes from the first opening to the completion; a single long pause affects it little. */
  usualMinutes: number | null
}

export interface CourseStatistics {
  students: number
  /** Share of completed lessons over all students: 0 to 1. */
  share: number
  /** Number of students in each class of SHARES. */
  shares: number[]
  lessons: LessonStatistics[]
}

/**
 * Progress statistics of students with a grant: the funnel by lesson, stuck students, progress classes; three
 * statements. Refuses with forbidden (curators: unless assigned), not_found.
 */
export async function getCourseStatistics(actor: Actor, input: { courseId: string }): Promise<CourseStatistics> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireStatisticsAccess(tx, actor, courseId)
    const lessons = await loadFunnel(tx, courseId)
    const { students, done, shares } = await countByShare(tx, courseId, lessons.length)
    const total = students * lessons.length
    return { students, share: total === 0 ? 0 : Math.min(1, done / total), shares, lessons }
  })
}

export interface StudentStatistics {
  name: string
  email: string
  completed: number
  total: number
  accepted: number
  lastOpenedAt: Date | null
}

/** Progress of every student in a course, by name, for an export. One statement. Refuses as getCourseStatistics. */
export async function listStudentStatistics(actor: Actor, input: { courseId: string }): Promise<StudentStatistics[]> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireStatisticsAccess(tx, actor, courseId)
    const { rows } = await tx.execute<Counted<StudentStatistics> & { last: string | null }>(sql`
      with ${learnersCte(courseId)}, ${visibleLessonsCte(courseId)},
      done as (select p.student_id, count(p.completed_at) as completed, count(p.homework_accepted_at) as accepted,
          max(p.last_opened_at) as last
        from lesson_progress p join visible v on v.id = p.lesson_id
        where p.course_id = ${courseId} group by p.student_id)
      select trim(u.first_name || ' ' || u.last_name) as name, u.email, (select count(*) from visible) as total,
          coalesce(d.completed, 0) as completed, coalesce(d.accepted, 0) as accepted,
          to_char(d.last at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as last
        from learner s join membership m on m.tenant_id = current_tenant() and m.id = s.id
        join "user" u on u.id = m.user_id left join done d on d.student_id = s.id
       order by name, u.email`)
    return rows.map(({ last, completed, total, accepted, ...row }) => ({
      ...row,
      completed: Number(completed),
      total: Number(total),
      accepted: Number(accepted),
      lastOpenedAt: last === null ? null : new Date(last),
    }))
  })
}

// The driver returns bigint counts as strings. A type instead of an interface, as the driver's signature requires.
type Counted<T> = {
  [Key in keyof T]: T[Key] extends number ? string : T[Key] extends number | null ? string | null : T[Key]
}

async function requireStatisticsAccess(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  const { rows } = await tx.execute(sql`select 1 from course where id = ${courseId}`)
  if (rows.length === 0) throw new Refusal('not_found')
  requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
}

async function loadFunnel(tx: Tx, courseId: string): Promise<LessonStatistics[]> {
  const { rows } = await tx.execute<Counted<LessonStatistics>>(sql`
    with ${learnersCte(courseId)},
    counted as (select p.lesson_id, count(*) as opened, count(p.completed_at) as completed,
        exp(avg(ln(greatest(1, extract(epoch from p.completed_at - p.opened_at)::float8)))
          filter (where p.completed_at is not null)) as seconds
      from lesson_progress p where ${ofLearners(courseId)} group by p.lesson_id),
    latest as (select p.student_id, max(p.last_opened_at) as at from lesson_progress p
      where ${ofLearners(courseId)} group by p.student_id
      having max(p.last_opened_at) < now() - make_interval(days => ${STUCK_DAYS})),
    stuck as (select p.lesson_id, count(*) as stuck from lesson_progress p
      join latest on latest.student_id = p.student_id and latest.at = p.last_opened_at
      where p.tenant_id = current_tenant() and p.course_id = ${courseId} and p.completed_at is null group by p.lesson_id)
    select l.id, l.module_id as "moduleId", m.title as "moduleTitle", l.published_title as title,
        coalesce(c.opened, 0) as opened, coalesce(c.completed, 0) as completed, coalesce(k.stuck, 0) as stuck,
        ceil(c.seconds / 60) as "usualMinutes"
      from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
      left join counted c on c.lesson_id = l.id left join stuck k on k.lesson_id = l.id
     where l.course_id = ${courseId} and ${isVisible}
     order by m.position, m.id, l.position, l.id`)
  return rows.map(({ opened, completed, stuck, usualMinutes, ...row }) => ({
    ...row,
    opened: Number(opened),
    completed: Number(completed),
    stuck: Number(stuck),
    usualMinutes: usualMinutes === null ? null : Number(usualMinutes),
  }))
}

async function countByShare(tx: Tx, courseId: string, total: number) {
  const { rows } = await tx.execute<{ done: string; students: string }>(sql`
    with ${learnersCte(courseId)}, ${visibleLessonsCte(courseId)},
    per as (select s.id, count(p.completed_at) as done from learner s
      left join lesson_progress p on p.tenant_id = current_tenant() and p.course_id = ${courseId}
        and p.student_id = s.id and p.completed_at is not null and p.lesson_id in (select id from visible)
      group by s.id)
    select done, count(*) as students from per group by done`)
  const shares = SHARES.map(() => 0)
  let students = 0
  let done = 0
  for (const row of rows) {
    const studentCount = Number(row.students)
    const percent = total === 0 ? 0 : (100 * Number(row.done)) / total
    const classIndex = SHARES.findLastIndex((from) => percent >= from && !(from === 1 && percent === 0))
    // Less than one percent counts as started, not as zero.
    const shareIndex = percent > 0 && classIndex === 0 ? 1 : classIndex
    shares[shareIndex] = (shares[shareIndex] ?? 0) + studentCount
    students += studentCount
    done += studentCount * Number(row.done)
  }
  return { students, done, shares }
}

const ofLearners = (courseId: string) => sql`p.tenant_id = current_tenant() and p.course_id = ${courseId}
  and p.student_id in (select id from learner)`

const learnersCte = (courseId: string) => sql`learner as (select distinct g.student_id as id from enrolled_grants() g
  where g.course_id = ${courseId})`

const visibleLessonsCte = (courseId: string) => sql`visible as (select l.id from lesson l
  join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
  where l.course_id = ${courseId} and ${isVisible})`
