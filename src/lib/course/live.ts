import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { lessonChannel } from './lesson/presence.ts'
import { isAssigned } from './permission.ts'
import { canManageStudents, canSeeCourse } from './rules.ts'
import { CourseId } from './schema.ts'
import { course } from './table.ts'

/** Sent to the course's staff when a student makes progress. */
export interface ProgressEvent {
  studentId: string
  completed: number
  total: number
}

/** Sent to the course's authors when its outline changes. */
export interface OutlineEvent {
  changeId: string
}

/**
 * Channels: `course:{id}` publishes students' progress to responsible staff, `outline:{id}` publishes outline changes
 * to authors.
 */
export const courseChannels: Channels = {
  lesson: lessonChannel,
  outline: courseChannel((_tx, actor) => canSeeCourse(actor)),
  course: courseChannel(async (tx, actor, courseId) => canManageStudents(actor, await isAssigned(tx, actor, courseId))),
}

/** A channel of a course. Refuses with not_found. */
function courseChannel(
  canSubscribeTo: (tx: Tx, actor: Actor, courseId: string) => Verdict | Promise<Verdict>,
): Channels[string] {
  return {
    canSubscribe: (actor, [id]) => {
      const parsed = CourseId.safeParse({ courseId: id })
      if (!parsed.success) throw new Refusal('not_found')
      const { courseId } = parsed.data
      return inTenant(actor, async (tx) => {
        const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
        if (!courseRow) throw new Refusal('not_found')
        return canSubscribeTo(tx, actor, courseId)
      })
    },
  }
}

/** Publishes the actor's progress to the course's staff. Called last in the transaction. */
export function announceProgress(actor: Actor, courseId: string, progress: Omit<ProgressEvent, 'studentId'>) {
  return announceProgressOf(actor.membershipId, courseId, progress)
}

/** Publishes the progress of another student. */
export function announceProgressOf(studentId: string, courseId: string, progress: Omit<ProgressEvent, 'studentId'>) {
  const event: ProgressEvent = { studentId, ...progress }
  return publish(`course:${courseId}`, event)
}

export function announceOutline(courseId: string, event: OutlineEvent) {
  return publish(`outline:${courseId}`, event)
}
