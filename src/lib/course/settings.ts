import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireFileOfType } from '#lib/storage/require-file.ts'
import { attachCourseFiles } from './lesson/pictures.ts'
import { requireCourseEditor } from './permission.ts'
import type { UpdateCourse } from './settings-schema.ts'
import { course } from './table.ts'

/**
 * Changes the given settings; the others stay. Refuses with forbidden, plan_inactive, not_found; with conflict when the
 * course has changed since `version`; with invalid for an end of access that is not after its start; with wrong_type
 * for a cover that is not an image or a promo that is not a video.
 */
export async function updateCourse(actor: Actor, input: UpdateCourse): Promise<{ courseId: string; version: number }> {
  requireCourseEditor(actor)
  const { courseId, version, accessStart, accessEnd, ...changes } = input
  const period = { ...dateOf('accessStart', accessStart), ...dateOf('accessEnd', accessEnd) }
  // Compared in the row, because only one of the two dates may be in the change. The refusal rolls the change back.
  const isInOrder = sql`coalesce(${newValue(course.accessStart, accessStart)} < ${newValue(course.accessEnd, accessEnd)}, true)`
  return inTenant(actor, async (tx) => {
    // Without this check, a file of another tenant would violate a foreign key and cause an unexpected error.
    if (changes.coverFileId)
      await requireFileOfType(actor, 'coverFileId', changes.coverFileId, ({ kind }) => kind === 'image')
    if (changes.promoVideoFileId)
      await requireFileOfType(actor, 'promoVideoFileId', changes.promoVideoFileId, ({ kind }) => kind === 'video')
    const [changed] = await tx
      .update(course)
      .set({ ...changes, ...period, version: sql`${course.version} + 1`, updatedAt: new Date() })
      .where(and(eq(course.id, courseId), version === undefined ? undefined : eq(course.version, version), isInOrder))
      .returning({ courseId: course.id, version: course.version })
    if (!changed) throw await updateRefusal(tx, courseId, version)
    await attachCourseFiles(tx, actor, courseId)
    return { courseId, version: changed.version }
  })
}

function dateOf(name: 'accessStart' | 'accessEnd', at: string | null | undefined) {
  return at === undefined ? {} : { [name]: at === null ? null : new Date(at) }
}

/** The value of the column after the change. */
const newValue = (column: AnyPgColumn, at: string | null | undefined): SQL =>
  at === undefined ? sql`${column}` : sql`${at}::timestamptz`

async function updateRefusal(tx: Tx, courseId: string, version: number | undefined): Promise<Refusal> {
  const [row] = await tx.select({ version: course.version }).from(course).where(eq(course.id, courseId))
  if (!row) return new Refusal('not_found')
  if (version === undefined || version === row.version)
    return new Refusal('invalid', { fields: { accessEnd: ['access_end_before_start'] } })
  const data = { courseId, version: row.version }
  return new Refusal('conflict', { fields: { form: ['course_version_conflict'] }, data })
}
