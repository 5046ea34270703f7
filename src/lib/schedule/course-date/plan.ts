import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { dayNumber } from '#lib/core/shared/time-zone.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { listTasks, saveTask } from '#lib/homework/task/task.ts'
import { planLessonShift } from '../shift/plan.ts'
import { shiftLessons } from '../shift/shift-lessons.ts'
import {
  courseDateOfRule,
  type DatedRule,
  datesOfRule,
  type GroupDates,
  loadCourseDates,
} from '../source/staff-dates.ts'
import type { CourseDateMove, CourseDateRequest } from './planned-move.ts'
import { splitCourseDateId } from './schema.ts'
import { planTestMove } from './test-deadline.ts'

/**
 * Plans the move of a lesson opening, or of a deadline of homework or a test. Of a group, an opening and the deadlines of
 * its homework move together by whole days, as an exception of the group; other dates are changed where they are set.
 * Refuses with not_found what the actor does not see or what has no
 * date that can be moved; `save` refuses as the functions of the owning modules.
 */
export async function planCourseDateMove(
  tx: Tx,
  actor: Actor,
  request: CourseDateRequest,
  now: Date,
): Promise<CourseDateMove> {
  if (request.kind === 'test') return planTestMove(tx, actor, request)
  return splitCourseDateId(request.id).groupId
    ? planGroupMove(tx, actor, request, now)
    : planFixedMove(tx, actor, request)
}

async function planGroupMove(
  tx: Tx,
  actor: Actor,
  { kind, id, startAt }: CourseDateRequest,
  now: Date,
): Promise<CourseDateMove> {
  const { targetId, groupId } = splitCourseDateId(id)
  const dates = await loadCourseDates(tx, actor, {
    boundaries: [new Date(0)],
    filters: { groupId: groupId ?? undefined },
  })
  const rule = dates.rules.find((other) => other.kind === kind && other.id === targetId)
  const before = rule && datesOfRule(rule, dates)[0]?.at
  if (!rule || !before || !groupId) throw new Refusal('not_found')
  const days = countShiftDays(actor, { rule, dates, before, startAt })
  const plan = planLessonShift(dates, { groupId, lessonIds: new Set([rule.lessonId]), days }, now)
  const isMoved = (date: { kind: string; id: string }) => date.kind === kind && date.id === targetId
  return {
    ...describeMove(rule, groupId),
    before,
    after: plan.dates.find(isMoved)?.after ?? before,
    together: plan.dates.filter((date) => !isMoved(date)),
    save: () => shiftLessons(actor, groupId, { courseId: rule.courseId, ...plan }),
  }
}

/**
 * The days by which a date of a group moves: those that lead to the requested instant, else the difference of the days
 * on which the reader sees both.
 */
function countShiftDays(
  { timeZone }: Actor,
  { rule, dates, before, startAt }: { rule: DatedRule; dates: GroupDates; before: Date; startAt: Date },
): number {
  const days = Math.round((startAt.getTime() - before.getTime()) / DAY_MS)
  const shiftedAt = datesOfRule(rule, dates, days)[0]?.shiftedAt
  if (shiftedAt?.getTime() === startAt.getTime()) return days
  return dayNumber(startAt, timeZone) - dayNumber(before, timeZone)
}

async function planFixedMove(
  tx: Tx,
  actor: Actor,
  { kind, id: targetId, startAt }: CourseDateRequest,
): Promise<CourseDateMove> {
  const { rows } = await tx.execute<{ courseId: string }>(
    kind === 'lesson'
      ? sql`select course_id as "courseId" from lesson where tenant_id = current_tenant() and id = ${targetId}`
      : sql`select course_id as "courseId" from task where tenant_id = current_tenant() and id = ${targetId}`,
  )
  const courseId = rows[0]?.courseId
  if (!courseId) throw new Refusal('not_found')
  const dates = await loadCourseDates(tx, actor, { boundaries: [new Date(0)], filters: { courseId } })
  const rule = dates.rules.find((other) => other.kind === kind && other.id === targetId)
  const found = rule && courseDateOfRule(rule, dates)
  // With groups, the schedule has the dates of each of them.
  if (!rule || !found?.isFixed || datesOfRule(rule, dates).length > 0) throw new Refusal('not_found')
  const opens = { mode: 'date' as const, at: startAt.toISOString() }
  return {
    ...describeMove(rule, null),
    before: found.at,
    after: startAt,
    together: [],
    save: () =>
      kind === 'lesson'
        ? changeLessons(actor, { courseId, lessonIds: [targetId], change: { availability: opens } })
        : setDueDate(actor, rule, opens),
  }
}

async function setDueDate(actor: Actor, { id, lessonId }: DatedRule, dueRule: { mode: 'date'; at: string }) {
  const tasks = await listTasks(actor, { lessonId })
  const task = tasks.find((other) => other.id === id)
  if (!task) throw new Refusal('not_found')
  const { id: taskId, files: _, ...text } = task
  return saveTask(actor, { ...text, taskId, dueRule })
}

function describeMove({ kind, title, courseId, courseTitle }: DatedRule, groupId: string | null) {
  return { kind, title, courseId, courseTitle, groupId }
}
