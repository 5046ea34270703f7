import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustEdit } from '../permission.ts'
import { keepChange } from './change.ts'
import { lockCourse } from './lesson-counts.ts'
import {
  lessonOrders,
  lockLesson,
  lockModule,
  moduleOrder,
  mustKnow,
  writeLessonOrder,
  writeModuleOrder,
} from './order.ts'
import { placed } from './rules.ts'
import { MoveLesson, MoveModule, PlaceLessons, PlaceModule } from './schema.ts'

/** An act on an outline, to be taken back by undoChange; null when nothing had to change. */
export interface Changed {
  changeId: string | null
}

/**
 * Puts lessons together into a module, in the order given, before one of its lessons. Where that neighbour is gone by
 * now, at the end. Lessons that are gone are left out. Gives the orders that came of it.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export async function placeLessons(
  actor: Actor,
  input: PlaceLessons,
): Promise<Changed & { orders: Record<string, string[]> }> {
  mustEdit(actor)
  const { courseId, lessonIds, moduleId, beforeId } = PlaceLessons.parse(input)
  return inTenant(actor, async (tx) => {
    await lockCourse(tx, courseId)
    await mustKnow(tx, courseId, 'lesson', beforeId)
    return arrange(tx, actor, courseId, lessonIds, moduleId, beforeId)
  })
}

/** Puts a module before another of its course, or at the end. Refuses with forbidden, plan_inactive, not_found. */
export async function placeModule(actor: Actor, input: PlaceModule): Promise<Changed> {
  mustEdit(actor)
  const { moduleId, beforeId } = PlaceModule.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const order = await moduleOrder(tx, courseId)
    if (beforeId === moduleId) return { changeId: null }
    await mustKnow(tx, courseId, 'module', beforeId)
    return reorder(tx, actor, { courseId, moduleId, order, wanted: placed(order, [moduleId], beforeId) })
  })
}

/** One place up (-1) or down (1); at the edge nothing changes. Refuses as placeModule. */
export async function moveModule(actor: Actor, input: MoveModule): Promise<Changed> {
  mustEdit(actor)
  const { moduleId, by } = MoveModule.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId } = await lockModule(tx, moduleId)
    const order = await moduleOrder(tx, courseId)
    const at = order.indexOf(moduleId)
    if (order[at + by] === undefined) return { changeId: null }
    const wanted = order.toSpliced(at, 1).toSpliced(at + by, 0, moduleId)
    return reorder(tx, actor, { courseId, moduleId, order, wanted })
  })
}

/** One place up or down; past the edge of its module a lesson goes over into the next one. Refuses as placeModule. */
export async function moveLesson(actor: Actor, input: MoveLesson): Promise<Changed> {
  mustEdit(actor)
  const { lessonId, by } = MoveLesson.parse(input)
  return inTenant(actor, async (tx) => {
    const { courseId, moduleId } = await lockLesson(tx, lessonId)
    const order = (await lessonOrders(tx, [moduleId]))[moduleId] ?? []
    const at = order.indexOf(lessonId)
    if (order[at + by] !== undefined) {
      const before = by === -1 ? order[at - 1] : order[at + 2]
      return arrange(tx, actor, courseId, [lessonId], moduleId, before ?? null)
    }
    const modules = await moduleOrder(tx, courseId)
    const target = modules[modules.indexOf(moduleId) + by]
    if (target === undefined) return { changeId: null }
    const there = (await lessonOrders(tx, [target]))[target] ?? []
    return arrange(tx, actor, courseId, [lessonId], target, by === 1 ? (there[0] ?? null) : null)
  })
}

async function arrange(
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
  const homes = new Map(Object.entries(orders).flatMap(([home, ids]) => ids.map((id) => [id, home] as const)))
  const going = [...new Set(lessonIds)].filter((id) => homes.has(id))
  if (going.length === 0) throw new Refusal('not_found')
  const order = orders[moduleId] ?? []
  const wanted = placed(order, going, neighbourOf(order, going, beforeId))
  if (wanted.every((id, at) => order[at] === id)) return { changeId: null, orders: { [moduleId]: order } }
  await writeLessonOrder(tx, moduleId, wanted)
  const places = going.map((id) => ({ id, from: homes.get(id) ?? moduleId, to: moduleId }))
  const touched = [...new Set(places.map(({ from }) => from))]
  const former = Object.fromEntries(touched.map((id) => [id, orders[id] ?? []]))
  const changeId = await keepChange(tx, actor, courseId, { places, order: former })
  const now = Object.fromEntries(touched.map((id) => [id, (orders[id] ?? []).filter((one) => !going.includes(one))]))
  return { changeId, orders: { ...now, [moduleId]: wanted } }
}

/** A neighbour that goes along is no neighbour: the next one that stays is. */
function neighbourOf(order: readonly string[], going: readonly string[], beforeId: string | null): string | null {
  if (beforeId === null || !going.includes(beforeId)) return beforeId
  return order.slice(order.indexOf(beforeId)).find((id) => !going.includes(id)) ?? null
}

interface Reordering {
  courseId: string
  moduleId: string
  order: string[]
  wanted: string[]
}

async function reorder(tx: Tx, actor: Actor, { courseId, moduleId, order, wanted }: Reordering): Promise<Changed> {
  if (wanted.every((id, at) => order[at] === id)) return { changeId: null }
  await writeModuleOrder(tx, wanted)
  const effect = { movedModule: moduleId, order: { [courseId]: order } }
  return { changeId: await keepChange(tx, actor, courseId, effect) }
}
