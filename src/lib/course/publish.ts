import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { flawsOf } from './lesson/content-problems.ts'
import { asDrafted } from './lesson/lesson.ts'
import { noteLessons } from './lesson/pictures.ts'
import { lockCourse, recountLessons } from './outline/lesson-counts.ts'
import { mustEdit, mustSee } from './permission.ts'
import { type CourseAct, canPublish, nextStatus, openActs, type PublishCheck, publishChecks } from './rules.ts'
import { CourseId } from './schema.ts'
import { course, lesson } from './table.ts'

export interface Readiness {
  checks: PublishCheck[]
  /** What the course's status and students allow now; `publish` may still be stopped by a check. */
  acts: CourseAct[]
  activeStudents: number
}

/** What stands between a course and its publication. Refuses with forbidden, not_found. */
export async function getReadiness(actor: Actor, input: { courseId: string }): Promise<Readiness> {
  mustSee(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, (tx) => readiness(tx, courseId))
}

/**
 * Opens a draft to those who have access, with every lesson as it is drafted. A second call changes nothing.
 * Refuses with forbidden, plan_inactive, not_found; with unprocessable and `fields` while a blocker is left or the
 * course is archived.
 */
export function publishCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'published' }> {
  return act(actor, input, 'publish', 'published', async (tx, courseId) => {
    const { checks } = await readiness(tx, courseId)
    const missing = checks.filter((check) => check.blocks && !check.passed).map(({ key }) => BLOCKERS[key] ?? key)
    if (!canPublish(checks)) throw new Refusal('unprocessable', { fields: { form: missing } })
    await tx
      .update(lesson)
      .set(asDrafted)
      .where(
        and(
          eq(lesson.courseId, courseId),
          isNull(lesson.deletedAt),
          sql`${lesson.words} > 0`,
          sql`${lesson.publishedVersion} is distinct from ${lesson.version}`,
        ),
      )
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.courseId, courseId))
    return { publishedAt: new Date() }
  })
}

/** Back to a draft, as long as nobody studies. Refuses as publishCourse, with course_has_students. */
export function unpublishCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'draft' }> {
  return act(actor, input, 'unpublish', 'draft', async (tx, courseId) => {
    if ((await countActive(tx, courseId)) > 0) {
      throw new Refusal('unprocessable', { fields: { form: ['course_has_students'] } })
    }
    return {}
  })
}

/** No new students; those who have access go on reading until it ends. Refuses as publishCourse. */
export function archiveCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'archived' }> {
  return act(actor, input, 'archive', 'archived', async () => ({ archivedAt: new Date() }))
}

/** An archived course becomes a draft again. Refuses as publishCourse. */
export function restoreCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'draft' }> {
  return act(actor, input, 'restore', 'draft', async () => ({ archivedAt: null }))
}

const BLOCKERS: Partial<Record<PublishCheck['key'], string>> = {
  title: 'course_needs_title',
  lesson: 'course_needs_lesson',
}

type Marks = { publishedAt?: Date; archivedAt?: Date | null }

async function act<Status extends 'draft' | 'published' | 'archived'>(
  actor: Actor,
  input: { courseId: string },
  name: CourseAct,
  wanted: Status,
  prepare: (tx: Tx, courseId: string) => Promise<Marks>,
): Promise<{ status: Status }> {
  mustEdit(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    const { status } = await lockCourse(tx, courseId)
    if (status === wanted) return { status: wanted }
    if (nextStatus(status, name) !== wanted) throw new Refusal('unprocessable')
    const marks = await prepare(tx, courseId)
    await tx
      .update(course)
      .set({ ...marks, status: wanted, updatedAt: new Date() })
      .where(eq(course.id, courseId))
    return { status: wanted }
  })
}

async function readiness(tx: Tx, courseId: string): Promise<Readiness> {
  const [facts] = await tx
    .select({
      title: course.title,
      status: course.status,
      hasCover: sql<boolean>`${course.coverFileId} is not null`,
      hasDescription: sql<boolean>`${course.shortDescription} <> ''`,
      activeStudents: sql<number>`(${activeStudents(courseId)})`.mapWith(Number),
      lessonsWithContent: sql<number>`(${livingLessons(courseId)} and l.words > 0)`.mapWith(Number),
      emptyLessons: sql<number>`(${livingLessons(courseId)} and l.words = 0)`.mapWith(Number),
      hasReviewer: sql<boolean>`(${livingLessons(courseId)} and l.task_count > 0) = 0 or exists (
        select 1 from course_staff s where s.course_id = ${courseId} and s.role = 'curator')`,
      hasGroup: sql<boolean>`exists (select 1 from study_group s where s.course_id = ${courseId} and s.archived_at is null)`,
    })
    .from(course)
    .where(eq(course.id, courseId))
  if (!facts) throw new Refusal('not_found')
  const { activeStudents: students, status } = facts
  // Only what is about to be published is looked through: the texts of a big course are heavy.
  const flaws = status === 'draft' ? await flawsOf(tx, courseId) : []
  return {
    checks: publishChecks({
      ...facts,
      hasAccess: students > 0 || facts.hasGroup,
      testsFilled: flaws.every(({ emptyTests }) => emptyTests === 0),
      accessible: flaws.every(({ silentPictures, brokenOutline }) => silentPictures === 0 && !brokenOutline),
    }),
    acts: openActs({ status, activeStudents: students }),
    activeStudents: students,
  }
}

async function countActive(tx: Tx, courseId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: string }>(activeStudents(courseId))
  return Number(rows[0]?.count ?? 0)
}

/** Students with a grant that is neither revoked nor over. */
function activeStudents(courseId: string) {
  return sql`select count(distinct g.student_id) as count from access_grant g
    where g.course_id = ${courseId} and g.revoked_at is null and (g.ends_at is null or g.ends_at > now())`
}

function livingLessons(courseId: string) {
  return sql`select count(*) from lesson l join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null`
}
