import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lessonChannel } from './lesson/presence.ts'
import { isAssigned } from './permission.ts'
import { canManageStudents, canSeeCourse } from './rules.ts'
import { CourseId } from './schema.ts'
import { course } from './table.ts'

/** What the watchers of a course are told when a student moves on. */
export interface ProgressEvent {
  studentId: string
  completed: number
  total: number
}

/** What the authors of a course are told when its outline changes. */
export interface OutlineEvent {
  changeId: string
}

/**
 * `course:{id}` tells those who answer for a course's students how far each has come, `outline:{id}` its authors that
 * modules or lessons were added, moved or set.
 */
export const courseChannels: Channels = {
  lesson: lessonChannel,
  outline: {
    canSubscribe: (actor, [id]) => {
      const parsed = CourseId.safeParse({ courseId: id })
      if (!parsed.success) throw new Refusal('not_found')
      const { courseId } = parsed.data
      return inTenant(actor, async (tx) => {
        const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
        if (!courseRow) throw new Refusal('not_found')
        return canSeeCourse(actor)
      })
    },
  },
  course: {
    canSubscribe: (actor, [id]) => {
      const parsed = CourseId.safeParse({ courseId: id })
      if (!parsed.success) throw new Refusal('not_found')
      const { courseId } = parsed.data
      return inTenant(actor, async (tx) => {
        const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
        if (!courseRow) throw new Refusal('not_found')
        return canManageStudents(actor, await isAssigned(tx, actor, courseId))
      })
    },
  },
}

/** Tells a course's staff how far its student has come. The last statement of the surrounding transaction. */
export function announceProgress(actor: Actor, courseId: string, progress: Omit<ProgressEvent, 'studentId'>) {
  return announceProgressOf(actor.membershipId, courseId, progress)
}

/** The same where somebody else's act moved the student on. */
export function announceProgressOf(studentId: string, courseId: string, progress: Omit<ProgressEvent, 'studentId'>) {
  const event: ProgressEvent = { studentId, ...progress }
  return publish(`course:${courseId}`, event)
}

/** Tells a course's authors that its outline is another now. The last statement of the surrounding transaction. */
export function announceOutline(courseId: string, event: OutlineEvent) {
  return publish(`outline:${courseId}`, event)
}
