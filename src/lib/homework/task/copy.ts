import { and, asc, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import { task } from '../table.ts'

interface Copying {
  /** The course of the copies. */
  courseId: string
  pairs: readonly { from: string; to: string }[]
  /** Moves the terms along when a course begins anew. */
  shift: (rule: AccessRule) => AccessRule
}

/**
 * Copies the homework of lessons to their copies, without what anybody handed in. In the transaction of the course room,
 * which has checked that the actor may. Gives the new task's id by the old one's.
 */
export async function copyTasks(
  tx: Tx,
  actor: Actor,
  { courseId, pairs, shift }: Copying,
): Promise<Map<string, string>> {
  const homes = new Map(pairs.map(({ from, to }) => [from, to]))
  const rows = await tx
    .select()
    .from(task)
    .where(and(inArray(task.lessonId, [...homes.keys()]), isNull(task.deletedAt)))
    .orderBy(asc(task.lessonId), asc(task.position))
  const copies = rows.flatMap(({ createdAt: _, updatedAt: _1, version: _2, ...row }) => {
    const lessonId = homes.get(row.lessonId)
    if (!lessonId) return []
    const dueRule = row.dueRule && shift(row.dueRule)
    return [{ from: row.id, values: { ...row, tenantId: actor.tenantId, id: newId(), courseId, lessonId, dueRule } }]
  })
  if (copies.length > 0) await tx.insert(task).values(copies.map(({ values }) => values))
  return new Map(copies.map(({ from, values }) => [from, values.id]))
}
