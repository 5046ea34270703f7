import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Picture } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { tenant } from '#lib/tenant/table.ts'
import { courseAccess } from '../access/access.ts'
import type { Access } from '../access/access-reason.ts'
import {
  buildGrant,
  courseAccessOf,
  courseFields,
  grantFields,
  groupFields,
  groupOfGrant,
} from '../access/enrolment.ts'
import { renderLessonFor } from '../lesson/load-render-context.ts'
import { coverFor, coverOf, pictureFields } from '../lesson/pictures.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { requireStudent } from '../permission.ts'
import { CourseId } from '../schema.ts'
import { course } from '../table.ts'
import { courseSummary, loadOwnEnrolment, studentOutline } from './student-outline.ts'
import { accessGrant, lessonProgress, studyGroup } from './table.ts'

export interface StudentCourse {
  id: string
  title: string
  shortDescription: string
  cover: Picture | null
  access: Access
  completed: number
  total: number
  lastOpenedAt: Date | null
  /** Set for the first unfinished course: the lesson opened last and not completed, or the next open one. */
  resume: { id: string; title: string } | null
}

/**
 * The student's courses, last opened first; one statement, and three more for the lesson to resume. Refuses with
 * forbidden.
 */
export async function listMyCourses(actor: Actor): Promise<StudentCourse[]> {
  requireStudent(actor)
  const now = new Date()
  return inTenant(actor, async (tx) => {
    const rows = await selectEnrolments(tx, actor)
    const courses = new Map(rows.map((row) => [row.course.id, row]))
    const mine = [...courses.values()].map(({ course, cover, completed, lastOpenedAt }): StudentCourse => {
      const grants = rows.filter((row) => row.course.id === course.id).map((row) => buildGrant(row))
      const { id, title, shortDescription, total } = course
      const access = courseAccess(course, grants, now)
      return {
        id,
        title,
        shortDescription,
        cover: coverFor(actor, cover),
        access,
        completed,
        total,
        lastOpenedAt,
        resume: null,
      }
    })
    const current = mine.find(({ access, completed, total }) => access.allow && completed < total)
    if (current) current.resume = await findResume(tx, actor, current.id)
    return mine
  })
}

/**
 * A course as its student sees it, with the reason for each locked lesson. Refuses with forbidden; not_found without a
 * grant.
 */
export async function viewCourse(actor: Actor, input: { courseId: string }) {
  requireStudent(actor)
  const { courseId } = CourseId.parse(input)
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

// Promo videos in the trash are left out.
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
  const lastOpened = sql<Date | null>`(select max(p.last_opened_at) from lesson_progress p
    where p.course_id = ${course.id} and p.student_id = ${studentId})`
  return tx
    .select({
      course: courseFields,
      zone: tenant.timeZone,
      grant: grantFields,
      group: groupFields,
      cover: pictureFields,
      // The course page does not depend on the first opening.
      firstOpened: sql<null>`null`,
      completed: sql<number>`(select count(*) from lesson_progress p
        join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
        join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        where p.course_id = ${course.id} and p.student_id = ${studentId}
          and p.completed_at is not null and ${isVisible})`.mapWith(Number),
      lastOpenedAt: lastOpened.mapWith(lessonProgress.lastOpenedAt),
    })
    .from(accessGrant)
    .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
    .innerJoin(tenant, eq(tenant.id, accessGrant.tenantId))
    .leftJoin(studyGroup, groupOfGrant)
    .leftJoin(file, coverOf)
    .where(and(eq(accessGrant.studentId, studentId), isNull(accessGrant.revokedAt)))
    .orderBy(sql`${lastOpened} desc nulls last`, desc(accessGrant.startsAt))
}

async function findResume(tx: Tx, actor: Actor, courseId: string): Promise<StudentCourse['resume']> {
  const { modules, resumeLessonId } = studentOutline(await loadOwnEnrolment(tx, actor, courseId))
  const lesson = modules.flatMap((one) => one.lessons).find((one) => one.id === resumeLessonId)
  return lesson && lesson.state !== 'done' ? { id: lesson.id, title: lesson.title } : null
}
