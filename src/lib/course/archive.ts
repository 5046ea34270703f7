import { and, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/stored.ts'
import type { CopyTasks } from './outline/duplicate.ts'
import { duplicateCourse } from './outline/duplicate-course.ts'
import { mustEdit } from './permission.ts'
import { SomeCourses } from './settings-schema.ts'
import { course } from './table.ts'

/** So long an archiving may be taken back as if it had not been: the offer stands on the page for ten seconds. */
const UNDO_MINUTES = 5

/** What became of several courses at once. */
export interface Shelved {
  /** Those that changed, by id. */
  drafts: string[]
  published: string[]
}

/**
 * Puts several courses into the archive; those that lie there stay. Gives those that went, by what they were before.
 * Refuses with forbidden, plan_inactive, or not_found when one of them is not of this school: then none goes.
 */
export async function archiveCourses(actor: Actor, input: SomeCourses): Promise<Shelved> {
  mustEdit(actor)
  const { courseIds } = SomeCourses.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await tx
      .select({ id: course.id, status: course.status })
      .from(course)
      .where(inArray(course.id, courseIds))
      .orderBy(course.id)
      .for('update')
    if (found.length < new Set(courseIds).size) throw new Refusal('not_found')
    const of = (wanted: string) => found.filter(({ status }) => status === wanted).map(({ id }) => id)
    const went = { drafts: of('draft'), published: of('published') }
    await tx
      .update(course)
      .set({ status: 'archived', archivedAt: new Date(), updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), ne(course.status, 'archived')))
    return went
  })
}

/**
 * Takes an archiving of the last minutes back: drafts and published courses are again what they were. Those that were
 * archived earlier or were never published stay. Refuses with forbidden, plan_inactive.
 */
export async function undoArchive(actor: Actor, input: Shelved): Promise<{ restored: number }> {
  mustEdit(actor)
  return inTenant(actor, async (tx) => {
    let restored = 0
    for (const [status, ids] of [
      ['draft', input.drafts],
      ['published', input.published],
    ] as const) {
      if (ids.length === 0) continue
      const { courseIds } = parseStored(SomeCourses, { courseIds: ids })
      const back = await tx
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
      restored += back.length
    }
    return { restored }
  })
}

/** Makes drafts of several archived courses; the others stay. Refuses as archiveCourses. */
export async function restoreCourses(actor: Actor, input: SomeCourses): Promise<{ restored: number }> {
  mustEdit(actor)
  const { courseIds } = SomeCourses.parse(input)
  return inTenant(actor, async (tx) => {
    const found = await tx.select({ id: course.id }).from(course).where(inArray(course.id, courseIds))
    if (found.length < new Set(courseIds).size) throw new Refusal('not_found')
    const back = await tx
      .update(course)
      .set({ status: 'draft', archivedAt: null, updatedAt: new Date() })
      .where(and(inArray(course.id, courseIds), eq(course.status, 'archived')))
      .returning({ id: course.id })
    return { restored: back.length }
  })
}

/**
 * Copies several courses as drafts, with their homework and staff, all of them or none. Gives how many. Refuses as
 * duplicateCourse.
 */
export async function duplicateCourses(
  actor: Actor,
  input: SomeCourses,
  copyTasks: CopyTasks,
): Promise<{ copies: number }> {
  mustEdit(actor)
  const { courseIds } = SomeCourses.parse(input)
  return inTenant(actor, async () => {
    const chosen = [...new Set(courseIds)]
    for (const courseId of chosen) await duplicateCourse(actor, { courseId }, copyTasks)
    return { copies: chosen.length }
  })
}
