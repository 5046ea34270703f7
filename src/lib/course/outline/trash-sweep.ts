import { and, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { accessOverride, lessonNote, lessonProgress } from '../learning/table.ts'
import { courseModule, lesson, lessonRevision } from '../table.ts'
import { OUTLINE_TRASH_DAYS } from './schema.ts'
import { outlineChange } from './table.ts'

const BATCH_SIZE = 200

/**
 * Deletes lessons and modules that have been in the trash for 30 days, with revisions, notes and progress, and expired
 * undo records. A lesson with tasks keeps its row, because submissions refer to it: only its text is deleted. Returns
 * the number of lessons deleted or emptied.
 */
export async function sweepCourseTrash(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - OUTLINE_TRASH_DAYS * DAY_MS)
  return forEachTenant({ job: 'course.sweepTrash', dueSql: OLD_TRASH, now }, async (tenantId) => {
    let sweptCount = 0
    for (;;) {
      const count = await inTenant({ tenantId }, (tx) => sweepLessons(tx, before))
      sweptCount += count
      if (count < BATCH_SIZE) break
    }
    await inTenant({ tenantId }, async (tx) => {
      const empty = sql`not exists (select 1 from lesson l where l.module_id = ${courseModule.id})`
      await tx.delete(courseModule).where(and(lt(courseModule.deletedAt, before), empty))
      await tx.delete(outlineChange).where(lt(outlineChange.at, new Date(now.getTime() - DAY_MS)))
    })
    return sweptCount
  })
}

// Matches slightly more than the sweep deletes: an emptied lesson with tasks is selected again.
const OLD_TRASH = `select 1 from lesson l where l.deleted_at < $1 - interval '${OUTLINE_TRASH_DAYS} days'
  union all select 1 from course_module m where m.deleted_at < $1 - interval '${OUTLINE_TRASH_DAYS} days'
  union all select 1 from outline_change o where o.at < $1 - interval '1 day'`

async function sweepLessons(tx: Tx, before: Date): Promise<number> {
  const isInDeletedModule = sql`exists (select 1 from course_module m where m.id = lesson.module_id and m.deleted_at < ${before})`
  // Qualified, because a bare `id` in the subquery is the task's.
  const hasTask = sql<boolean>`exists (select 1 from task t where t.lesson_id = lesson.id)`
  const rows = await tx
    .select({ id: lesson.id, worked: hasTask })
    .from(lesson)
    .where(and(or(lt(lesson.deletedAt, before), isInDeletedModule), or(sql`not ${hasTask}`, hasContent)))
    .limit(BATCH_SIZE)
  const ids = (withTask: boolean) => rows.filter((row) => row.worked === withTask).map(({ id }) => id)
  const [purged, destroyed] = [ids(true), ids(false)]
  if (rows.length > 0)
    await tx.delete(lessonRevision).where(inArray(lessonRevision.lessonId, [...purged, ...destroyed]))
  if (purged.length > 0) {
    const noPublication = { publishedTitle: null, publishedBlocks: null, publishedVersion: null, publishedAt: null }
    await tx
      .update(lesson)
      .set({ ...noPublication, blocks: EMPTY_DOC, words: 0, deletedAt: sql`coalesce(${lesson.deletedAt}, now())` })
      .where(inArray(lesson.id, purged))
  }
  if (destroyed.length > 0) {
    await tx.delete(lessonNote).where(inArray(lessonNote.lessonId, destroyed))
    await tx.delete(accessOverride).where(inArray(accessOverride.lessonId, destroyed))
    await tx.delete(lessonProgress).where(inArray(lessonProgress.lessonId, destroyed))
    await tx.delete(lesson).where(inArray(lesson.id, destroyed))
  }
  return rows.length
}

const hasContent = or(sql`${lesson.blocks} <> ${JSON.stringify(EMPTY_DOC)}::jsonb`, isNotNull(lesson.publishedBlocks))
