import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { course, courseModule, lesson } from '../table.ts'
import { lockCourse } from './lesson-counts.ts'

/** Locks the course of a module until the end of the transaction. Refuses with not_found. */
export async function lockModule(tx: Tx, moduleId: string, scope: 'living' | 'any' = 'living') {
  const [row] = await tx
    .select({ courseId: courseModule.courseId })
    .from(courseModule)
    .where(and(eq(courseModule.id, moduleId), scope === 'any' ? undefined : isNull(courseModule.deletedAt)))
  const { courseId } = requireRow(row)
  await lockCourse(tx, courseId)
  return { courseId }
}

/** Locks the course of a lesson. The lesson is read again under the lock, because it may have been moved. */
export async function lockLesson(tx: Tx, lessonId: string, scope: 'living' | 'any' = 'living') {
  const readPlace = async () => {
    const [row] = await tx
      .select({ courseId: lesson.courseId, moduleId: lesson.moduleId })
      .from(lesson)
      .where(and(eq(lesson.id, lessonId), scope === 'any' ? undefined : isNull(lesson.deletedAt)))
    return requireRow(row)
  }
  await lockCourse(tx, (await readPlace()).courseId)
  return readPlace()
}

/** Ids of the modules of a course in order, without deleted ones. */
export async function moduleOrder(tx: Tx, courseId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: courseModule.id })
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), isNull(courseModule.deletedAt)))
    .orderBy(asc(courseModule.position), asc(courseModule.id))
  return rows.map((row) => row.id)
}

/** Lesson ids in order by module, without deleted ones. */
export async function lessonOrders(tx: Tx, moduleIds: readonly string[]): Promise<Record<string, string[]>> {
  const orders: Record<string, string[]> = Object.fromEntries(moduleIds.map((id) => [id, []]))
  if (moduleIds.length === 0) return orders
  const rows = await tx
    .select({ id: lesson.id, moduleId: lesson.moduleId })
    .from(lesson)
    .where(and(inArray(lesson.moduleId, [...moduleIds]), isNull(lesson.deletedAt)))
    .orderBy(asc(lesson.position), asc(lesson.id))
  for (const { id, moduleId } of rows) orders[moduleId]?.push(id)
  return orders
}

/**
 * Writes the order of a module's lessons; lessons of other modules are moved into it. Only rows that change are
 * updated.
 */
export async function writeLessonOrder(tx: Tx, moduleId: string, order: readonly string[]): Promise<void> {
  await tx.execute(sql`update lesson set position = o.n, module_id = ${moduleId} from ${positionsOf(order)}
    where lesson.id = o.id and (lesson.position, lesson.module_id) is distinct from (o.n, ${moduleId}::uuid)`)
}

/** Writes the order of the modules of a course. */
export async function writeModuleOrder(tx: Tx, order: readonly string[]): Promise<void> {
  await tx.execute(sql`update course_module set position = o.n from ${positionsOf(order)}
    where course_module.id = o.id and course_module.position is distinct from o.n`)
}

/** Refuses with not_found unless the course exists. */
export async function requireCourse(tx: Tx, courseId: string): Promise<void> {
  const [row] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
  requireRow(row)
}

/**
 * Refuses with not_found for an id outside the course. A lesson or module of the course may have been moved or deleted.
 */
export async function requireInCourse(
  tx: Tx,
  courseId: string,
  kind: 'lesson' | 'module',
  id: string | null,
): Promise<void> {
  if (id === null) return
  const table = kind === 'lesson' ? lesson : courseModule
  const [row] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), eq(table.courseId, courseId)))
  requireRow(row)
}

export function requireRow<T>(row: T | undefined): T {
  if (row === undefined) throw new Refusal('not_found')
  return row
}

function positionsOf(order: readonly string[]) {
  return sql`(select id, (n - 1)::int as n from unnest(${sql.param([...order])}::uuid[]) with ordinality as u(id, n)) o`
}
