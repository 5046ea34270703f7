import { isDeepStrictEqual } from 'node:util'
import { and, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { queueTestCheck } from '../learning/test-check.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { announceOutline } from '../live.ts'
import { requireCourseEditor } from '../permission.ts'
import { courseModule, lesson } from '../table.ts'
import { lockCourse, recountLessons } from './lesson-counts.ts'
import { lessonOrders, moduleOrder, requireRow, writeLessonOrder, writeModuleOrder } from './order.ts'
import { restorePositions } from './rules.ts'
import type { UndoChange } from './schema.ts'
import { type LessonFields, type ModuleFields, type OutlineEffect, outlineChange, type RowChange } from './table.ts'

/** The page offers undo for ten seconds; the rest is for slow networks. */
const UNDO_MINUTES = 10

/**
 * Records an outline change: recounts the lessons, stores the data for undo and notifies other authors. Called last in
 * the transaction. Returns the id for undoChange.
 */
export async function recordChange(tx: Tx, actor: Actor, courseId: string, effect: OutlineEffect): Promise<string> {
  await recountLessons(tx, courseId)
  const [row] = await tx
    .insert(outlineChange)
    .values({ tenantId: actor.tenantId, courseId, by: actor.membershipId, effect })
    .returning({ id: outlineChange.id })
  const { id } = requireRow(row)
  await announceOutline(courseId, { changeId: id })
  return id
}

/**
 * Undoes the actor's own change; a second call does nothing. A row is restored only where it still has the values of
 * the change. Refuses with forbidden, plan_inactive, not_found (another author's change, or one that is too old).
 */
export async function undoChange(actor: Actor, input: UndoChange): Promise<{ courseId: string }> {
  requireCourseEditor(actor)
  const { changeId } = input
  return inTenant(actor, async (tx) => {
    const ownChange = and(eq(outlineChange.id, changeId), eq(outlineChange.by, actor.membershipId))
    const [changeRow] = await tx.select({ courseId: outlineChange.courseId }).from(outlineChange).where(ownChange)
    const { courseId } = requireRow(changeRow)
    await lockCourse(tx, courseId)
    const [row] = await tx
      .select({ effect: outlineChange.effect, undoneAt: outlineChange.undoneAt })
      .from(outlineChange)
      .where(and(ownChange, gt(outlineChange.at, sql`now() - make_interval(mins => ${UNDO_MINUTES})`)))
    const { effect, undoneAt } = requireRow(row)
    if (undoneAt) return { courseId }
    await undoFields(tx, actor, effect)
    await undoPublishing(tx, effect.published ?? [])
    await undoMoves(tx, courseId, effect)
    await tx.update(outlineChange).set({ undoneAt: new Date() }).where(ownChange)
    await recountLessons(tx, courseId)
    await attachChangedFiles(tx, actor, effect)
    await announceOutline(courseId, { changeId })
    return { courseId }
  })
}

/** Writes fields of lessons; rows with equal values share a statement. A new title makes a new version of the draft. */
export async function writeLessons(tx: Tx, actor: Actor, patches: readonly { id: string; patch: LessonFields }[]) {
  const memberId = actor.membershipId
  for (const { ids, patch } of groupByPatch(patches)) {
    const { deleted, title, ...fields } = patch
    const titleFields = { title, version: sql`${lesson.version} + 1`, updatedAt: new Date(), updatedBy: memberId }
    const [written] = await tx
      .update(lesson)
      .set({ ...fields, ...deletionFields(deleted, memberId), ...(title === undefined ? {} : titleFields) })
      .where(inArray(lesson.id, ids))
      .returning({ courseId: lesson.courseId })
    // Students who have passed the test already have completed the lesson.
    if (written && fields.completionRule?.mode === 'testPassed') await queueTestCheck(actor, written.courseId)
  }
}

/** Writes fields of modules. */
export async function writeModules(tx: Tx, actor: Actor, patches: readonly { id: string; patch: ModuleFields }[]) {
  for (const { ids, patch } of groupByPatch(patches)) {
    const { deleted, ...fields } = patch
    await tx
      .update(courseModule)
      .set({ ...fields, ...deletionFields(deleted, actor.membershipId) })
      .where(inArray(courseModule.id, ids))
  }
}

/** Outline fields of lessons, including deleted ones. */
export async function readLessons(tx: Tx, ids: readonly string[]) {
  const { hidden, required, freePreview, availability, completionRule, durationMinutes, title } = lesson
  const fields = { hidden, required, freePreview, availability, completionRule, durationMinutes, title }
  const deleted = isNotNull(lesson.deletedAt).mapWith(Boolean)
  return tx
    .select({ id: lesson.id, courseId: lesson.courseId, ...fields, deleted })
    .from(lesson)
    .where(inArray(lesson.id, [...ids]))
}

/** Outline fields of modules, including deleted ones. */
export async function readModules(tx: Tx, ids: readonly string[]) {
  const { id, courseId, title, description, hidden, availability, deletedAt } = courseModule
  const deleted = isNotNull(deletedAt).mapWith(Boolean)
  return tx
    .select({ id, courseId, title, description, hidden, availability, deleted })
    .from(courseModule)
    .where(inArray(courseModule.id, [...ids]))
}

/** The fields that a change really changes, before and after. Null when it changes none. */
export function changedFields<Fields extends object>(
  row: Fields & { id: string },
  change: Fields,
): RowChange<Fields> | null {
  const changed = Object.entries(change).filter(([key, value]) => !isDeepStrictEqual(Reflect.get(row, key), value))
  if (changed.length === 0) return null
  const keys = new Set(changed.map(([key]) => key))
  const before = Object.fromEntries(Object.entries(row).filter(([key]) => keys.has(key)))
  return { id: row.id, before: before as Fields, after: Object.fromEntries(changed) as Fields }
}

const deletionFields = (deleted: boolean | undefined, memberId: string) =>
  deleted === undefined
    ? {}
    : deleted
      ? { deletedAt: new Date(), deletedBy: memberId }
      : { deletedAt: null, deletedBy: null }

async function undoFields(tx: Tx, actor: Actor, { lessons = [], modules = [] }: OutlineEffect): Promise<void> {
  if (modules.length > 0) {
    const currentRows = await readModules(
      tx,
      modules.map(({ id }) => id),
    )
    await writeModules(tx, actor, patchesToUndo(modules, currentRows))
  }
  if (lessons.length > 0) {
    const currentRows = await readLessons(
      tx,
      lessons.map(({ id }) => id),
    )
    await writeLessons(tx, actor, patchesToUndo(lessons, currentRows))
  }
}

/** The fields to restore per row: those that still have the values of the change. */
function patchesToUndo<Fields extends object>(
  changes: RowChange<Fields>[],
  currentRows: readonly ({ id: string } & Fields)[],
) {
  const rows = new Map(currentRows.map((row) => [row.id, row]))
  return changes.flatMap(({ id, before, after }) => {
    const row = rows.get(id)
    const keys = Object.keys(before).filter(
      (key) => row && isDeepStrictEqual(Reflect.get(row, key), Reflect.get(after, key)),
    )
    const patch = Object.fromEntries(keys.map((key) => [key, Reflect.get(before, key)])) as Fields
    return keys.length > 0 ? [{ id, patch }] : []
  })
}

// The previous texts are in the revisions since the publication.
async function undoPublishing(tx: Tx, published: NonNullable<OutlineEffect['published']>): Promise<void> {
  if (published.length === 0) return
  await tx.execute(sql`update lesson l set published_title = r.title, published_blocks = r.blocks,
      published_version = c.before, published_at = c.before_at
    from jsonb_to_recordset(${JSON.stringify(published)}::jsonb)
      as c(id uuid, before int, before_at timestamptz, after int)
    left join lesson_revision r on r.lesson_id = c.id and r.version = c.before and r.kind = 'published'
    where l.id = c.id and l.published_version = c.after and (c.before is null or r.version is not null)`)
}

async function undoMoves(tx: Tx, courseId: string, { places = [], order = {}, movedModule }: OutlineEffect) {
  if (movedModule) {
    const currentOrder = await moduleOrder(tx, courseId)
    if (currentOrder.includes(movedModule)) {
      await writeModuleOrder(tx, restorePositions(currentOrder, new Set([movedModule]), order[courseId] ?? []))
    }
  }
  if (places.length === 0) return
  const moduleIds = new Set(await moduleOrder(tx, courseId))
  const orders = await lessonOrders(tx, [...new Set(places.flatMap(({ from, to }) => [from, to]))])
  const movable = places.filter(({ id, from, to }) => moduleIds.has(from) && orders[to]?.includes(id))
  for (const { id, to } of movable) orders[to] = orders[to]?.filter((move) => move !== id) ?? []
  for (const from of new Set(movable.map((move) => move.from))) {
    const ids = new Set(movable.filter((move) => move.from === from).map(({ id }) => id))
    await writeLessonOrder(tx, from, restorePositions(orders[from] ?? [], ids, order[from] ?? []))
  }
}

async function attachChangedFiles(tx: Tx, actor: Actor, { lessons = [], modules = [], published = [] }: OutlineEffect) {
  const ids = [...lessons.filter(({ after }) => 'deleted' in after || 'title' in after), ...published].map(
    ({ id }) => id,
  )
  const moduleIds = modules.filter(({ after }) => 'deleted' in after).map(({ id }) => id)
  if (ids.length > 0) await attachLessonFiles(tx, actor, inArray(lesson.id, ids))
  if (moduleIds.length > 0)
    await attachLessonFiles(tx, actor, and(inArray(lesson.moduleId, moduleIds), isNull(lesson.deletedAt)) ?? sql`false`)
}

function groupByPatch<Fields extends object>(patches: readonly { id: string; patch: Fields }[]) {
  const groups = new Map<string, { ids: string[]; patch: Fields }>()
  for (const { id, patch } of patches) {
    const key = JSON.stringify(patch)
    const group = groups.get(key) ?? { ids: [], patch }
    group.ids.push(id)
    groups.set(key, group)
  }
  return [...groups.values()]
}
