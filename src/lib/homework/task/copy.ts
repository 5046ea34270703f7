import { and, asc, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import { task } from '../table.ts'

interface CopyTasksInput {
  /** The target course. */
  courseId: string
  pairs: readonly { from: string; to: string }[]
  /** Moves dates when a course is copied for a new run. */
  shift: (rule: AccessRule) => AccessRule
}

/**
 * Copies the tasks of lessons to the copied lessons, without submissions. Runs in the transaction of the course module,
 * which has checked the permission. Returns the new task ids by the old ones.
 */
export async function copyTasks(
  tx: Tx,
  actor: Actor,
  { courseId, pairs, shift }: CopyTasksInput,
): Promise<Map<string, string>> {
  const copyByLesson = new Map(pairs.map(({ from, to }) => [from, to]))
  const rows = await tx
    .select()
    .from(task)
    .where(and(inArray(task.lessonId, [...copyByLesson.keys()]), isNull(task.deletedAt)))
    .orderBy(asc(task.lessonId), asc(task.position))
  const copies = rows.flatMap(({ createdAt: _, updatedAt: _1, version: _2, ...row }) => {
    const lessonId = copyByLesson.get(row.lessonId)
    if (!lessonId) return []
    const dueRule = row.dueRule && shift(row.dueRule)
    return [{ from: row.id, values: { ...row, tenantId: actor.tenantId, id: newId(), courseId, lessonId, dueRule } }]
  })
  if (copies.length > 0) await tx.insert(task).values(copies.map(({ values }) => values))
  return new Map(copies.map(({ from, values }) => [from, values.id]))
}
