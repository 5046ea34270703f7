import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import type { ShiftPlan } from './plan.ts'

/** The largest total of days by which exceptions may move a lesson. */
const MAX_SHIFT_DAYS = 365

/** Lets changes of the dates of a group wait for each other: concurrent ones would be planned from the same dates. */
export async function lockGroupDates(tx: Tx, groupId: string): Promise<void> {
  await lockUntilCommit(tx, 'group-shift', groupId)
}

/**
 * Shifts lessons of a group by exceptions: one change of access for each number of days, and one for lessons that stay
 * open. Returns the ids of the changes. Refuses as changeAccess, and with unprocessable when the dates of a lesson would
 * be more than a year from those of the course.
 */
export async function shiftLessons(
  actor: Actor,
  groupId: string,
  plan: Pick<ShiftPlan, 'courseId' | 'lessons' | 'openLessonIds'>,
): Promise<string[]> {
  const { courseId, lessons, openLessonIds } = plan
  if (lessons.some(({ days }) => Math.abs(days) > MAX_SHIFT_DAYS)) throw formRefusal('shift_too_far')
  const target = { groupId }
  const changeIds: string[] = []
  const apply = async (change: Parameters<typeof changeAccess>[1]['change']) => {
    const { changeId } = await changeAccess(actor, { courseId, target, change, note: '' })
    changeIds.push(changeId)
  }
  for (const [days, rows] of Map.groupBy(lessons, (lesson) => lesson.days)) {
    await apply({ action: 'shift', lessonIds: rows.map(({ lessonId }) => lessonId), days })
  }
  if (openLessonIds.length > 0) await apply({ action: 'open', lessonIds: openLessonIds })
  return changeIds
}
