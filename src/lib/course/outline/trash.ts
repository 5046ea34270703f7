import { and, desc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import { courseModule, lesson } from '../table.ts'
import type { OutlineChanged } from './arrange.ts'
import { type LessonsChanged, setLessons } from './bulk-change.ts'
import { recordChange, writeLessons, writeModules } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import { lessonOrders, lockLesson, lockModule, moduleOrder, requireCourse, writeLessonOrder } from './order.ts'
import { type LessonIds, OUTLINE_TRASH_DAYS } from './schema.ts'

/** An item in the trash of a course. */
export interface TrashItem {
  kind: 'module' | 'lesson'
  id: string
  title: string
  /** Of a lesson: the module that it was in. */
  moduleTitle: string | null
  /** Of a module: the number of lessons that are restored with it. */
  lessonCount: number
  deletedAt: Date
  /** Null for items that were deleted before the author was recorded. */
  deletedBy: string | null
}

/**
 * The items that were deleted in the last 30 days and can be restored, newest first. Refuses with forbidden, not_found.
 */
export async function listTrash(actor: Actor, input: { courseId: string }): Promise<TrashItem[]> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    await requireCourse(tx, courseId)
    const modules = await tx
      .select({
        id: courseModule.id,
        title: courseModule.title,
        deletedAt: courseModule.deletedAt,
        deletedBy: byName,
        lessonCount: sql<number>`(select count(*) from lesson l where l.module_id = ${courseModule.id}
          and l.deleted_at is null)`.mapWith(Number),
      })
      .from(courseModule)
      .leftJoin(membership, eq(membership.id, courseModule.deletedBy))
      .leftJoin(user, eq(user.id, membership.userId))
      .where(and(eq(courseModule.courseId, courseId), gt(courseModule.deletedAt, oldestRestorable)))
      .orderBy(desc(courseModule.deletedAt))
    const lessons = await tx
      .select({
        id: lesson.id,
        title: lesson.title,
        deletedAt: lesson.deletedAt,
        deletedBy: byName,
        moduleTitle: courseModule.title,
      })
      .from(lesson)
      .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
      .leftJoin(membership, eq(membership.id, lesson.deletedBy))
      .leftJoin(user, eq(user.id, membership.userId))
      .where(and(eq(lesson.courseId, courseId), gt(lesson.deletedAt, oldestRestorable)))
      .orderBy(desc(lesson.deletedAt), lesson.position)
      .limit(1000)
    const items = [
      ...modules.map((row) => ({ ...row, kind: 'module' as const, moduleTitle: null })),
      ...lessons.map((row) => ({ ...row, kind: 'lesson' as const, lessonCount: 0 })),
    ]
    return items
      .flatMap(({ deletedAt, deletedBy, ...item }) =>
        deletedAt ? [{ ...item, deletedAt, deletedBy: deletedBy || null }] : [],
      )
      .sort((first, other) => other.deletedAt.getTime() - first.deletedAt.getTime())
  })
}

/** Moves lessons to the trash. Refuses with forbidden, plan_inactive, not_found when none of them is in the course. */
export async function deleteLessons(actor: Actor, input: LessonIds): Promise<LessonsChanged> {
  requireCourseEditor(actor)
  const { courseId, lessonIds } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    const done = await setLessons(tx, actor, { courseId, lessonIds, change: { deleted: true } })
    await attachLessonFiles(tx, actor, inArray(lesson.id, done.changed))
    return done
  })
}

/**
 * Restores lessons to their positions. When the module of a lesson is deleted, the lesson is appended to the last
 * module of the course; when no module is left, its own module is restored too. Refuses as deleteLessons.
 */
export async function restoreLessons(actor: Actor, input: LessonIds): Promise<LessonsChanged> {
  requireCourseEditor(actor)
  const { courseId, lessonIds } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    return restoreFromTrash(tx, actor, courseId, lessonIds)
  })
}

/** Restores one lesson; a second call does nothing. */
export async function restoreLesson(actor: Actor, input: { lessonId: string }): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockLesson(tx, lessonId, 'any')
    return restoreFromTrash(tx, actor, courseId, [lessonId])
  })
}

