import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { requireGroupWriter } from '#lib/course/group/group.ts'
import { type GroupListRow, requireGroup } from '#lib/course/group/list.ts'
import { removeOverride, setOverride } from '#lib/quiz/overrides.ts'
import { moveEvent } from '../move/move.ts'
import { canShiftGroups } from '../rules.ts'
import { groupShift } from '../table.ts'
import { planShift, type ShiftPlan } from './plan.ts'
import type { ShiftEffect, ShiftGroup, ShiftId } from './schema.ts'
import { lockGroupDates, shiftLessons } from './shift-lessons.ts'

export interface ShiftPreview {
  group: Pick<GroupListRow, 'id' | 'name' | 'timeZone' | 'members' | 'courseTitle'>
  plan: ShiftPlan | null
}

/**
 * The group, and what a shift would change; without one the group alone. Refuses with forbidden, not_found.
 */
export async function previewShift(
  actor: Actor,
  { groupId, shift }: { groupId: string; shift: { from: string; days: number } | null },
  now = new Date(),
): Promise<ShiftPreview> {
  return inTenant(actor, async (tx) => {
    if (!canShiftGroups(actor)) throw new Refusal('forbidden')
    const group = await requireGroup(tx, actor, groupId)
    return { group, plan: shift ? await planShift(tx, actor, { group, ...shift }, now) : null }
  })
}

/**
 * Shifts lesson openings, homework and test deadlines and meetings of a study group from a day on by calendar days, at
 * the same local times: by exceptions of the group and by moving its meetings, in one transaction. Repeated with the
 * same id, it changes nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable (nothing to shift, or a
 * meeting would start in the past).
 */
export async function shiftGroup(
  actor: Actor,
  input: ShiftGroup,
  now = new Date(),
): Promise<{ shiftId: string; dates: number }> {
  const { groupId, from, days, notify, shiftId } = input
  return inTenant(actor, async (tx) => {
    const group = await requireShiftable(tx, actor, groupId)
    await lockGroupDates(tx, groupId)
    const [known] = await tx.select({ groupId: groupShift.groupId }).from(groupShift).where(eq(groupShift.id, shiftId))
    if (known && known.groupId !== groupId) throw new Refusal('not_found')
    if (known) return { shiftId, dates: 0 }
    const plan = await planShift(tx, actor, { group, from, days }, now)
    if (plan.dates.length === 0) throw formRefusal('shift_nothing')
    const accessChangeIds = await shiftLessons(actor, groupId, plan)
    for (const { id, before, after } of plan.events) {
      await moveEvent(tx, actor, { id, from: before, startAt: after, notify })
    }
    for (const { quizId, after } of plan.tests) {
      await setOverride(actor, { quizId, groupId, studentId: null, ...after })
    }
    const effect: ShiftEffect = { accessChangeIds, events: plan.events, tests: plan.tests }
    const { tenantId, membershipId: by } = actor
    await tx.insert(groupShift).values({ tenantId, id: shiftId, groupId, by, days, effect })
    await auditShift(tx, actor, group, days)
    return { shiftId, dates: plan.dates.length }
  })
}

/**
 * Undoes a shift. A second call changes nothing. Refuses with forbidden, plan_inactive, not_found, and with conflict
 * when a meeting was moved since.
 */
export async function undoShift(actor: Actor, { shiftId }: ShiftId): Promise<{ shiftId: string }> {
  requireShifter(actor)
  return inTenant(actor, async (tx) => {
    const [row] = await tx.select({ groupId: groupShift.groupId }).from(groupShift).where(eq(groupShift.id, shiftId))
    if (!row) throw new Refusal('not_found')
    const { groupId } = row
    const group = await requireShiftable(tx, actor, groupId)
    const [undone] = await tx
      .update(groupShift)
      .set({ undoneAt: new Date() })
      .where(and(eq(groupShift.id, shiftId), isNull(groupShift.undoneAt)))
      .returning({ effect: groupShift.effect, days: groupShift.days })
    if (!undone) return { shiftId }
    const { accessChangeIds, events, tests } = undone.effect
    for (const changeId of [...accessChangeIds].reverse()) await undoAccess(actor, { changeId })
    for (const { id, before, after } of events) {
      await moveEvent(tx, actor, { id, from: after, startAt: before, notify: false })
    }
    for (const { quizId, before } of tests) {
      if (before) await setOverride(actor, { quizId, groupId, studentId: null, ...before })
      else await removeGroupOverride(tx, actor, quizId, groupId)
    }
    await auditShift(tx, actor, group, -undone.days)
    return { shiftId }
  })
}

function requireShifter(actor: Actor): void {
  if (!canShiftGroups(actor)) throw new Refusal('forbidden')
  requireGroupWriter(actor)
}

async function requireShiftable(tx: Tx, actor: Actor, groupId: string): Promise<GroupListRow> {
  requireShifter(actor)
  return requireGroup(tx, actor, groupId)
}

async function removeGroupOverride(tx: Tx, actor: Actor, quizId: string, groupId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`select id from quiz_override
    where tenant_id = current_tenant() and quiz_id = ${quizId} and group_id = ${groupId}`)
  for (const { id } of rows) await removeOverride(actor, { quizId, overrideId: id })
}

function auditShift(tx: Tx, actor: Actor, { id, name }: GroupListRow, days: number): Promise<void> {
  const after = { scheduleOffsetDays: days }
  return recordAuditEntry(tx, actor, { action: 'group.shifted', objectId: id, objectName: name, after })
}
