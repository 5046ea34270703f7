import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireCourseSlot } from './insert-course.ts'
import { queueTestCheck } from './learning/test-check.ts'
import { findContentIssues } from './lesson/content-issues.ts'
import { publishedFromDraft } from './lesson/lesson.ts'
import { attachLessonFiles } from './lesson/pictures.ts'
import { lockCourse, recountLessons } from './outline/lesson-counts.ts'
import { requireCourseEditor, requireCourseViewer } from './permission.ts'
import {
  availableActions,
  type CourseAction,
  type CoursePublishCheck,
  canPublishCourse,
  coursePublishChecks,
  nextStatus,
} from './rules.ts'
import { course, lesson } from './table.ts'

export interface CourseReadiness {
  checks: CoursePublishCheck[]
  /** Actions that the status and the students allow; `publish` may still be blocked by a check. */
  actions: CourseAction[]
  activeStudents: number
}

/** Publication checks of a course. Refuses with forbidden, not_found. */
export async function getCourseReadiness(actor: Actor, input: { courseId: string }): Promise<CourseReadiness> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, (tx) => loadReadiness(tx, courseId))
}

/**
 * Publishes a draft course with all lesson drafts. A second call changes nothing. Refuses with forbidden,
 * plan_inactive, not_found; with unprocessable and `fields` while a check blocks or the course is archived.
 */
export function publishCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'published' }> {
  return changeStatus(actor, input, 'publish', 'published', async (tx, courseId) => {
    const { checks } = await loadReadiness(tx, courseId)
    const missing = checks.filter((check) => check.blocks && !check.passed).map(({ key }) => BLOCKERS[key] ?? key)
    if (!canPublishCourse(checks)) throw new Refusal('unprocessable', { fields: { form: missing } })
    const published = await tx
      .update(lesson)
      .set(publishedFromDraft)
      .where(
        and(
          eq(lesson.courseId, courseId),
          isNull(lesson.deletedAt),
          sql`${lesson.words} > 0`,
          sql`${lesson.publishedVersion} is distinct from ${lesson.version}`,
        ),
      )
      .returning({ testIds: lesson.testIds })
    if (published.some(({ testIds }) => testIds.length > 0)) await queueTestCheck(actor, courseId)
    await recountLessons(tx, courseId)
    await attachLessonFiles(tx, actor, eq(lesson.courseId, courseId))
    return { publishedAt: new Date() }
  })
}

/** Unpublishes a course without active students. Refuses as publishCourse, with course_has_students. */
export function unpublishCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'draft' }> {
  return changeStatus(actor, input, 'unpublish', 'draft', async (tx, courseId) => {
    if ((await countActiveStudents(tx, courseId)) > 0) {
      throw formRefusal('course_has_students')
    }
    return {}
  })
}

/** Archives a course: no new students; current students keep their access. Refuses as publishCourse. */
export function archiveCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'archived' }> {
  return changeStatus(actor, input, 'archive', 'archived', async () => ({ archivedAt: new Date() }))
}

/** Restores an archived course as a draft. Refuses as publishCourse, and with unprocessable beyond the plan's limit. */
export function restoreCourse(actor: Actor, input: { courseId: string }): Promise<{ status: 'draft' }> {
  return changeStatus(actor, input, 'restore', 'draft', async (tx) => {
    await requireCourseSlot(tx, actor)
    return { archivedAt: null }
  })
}

const BLOCKERS: Partial<Record<CoursePublishCheck['key'], string>> = {
  title: 'course_needs_title',
  lesson: 'course_needs_lesson',
}

type StatusDates = { publishedAt?: Date; archivedAt?: Date | null }

async function changeStatus<Status extends 'draft' | 'published' | 'archived'>(
  actor: Actor,
  input: { courseId: string },
  action: CourseAction,
  targetStatus: Status,
  prepareDates: (tx: Tx, courseId: string) => Promise<StatusDates>,
): Promise<{ status: Status }> {
  requireCourseEditor(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const { status } = await lockCourse(tx, courseId)
    if (status === targetStatus) return { status: targetStatus }
    if (nextStatus(status, action) !== targetStatus) throw new Refusal('unprocessable')
    const dates = await prepareDates(tx, courseId)
    await tx
      .update(course)
      .set({ ...dates, status: targetStatus, updatedAt: new Date() })
      .where(eq(course.id, courseId))
    return { status: targetStatus }
  })
}

async function loadReadiness(tx: Tx, courseId: string): Promise<CourseReadiness> {
  const [facts] = await tx
    .select({
      title: course.title,
      status: course.status,
      hasCover: sql<boolean>`${course.coverFileId} is not null`,
      hasDescription: sql<boolean>`${course.shortDescription} <> ''`,
      activeStudents: sql<number>`(${selectActiveStudents(courseId)})`.mapWith(Number),
      lessonsWithContent: sql<number>`(${selectLessonCount(courseId)} and l.words > 0)`.mapWith(Number),
      emptyLessons: sql<number>`(${selectLessonCount(courseId)} and l.words = 0)`.mapWith(Number),
      hasReviewer: sql<boolean>`(${selectLessonCount(courseId)} and l.task_count > 0) = 0 or exists (
        select 1 from course_staff s where s.course_id = ${courseId} and s.role = 'curator')`,
      hasGroup: sql<boolean>`exists (select 1 from study_group s where s.course_id = ${courseId} and s.archived_at is null)`,
    })
    .from(course)
    .where(eq(course.id, courseId))
  if (!facts) throw new Refusal('not_found')
  const { activeStudents: students, status } = facts
  // Content is checked only before publication: documents of a large course are expensive to read.
  const issues = status === 'draft' ? await findContentIssues(tx, courseId) : []
  return {
    checks: coursePublishChecks({
      ...facts,
      hasAccess: students > 0 || facts.hasGroup,
      testsFilled: issues.every((issue) => issue.emptyTestCount + issue.unavailableTestCount === 0),
      accessible: issues.every(
        ({ imagesWithoutAlt, hasUnorderedHeadings }) => imagesWithoutAlt === 0 && !hasUnorderedHeadings,
      ),
    }),
    actions: availableActions({ status, activeStudents: students }),
    activeStudents: students,
  }
}

async function countActiveStudents(tx: Tx, courseId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: string }>(selectActiveStudents(courseId))
  return Number(rows[0]?.count ?? 0)
}

/** Counts students with a grant that is neither revoked nor ended. */
function selectActiveStudents(courseId: string) {
  return sql`select count(distinct g.student_id) as count from unended_grants(now()) g
    where g.course_id = ${courseId}`
}

function selectLessonCount(courseId: string) {
  return sql`select count(*) from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null`
}
