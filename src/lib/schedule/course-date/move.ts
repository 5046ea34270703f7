import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { findHoliday } from '../move/holidays.ts'
import type { Holiday } from '../move/schema.ts'
import type { ShiftedDate } from '../shift/plan.ts'
import { lockGroupDates } from '../shift/shift-lessons.ts'
import { type CourseDateJob, countNotifiableStudents } from './announce.ts'
import { planCourseDateMove } from './plan.ts'
import type { CourseDateRequest } from './planned-move.ts'
import { splitCourseDateId } from './schema.ts'

export interface CourseDatePreview {
  startAt: Date
  /** Students of the group, or of the course. */
  people: number
  together: ShiftedDate[]
  holiday: Holiday | null
}

/** What moving a date of a course would mean. Refuses as planCourseDateMove. */
export async function previewCourseDateMove(
  tx: Tx,
  actor: Actor,
  request: CourseDateRequest,
  now: Date,
): Promise<CourseDatePreview> {
  const { courseId, groupId, after, together } = await planCourseDateMove(tx, actor, request, now)
  const people = await countNotifiableStudents(tx, { courseId, groupId })
  return { startAt: after, people, together, holiday: findHoliday(localDay(after, actor.tenantTimeZone)) }
}

interface MoveCourseDate extends CourseDateRequest {
  /** The date that the reader saw. */
  from: Date
  notify: boolean | undefined
}

/**
 * Moves a date of a course, and notifies its students by a job when staff want it. Repeated, it changes nothing. Refuses
 * with conflict when the date was moved since `from`, with unprocessable (workshop_start_past, move_whole_days, notify
 * where there are students), and as planCourseDateMove.
 */
export function moveCourseDate(actor: Actor, { from, notify, ...request }: MoveCourseDate, now: Date): Promise<void> {
  const { startAt, id, kind } = request
  return inTenant(actor, async (tx) => {
    await lockDate(tx, id)
    const plan = await planCourseDateMove(tx, actor, request, now)
    if (plan.before.getTime() === startAt.getTime()) return
    if (plan.before.getTime() !== from.getTime()) {
      throw new Refusal('conflict', { fields: { form: ['changed_meanwhile'] } })
    }
    // What has passed is no item that can be moved.
    if (plan.before <= now) throw new Refusal('not_found')
    if (startAt <= now) throw formRefusal('workshop_start_past')
    if (plan.after.getTime() !== startAt.getTime()) throw formRefusal('move_whole_days')
    const { courseId, courseTitle, groupId, title } = plan
    if (notify === undefined && (await countNotifiableStudents(tx, { courseId, groupId })) > 0) {
      throw new Refusal('unprocessable', { fields: { notify: ['required'] } })
    }
    await plan.save()
    if (!notify) return
    const { targetId } = splitCourseDateId(id)
    const target = { kind, targetId, title, courseId, courseTitle, groupId }
    const job: CourseDateJob = {
      tenantId: actor.tenantId,
      ...target,
      at: startAt.toISOString(),
      movedAt: now.getTime(),
    }
    await enqueueJob('schedule.announceDate', { ...job })
  })
}

/** Lets moves of one date wait for each other: a concurrent one would be planned from the same date. */
async function lockDate(tx: Tx, id: string): Promise<void> {
  const { targetId, groupId } = splitCourseDateId(id)
  if (groupId) await lockGroupDates(tx, groupId)
  else await lockUntilCommit(tx, 'course-date', targetId)
}