/** Moves one lesson to the trash; a second call does nothing. */
export async function deleteLesson(actor: Actor, input: { lessonId: string }): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockLesson(tx, lessonId, 'any')
    const [row] = await tx.select({ deletedAt: lesson.deletedAt }).from(lesson).where(eq(lesson.id, lessonId))
    if (row?.deletedAt) return { changeId: null }
    const done = await setLessons(tx, actor, { courseId, lessonIds: [lessonId], change: { deleted: true } })
    await attachLessonFiles(tx, actor, eq(lesson.id, lessonId))
    return done
  })
}

/** Moves a module with its lessons to the trash; a second call does nothing. Refuses as deleteLessons. */
export const deleteModule = (actor: Actor, input: { moduleId: string }) => setModuleDeleted(actor, input, true)

/** Restores a module with its lessons. Refuses as deleteLessons. */
export const restoreModule = (actor: Actor, input: { moduleId: string }) => setModuleDeleted(actor, input, false)

async function setModuleDeleted(actor: Actor, input: { moduleId: string }, deleted: boolean): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { moduleId } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId, 'any')
    const state = deleted ? isNull(courseModule.deletedAt) : gt(courseModule.deletedAt, oldestRestorable)
    const [changing] = await tx
      .select({ id: courseModule.id })
      .from(courseModule)
      .where(and(eq(courseModule.id, moduleId), state))
    if (!changing) return { changeId: null }
    await writeModules(tx, actor, [{ id: moduleId, patch: { deleted } }])
    await attachLessonFiles(tx, actor, eq(lesson.moduleId, moduleId))
    const modules = [{ id: moduleId, before: { deleted: !deleted }, after: { deleted } }]
    return { changeId: await recordChange(tx, actor, courseId, { modules }) }
  })
}

const oldestRestorable = sql`now() - make_interval(days => ${OUTLINE_TRASH_DAYS})`

const byName = sql<string>`trim(${user.firstName} || ' ' || ${user.lastName})`

async function restoreFromTrash(
  tx: Tx,
  actor: Actor,
  courseId: string,
  lessonIds: readonly string[],
): Promise<LessonsChanged> {
  const selected = and(eq(lesson.courseId, courseId), inArray(lesson.id, [...lessonIds]))
  const rows = await tx
    .select({
      id: lesson.id,
      moduleId: lesson.moduleId,
      isModuleDeleted: isNotNull(courseModule.deletedAt).mapWith(Boolean),
    })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .where(and(selected, gt(lesson.deletedAt, oldestRestorable)))
    .orderBy(lesson.position, lesson.id)
  if (rows.length === 0) return unchangedOrNotFound(tx, selected)
  const changed = rows.map(({ id }) => id)
  const withoutModule = rows.filter(({ isModuleDeleted }) => isModuleDeleted)
  const targetModuleId = (await moduleOrder(tx, courseId)).at(-1)
  const modules = targetModuleId === undefined ? [...new Set(withoutModule.map(({ moduleId }) => moduleId))] : []
  await writeModules(
    tx,
    actor,
    modules.map((id) => ({ id, patch: { deleted: false } })),
  )
  const currentOrder = targetModuleId ? ((await lessonOrders(tx, [targetModuleId]))[targetModuleId] ?? []) : []
  await writeLessons(
    tx,
    actor,
    changed.map((id) => ({ id, patch: { deleted: false } })),
  )
  if (targetModuleId && withoutModule.length > 0)
    await writeLessonOrder(tx, targetModuleId, [...currentOrder, ...withoutModule.map(({ id }) => id)])
  await attachLessonFiles(tx, actor, inArray(lesson.id, changed))
  const restoredChange = (id: string) => ({ id, before: { deleted: true }, after: { deleted: false } })
  const effect = { lessons: changed.map(restoredChange), modules: modules.map(restoredChange) }
  return { changeId: await recordChange(tx, actor, courseId, effect), changed }
}

/** Nothing changes for lessons that are not deleted; unknown lessons are refused with not_found. */
async function unchangedOrNotFound(tx: Tx, selected: SQL | undefined): Promise<LessonsChanged> {
  const [existing] = await tx
    .select({ id: lesson.id })
    .from(lesson)
    .where(and(selected, isNull(lesson.deletedAt)))
    .limit(1)
  if (!existing) throw new Refusal('not_found')
  return { changeId: null, changed: [] }
}
