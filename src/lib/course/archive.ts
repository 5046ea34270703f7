import { and, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { CopyTasks } from './outline/duplicate.ts'
import { duplicateCourse } from './outline/duplicate-course.ts'
import { requireCourseEditor } from './permission.ts'
import { CourseIds } from './settings-schema.ts'
import { course } from './table.ts'

/** So long an archiving may be taken back as if it had not been: the offer stands on the page for ten seconds. */
const UNDO_MINUTES = 5

/** What became of several courses at once. */
export interface ArchivedCourses {
  /** Those that changed, by id. */
  drafts: string[]
  published: string[]
}

/**
 * Puts several courses into the archive; those that lie there stay. Gives those that went, by what they were before.
 * Refuses with forbidden, plan_inactive, or not_found when one of them is not of this school: then none goes.
 */
export async function archiveCourses(actor: Actor, input: CourseIds): Promise<ArchivedCourses> {
  requireCourseEditor(actor)
  const { courseIds } = CourseIds.parse(input)
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select({ id: course.id, status: course.status })
      .from(course)
      .where(inArray(course.id, courseIds))
      .orderBy(course.id)
      .for('update')
    if (rows.length < new Set(courseIds).size) throw new Refusal('not_found')
    const idsWithStatus = (wanted: string) => rows.filter(({ status }) => status === wanted).map(({ id }) => id)
    const archived = { drafts: idsWithStatus('draft'), published: idsWithStatus('published') }
    await tx
      .update(course)
      .set({ status: 'archived', archivedAt: new Date(), updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), ne(course.status, 'archived')))
    return archived
  })
}

/**
 * Takes an archiving of the last minutes back: drafts and published courses are again what they were. Those that were
 * archived earlier or were never published stay. Refuses with forbidden, plan_inactive.
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
    return { restored }
  })
}

/** Makes drafts of several archived courses; the others stay. Refuses as archiveCourses. */
export async function restoreCourses(actor: Actor, input: CourseIds): Promise<{ restored: number }> {
  requireCourseEditor(actor)
  const { courseIds } = CourseIds.parse(input)
  return inTenant(actor, async (tx) => {
    const rows = await tx.select({ id: course.id }).from(course).where(inArray(course.id, courseIds))
    if (rows.length < new Set(courseIds).size) throw new Refusal('not_found')
    const restored = await tx
      .update(course)
      .set({ status: 'draft', archivedAt: null, updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), eq(course.status, 'archived')))
      .returning({ id: course.id })
    return { restored: restored.length }
  })
}

/**
 * Copies several courses as drafts, with their homework and staff, all of them or none. Gives how many. Refuses as
 * duplicateCourse.
 */
export async function duplicateCourses(
  actor: Actor,
  input: CourseIds,
  copyTasks: CopyTasks,
): Promise<{ copies: number }> {
  requireCourseEditor(actor)
  const { courseIds } = CourseIds.parse(input)
  return inTenant(actor, async () => {
    const uniqueIds = [...new Set(courseIds)]
    for (const courseId of uniqueIds) await duplicateCourse(actor, { courseId }, copyTasks)
    return { copies: uniqueIds.length }
  })
}
