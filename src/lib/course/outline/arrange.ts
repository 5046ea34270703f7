import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireCourseEditor } from '../permission.ts'
import { recordChange } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import {
  lessonOrders,
  lockLesson,
  lockModule,
  moduleOrder,
  requireInCourse,
  writeLessonOrder,
  writeModuleOrder,
} from './order.ts'
import { moveTogether } from './rules.ts'
import type { MoveLesson, MoveModule, PlaceLessons, PlaceModule } from './schema.ts'

/** Result of an outline change; `changeId` is the input of undoChange, null when nothing changed. */
export interface OutlineChanged {
  changeId: string | null
}

/**
 * Moves lessons to a module in the given order, before one of its lessons, or at the end where that lesson no longer
 * exists. Deleted lessons are omitted. Returns the new orders. Refuses with forbidden, plan_inactive, not_found.
 */
export async function placeLessons(
  actor: Actor,
  input: PlaceLessons,
): Promise<OutlineChanged & { orders: Record<string, string[]> }> {
  requireCourseEditor(actor)
  const { courseId, lessonIds, moduleId, beforeId } = input
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    await requireInCourse(tx, courseId, 'lesson', beforeId)
    return placeInModule(tx, actor, courseId, lessonIds, moduleId, beforeId)
  })
}

/** Moves a module before another of its course, or to the end. Refuses with forbidden, plan_inactive, not_found. */
export async function placeModule(actor: Actor, input: PlaceModule): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { moduleId, beforeId } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const order = await moduleOrder(tx, courseId)
    if (beforeId === moduleId) return { changeId: null }
    await requireInCourse(tx, courseId, 'module', beforeId)
    return writeModuleMove(tx, actor, {
      courseId,
      moduleId,
      currentOrder: order,
      newOrder: moveTogether(order, [moduleId], beforeId),
    })
  })
}

/** Moves a module one position up (-1) or down (1); at the edge nothing changes. Refuses as placeModule. */
export async function moveModule(actor: Actor, input: MoveModule): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { moduleId, direction: by } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const order = await moduleOrder(tx, courseId)
    const index = order.indexOf(moduleId)
    if (order[index + by] === undefined) return { changeId: null }
    const newOrder = order.toSpliced(index, 1).toSpliced(index + by, 0, moduleId)
    return writeModuleMove(tx, actor, { courseId, moduleId, currentOrder: order, newOrder })
  })
}

/**
 * Moves a lesson one position up or down; past the edge of its module it moves to the adjacent one. Refuses as
 * placeModule.
 */
export async function moveLesson(actor: Actor, input: MoveLesson): Promise<OutlineChanged> {
  requireCourseEditor(actor)
  const { lessonId, direction: by } = input
  return inTenant(actor, async (tx) => {
    const { courseId, moduleId } = await lockLesson(tx, lessonId)
    const order = (await lessonOrders(tx, [moduleId]))[moduleId] ?? []
    const index = order.indexOf(lessonId)
    if (order[index + by] !== undefined) {
      const beforeId = by === -1 ? order[index - 1] : order[index + 2]
      return placeInModule(tx, actor, courseId, [lessonId], moduleId, beforeId ?? null)
    }
    const modules = await moduleOrder(tx, courseId)
    const targetModuleId = modules[modules.indexOf(moduleId) + by]
    if (targetModuleId === undefined) return { changeId: null }
    const targetLessonIds = (await lessonOrders(tx, [targetModuleId]))[targetModuleId] ?? []
    return placeInModule(
      tx,
      actor,
      courseId,
      [lessonId],
      targetModuleId,
      by === 1 ? (targetLessonIds[0] ?? null) : null,
    )
  })
}

async function placeInModule(
  tx: Tx,
  actor: Actor,
  courseId: string,
  lessonIds: readonly string[],
  moduleId: string,
  beforeId: string | null,
) {
  const modules = await moduleOrder(tx, courseId)
  if (!modules.includes(moduleId)) throw new Refusal('not_found')
  const orders = await lessonOrders(tx, modules)
  const moduleByLesson = new Map(
    Object.entries(orders).flatMap(([homeId, ids]) => ids.map((id) => [id, homeId] as const)),
  )
  const movedIds = [...new Set(lessonIds)].filter((id) => moduleByLesson.has(id))
  if (movedIds.length === 0) throw new Refusal('not_found')
  const order = orders[moduleId] ?? []
  const newOrder = moveTogether(order, movedIds, nextStaying(order, movedIds, beforeId))
  if (newOrder.every((id, index) => order[index] === id)) return { changeId: null, orders: { [moduleId]: order } }
  await writeLessonOrder(tx, moduleId, newOrder)
  const moves = movedIds.map((id) => ({ id, from: moduleByLesson.get(id) ?? moduleId, to: moduleId }))
  const sourceModuleIds = [...new Set(moves.map(({ from }) => from))]
  const previousOrders = Object.fromEntries(sourceModuleIds.map((id) => [id, orders[id] ?? []]))
  const changeId = await recordChange(tx, actor, courseId, { places: moves, order: previousOrders })
  const remainingOrders = Object.fromEntries(
    sourceModuleIds.map((id) => [id, (orders[id] ?? []).filter((lessonId) => !movedIds.includes(lessonId))]),
  )
  return { changeId, orders: { ...remainingOrders, [moduleId]: newOrder } }
}

/** The insertion point: `beforeId`, or if it is moved too, the next lesson that is not moved. */
function nextStaying(order: readonly string[], movedIds: readonly string[], beforeId: string | null): string | null {
  if (beforeId === null || !movedIds.includes(beforeId)) return beforeId
  return order.slice(order.indexOf(beforeId)).find((id) => !movedIds.includes(id)) ?? null
}

interface Reordering {
  courseId: string
  moduleId: string
  currentOrder: string[]
  newOrder: string[]
}

async function writeModuleMove(
  tx: Tx,
  actor: Actor,
  { courseId, moduleId, currentOrder, newOrder }: Reordering,
): Promise<OutlineChanged> {
  if (newOrder.every((id, index) => currentOrder[index] === id)) return { changeId: null }
  await writeModuleOrder(tx, newOrder)
  const effect = { movedModule: moduleId, order: { [courseId]: currentOrder } }
  return { changeId: await recordChange(tx, actor, courseId, effect) }
}
