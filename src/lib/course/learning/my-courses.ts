import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type Picture, pictureColumns } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { tenant } from '#lib/tenant/table.ts'
import { courseAccess } from '../access/access.ts'
import type { Access } from '../access/access-reason.ts'
import {
  buildGrant,
  courseAccessOf,
  courseFields,
  type Enrolment,
  grantFields,
  groupFields,
  groupOfGrant,
} from '../access/enrolment.ts'
import { renderLessonFor } from '../lesson/load-render-context.ts'
import { coverFor, coverOf } from '../lesson/pictures.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { requireStudent } from '../permission.ts'
import { course } from '../table.ts'
import { isEnrolled } from './enrolled.ts'
import { courseSummary, loadOwnEnrolment, studentOutline } from './student-outline.ts'
import { accessGrant, lessonProgress, studyGroup } from './table.ts'

export interface EnrolledCourse {
  id: string
  title: string
  shortDescription: string
  cover: Picture | null
  access: Access
  completed: number
  total: number
  lastOpenedAt: Date | null
}

export interface MyCourse extends EnrolledCourse {
  /** Set for the first unfinished course: the lesson opened last and not completed, or the next open one. */
  resume: { id: string; title: string } | null
}

/** The student's courses, last opened first, in one statement. Refuses with forbidden. */
export async function listEnrolledCourses(actor: Actor): Promise<EnrolledCourse[]> {
  requireStudent(actor)
  const now = new Date()
  const rows = await inTenant(actor, (tx) => selectEnrolments(tx, actor))
  return [...Map.groupBy(rows, (row) => row.course.id).values()].flatMap((enrolments) => {
    const [first] = enrolments
    if (!first) return []
    const { id, title, shortDescription, total } = first.course
    const access = courseAccess(
      first.course,
      enrolments.map((row) => buildGrant(row)),
      now,
    )
    const { completed, lastOpenedAt } = first
    return { id, title, shortDescription, cover: coverFor(actor, first.cover), access, completed, total, lastOpenedAt }
  })
}

/**
 * The same with the lesson to resume. The first course of the list is most often the one to resume, so its lessons are
 * read together with the list; those of another course need one more round trip. Refuses with forbidden.
 */
export async function listMyCourses(actor: Actor): Promise<MyCourse[]> {
  return inTenant(actor, async (tx) => {
    const [courses, first] = await Promise.all([listEnrolledCourses(actor), findFirstEnrolment(tx, actor)])
    const myCourses = courses.map((item): MyCourse => ({ ...item, resume: null }))
    const current = myCourses.find(({ access, completed, total }) => access.allow && completed < total)
    if (!current) return myCourses
    const enrolment = first?.course.id === current.id ? first : await loadOwnEnrolment(tx, actor, current.id)
    current.resume = resumeOf(enrolment)
    return myCourses
  })
}

/**
 * A course as its student sees it, with the reason for each locked lesson. Refuses with forbidden; not_found without a
 * grant.
 */
export async function viewCourse(actor: Actor, input: { courseId: string }) {
  requireStudent(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const [enrolment, description] = await Promise.all([
      loadOwnEnrolment(tx, actor, courseId),
      loadDescription(tx, courseId),
    ])
    const access = courseAccessOf(enrolment, new Date())
    const about = access.allow ? await renderDescription(actor, description) : null
    return { course: courseSummary(enrolment), access, about, ...studentOutline(enrolment) }
  })
}

/** The description of a course as HTML, and its promo video. */
async function renderDescription(actor: Actor, row: Awaited<ReturnType<typeof loadDescription>>) {
  const html = row?.description ? await renderLessonFor(actor, row.description, actor.locale) : null
  return { html, promo: row?.promo ? await openPlayback(actor, row.promo) : null }
}

// Promo videos in the trash are omitted.
const playableFile = sql<string | null>`(select f.id from file f where f.tenant_id = ${course.tenantId}
  and f.id = ${course.promoVideoFileId} and f.deleted_at is null and f.kind = 'video')`

async function loadDescription(tx: Tx, courseId: string) {
  const [row] = await tx
    .select({ description: course.description, promo: playableFile })
    .from(course)
    .where(eq(course.id, courseId))
  return row
}

function selectEnrolments(tx: Tx, actor: Actor) {
  const studentId = actor.membershipId
  const lastOpened = lastOpenedOf(course.id, studentId)
  return tx
    .select({
      course: courseFields,
      zone: tenant.timeZone,
      grant: grantFields,
      group: groupFields,
      cover: pictureColumns,
      // The course page does not depend on the first opening.
      firstOpened: sql<null>`null`,
      completed: sql<number>`(select count(*) from lesson_progress p
        join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
        join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        where p.course_id = ${course.id} and p.student_id = ${studentId}
          and p.completed_at is not null and ${isVisible})`.mapWith(Number),
      lastOpenedAt: lastOpened.mapWith(lessonProgress.lastOpenedAt),
    })
    .from(accessGrant)
    .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
    .innerJoin(tenant, eq(tenant.id, accessGrant.tenantId))
    .leftJoin(studyGroup, groupOfGrant)
    .leftJoin(file, coverOf)
    .where(and(eq(accessGrant.studentId, studentId), isEnrolled))
    .orderBy(sql`${lastOpened} desc nulls last`, desc(accessGrant.startsAt))
}

/** The enrolment in the first course of `selectEnrolments`; null without courses. */
function findFirstEnrolment(tx: Tx, actor: Actor): Promise<Enrolment | null> {
  const studentId = actor.membershipId
  const firstCourse = sql<string>`(select g.course_id from enrolled_grants() g where g.student_id = ${studentId}
    order by ${lastOpenedOf(sql`g.course_id`, studentId)} desc nulls last, g.starts_at desc limit 1)`
  return loadOwnEnrolment(tx, actor, firstCourse).catch(nullIfRefused)
}

function lastOpenedOf(courseId: SQLWrapper, studentId: string): SQL<Date | null> {
  return sql`(select max(p.last_opened_at) from lesson_progress p
    where p.course_id = ${courseId} and p.student_id = ${studentId})`
}

function resumeOf(enrolment: Enrolment): MyCourse['resume'] {
  const { modules, resumeLessonId } = studentOutline(enrolment)
  const lesson = modules.flatMap((item) => item.lessons).find((item) => item.id === resumeLessonId)
  return lesson && lesson.state !== 'done' ? { id: lesson.id, title: lesson.title } : null
}
