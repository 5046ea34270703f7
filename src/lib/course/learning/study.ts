import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Picture } from '#lib/storage/signed.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { tenant } from '#lib/tenant/table.ts'
import { courseAccess } from '../access/access.ts'
import type { Access } from '../access/access-reason.ts'
import { courseFields, entryOf, grantFields, grantOf, groupFields, groupOfGrant } from '../access/enrolment.ts'
import { coverOf, pictureFields, shownCover } from '../lesson/pictures.ts'
import { showLesson } from '../lesson/shown-files.ts'
import { isVisible } from '../outline/lesson-counts.ts'
import { mustStudy } from '../permission.ts'
import { CourseId } from '../schema.ts'
import { course } from '../table.ts'
import { aboutCourse, loadMine, outlineOf } from './study-outline.ts'
import { accessGrant, lessonProgress, studyGroup } from './table.ts'

export interface StudiedCourse {
  id: string
  title: string
  shortDescription: string
  cover: Picture | null
  access: Access
  completed: number
  total: number
  lastOpenedAt: Date | null
  /** Of the first course that can be gone on with: the lesson last read and not completed, or the next that is open. */
  resume: { id: string; title: string } | null
}

/**
 * The student's courses, the last opened first; one statement, and three more for the lesson to go on with. Refuses with
 * forbidden.
 */
export async function listMyCourses(actor: Actor): Promise<StudiedCourse[]> {
  mustStudy(actor)
  const now = new Date()
  return inTenant(actor, async (tx) => {
    const rows = await enrolments(tx, actor)
    const courses = new Map(rows.map((row) => [row.course.id, row]))
    const mine = [...courses.values()].map(({ course, cover, completed, lastOpenedAt }): StudiedCourse => {
      const grants = rows.filter((one) => one.course.id === course.id).map((one) => grantOf(one))
      const { id, title, shortDescription, total } = course
      const access = courseAccess(course, grants, now)
      return {
        id,
        title,
        shortDescription,
        cover: shownCover(actor, cover),
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

/** A course as its student sees it, every locked lesson with the reason. Refuses with forbidden; not_found without a grant. */
export async function viewCourse(actor: Actor, input: { courseId: string }) {
  mustStudy(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    const study = await loadMine(tx, actor, courseId)
    const access = entryOf(study, new Date())
    const about = access.allow ? await openAbout(tx, actor, courseId) : null
    return { course: aboutCourse(study), access, about, ...outlineOf(study) }
  })
}

/** What the school says of a course: its description as HTML, and its film for those who begin. */
async function openAbout(tx: Tx, actor: Actor, courseId: string) {
  const [said] = await tx
    .select({ description: course.description, promo: playableFile })
    .from(course)
    .where(eq(course.id, courseId))
  const html = said?.description ? await showLesson(actor, said.description, actor.locale) : null
  return { html, promo: said?.promo ? await openPlayback(actor, said.promo) : null }
}

// A film that was deleted from the storage is none.
const playableFile = sql<string | null>`(select f.id from file f where f.tenant_id = ${course.tenantId}
  and f.id = ${course.promoVideoFileId} and f.deleted_at is null and f.kind = 'video')`

function enrolments(tx: Tx, actor: Actor) {
  const me = actor.membershipId
  const lastOpened = sql<Date | null>`(select max(p.last_opened_at) from lesson_progress p
    where p.course_id = ${course.id} and p.student_id = ${me})`
  return tx
    .select({
      course: courseFields,
      zone: tenant.timeZone,
      grant: grantFields,
      group: groupFields,
      cover: pictureFields,
      // Only what lies within the course waits for its first opening.
      firstOpened: sql<null>`null`,
      completed: sql<number>`(select count(*) from lesson_progress p
        join lesson l on l.tenant_id = p.tenant_id and l.id = p.lesson_id
        join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        where p.course_id = ${course.id} and p.student_id = ${me}
          and p.completed_at is not null and ${isVisible})`.mapWith(Number),
      lastOpenedAt: lastOpened.mapWith(lessonProgress.lastOpenedAt),
    })
    .from(accessGrant)
    .innerJoin(course, and(eq(course.tenantId, accessGrant.tenantId), eq(course.id, accessGrant.courseId)))
    .innerJoin(tenant, eq(tenant.id, accessGrant.tenantId))
    .leftJoin(studyGroup, groupOfGrant)
    .leftJoin(file, coverOf)
    .where(and(eq(accessGrant.studentId, me), isNull(accessGrant.revokedAt)))
    .orderBy(sql`${lastOpened} desc nulls last`, desc(accessGrant.startsAt))
}

async function findResume(tx: Tx, actor: Actor, courseId: string): Promise<StudiedCourse['resume']> {
  const { modules, resumeLessonId } = outlineOf(await loadMine(tx, actor, courseId))
  const lesson = modules.flatMap((one) => one.lessons).find((one) => one.id === resumeLessonId)
  return lesson && lesson.state !== 'done' ? { id: lesson.id, title: lesson.title } : null
}
