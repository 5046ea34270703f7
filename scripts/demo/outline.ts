import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { duplicateLessons } from '#lib/course/outline/duplicate.ts'
import { DuplicateLessons } from '#lib/course/outline/schema.ts'
import { deleteLessons } from '#lib/course/outline/trash.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'

/**
 * Adds examples of the outline's features to a draft: lessons that open in sequence and on a date, and one in the
 * trash.
 */
export async function arrange(author: Actor, { courseId, lessonIds }: { courseId: string; lessonIds: string[] }) {
  const [, second, third] = lessonIds
  if (!second || !third) return
  const after = { mode: 'afterPrevious', of: 'lesson', require: 'completed' } as const
  await changeLessons(author, { courseId, lessonIds: [second], change: { availability: after } })
  const at = instantOf(localDay(new Date(), author.timeZone, 14), '09:00', author.timeZone).toISOString()
  const onDay = { mode: 'date', at } as const
  await changeLessons(author, { courseId, lessonIds: [third], change: { availability: onDay, required: false } })
  const { lessonIds: copies } = await duplicateLessons(
    author,
    DuplicateLessons.parse({ courseId, lessonIds: [third] }),
    copyTasks,
  )
  await deleteLessons(author, { courseId, lessonIds: copies })
}
