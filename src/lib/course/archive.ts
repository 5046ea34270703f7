import { and, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { requireCoursesFit } from './insert-course.ts'
import { type CopyParts, copyCourse } from './outline/duplicate-course.ts'
import { requireCourseEditor } from './permission.ts'
import { CourseIds } from './settings-schema.ts'
import { course } from './table.ts'

/** Archiving can be undone for this time; the page offers it for ten seconds. */
const UNDO_MINUTES = 5

/** Ids of the archived courses by their previous status. */
export interface ArchivedCourses {
  /** Ids. */
  drafts: string[]
  published: string[]
}

/**
 * Archives several courses; already archived ones stay unchanged. Returns the archived ones by previous status. Refuses
 * with forbidden, plan_inactive, or not_found when one is unknown: then none is archived.
 */
export async function archiveCourses(actor: Actor, input: CourseIds): Promise<ArchivedCourses> {
  requireCourseEditor(actor)
  const { courseIds } = input
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({ id: course.id, status: course.status })
      .from(course)
      .where(inArray(course.id, courseIds))
      .orderBy(course.id)
      .for('update')
    if (rows.length < new Set(courseIds).size) throw new Refusal('not_found')
    const idsWithStatus = (searchedStatus: string) =>
      rows.filter(({ status }) => status === searchedStatus).map(({ id }) => id)
    const archived = { drafts: idsWithStatus('draft'), published: idsWithStatus('published') }
    await tx
      .update(course)
      .set({ status: 'archived', archivedAt: new Date(), updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), ne(course.status, 'archived')))
    return archived
  })
}

/**
 * Undoes a recent archiving: drafts and published courses get their previous status. Courses archived earlier stay
 * archived. Refuses with forbidden, plan_inactive, unprocessable (the plan's number of courses).
 */
export async function undoArchive(actor: Actor, input: ArchivedCourses): Promise<{ restored: number }> {
  requireCourseEditor(actor)
  return inTenant(actor, async (tx) => {
    let restored = 0
    for (const [status, ids] of [
      ['draft', input.drafts],
      ['published', input.published],
    ] as const) {
      if (ids.length === 0) continue
      const { courseIds } = parseStored(CourseIds, { courseIds: ids })
      const restoredRows = await tx
        .update(course)
        .set({ status, archivedAt: null, updatedAt: new Date() })
        .where(
          and(
            inArray(course.id, courseIds),
            eq(course.status, 'archived'),
            gt(course.archivedAt, sql`now() - make_interval(mins => ${UNDO_MINUTES})`),
            status === 'published' ? isNotNull(course.publishedAt) : undefined,
          ),
        )
        .returning({ id: course.id })
      restored += restoredRows.length
    }
    if (restored > 0) await requireCoursesFit(tx, actor)
    return { restored }
  })
}

/**
 * Restores several archived courses as drafts; others stay unchanged. Refuses as archiveCourses, and with unprocessable
 * when they are more than the plan allows: then none is restored.
 */
export async function restoreCourses(actor: Actor, input: CourseIds): Promise<{ restored: number }> {
  requireCourseEditor(actor)
  const { courseIds } = input
  return inTenant(actor, async (tx) => {
    const rows = await tx.select({ id: course.id }).from(course).where(inArray(course.id, courseIds))
    if (rows.length < new Set(courseIds).size) throw new Refusal('not_found')
    const restored = await tx
      .update(course)
      .set({ status: 'draft', archivedAt: null, updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), eq(course.status, 'archived')))
      .returning({ id: course.id })
    if (restored.length > 0) await requireCoursesFit(tx, actor)
    return { restored: restored.length }
  })
}

/**
 * Copies several courses as drafts with homework, tests and staff, all or none. Returns the number of copies. Refuses as
 * duplicateCourse.
 */
export async function duplicateCourses(actor: Actor, input: CourseIds, parts: CopyParts): Promise<{ copies: number }> {
  requireCourseEditor(actor)
  const { courseIds } = input
  return inTenant(actor, async (tx) => {
    const uniqueIds = [...new Set(courseIds)]
    for (const courseId of uniqueIds) {
      const input = { courseId, tasks: true, tests: true, staff: true, groups: false, shiftDays: 0 }
      await copyCourse(tx, actor, input, parts)
    }
    await requireCoursesFit(tx, actor)
    return { copies: uniqueIds.length }
  })
}
