import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { lockTeamMember } from '#lib/user/team-member.ts'
import { requireActionOnMember, requireTeamChange } from './permission.ts'
import { deputyRolesFor } from './rules.ts'
import type { AddVacation, VacationInput } from './schema.ts'
import { vacation } from './table.ts'

/**
 * Plans a vacation of a team member: from the first to the last day new homework is assigned to the deputy, who also has
 * the inbox of the member. Refuses with forbidden, plan_inactive, not_found, and unprocessable: vacation_order,
 * vacation_overlaps, deputy_unsuitable for a deputy without the needed role (deputyRolesFor) or who is away at that time.
 */
export async function addVacation(actor: Actor, input: AddVacation): Promise<{ vacationId: string }> {
  requireTeamChange(actor)
  const { memberId, deputyId, firstDay, lastDay } = input
  if (lastDay < firstDay) throw unprocessable('lastDay', 'vacation_order')
  return inTenant(actor, async (tx) => {
    // In the order of their ids, so that concurrent requests cannot deadlock.
    const locked = new Map<string, Awaited<ReturnType<typeof lockTeamMember>>>()
    for (const id of [memberId, deputyId].sort()) locked.set(id, await lockTeamMember(tx, actor.tenantId, id))
    const [member, deputy] = [locked.get(memberId), locked.get(deputyId)]
    if (!member || !deputy) throw new Refusal('not_found')
    requireActionOnMember(actor, member, 'plan_vacation')
    const isSuitable =
      deputy.id !== member.id &&
      deputy.status === 'active' &&
      !deputy.blockedAt &&
      hasRole(deputy, deputyRolesFor(member))
    if (!isSuitable) throw unprocessable('deputyId', 'deputy_unsuitable')
    const startAt = sql<Date>`(${firstDay}::date::timestamp at time zone ${actor.tenantTimeZone})`
    const endAt = sql<Date>`((${lastDay}::date + 1)::timestamp at time zone ${actor.tenantTimeZone})`
    const overlapping = await tx
      .select({ memberId: vacation.memberId })
      .from(vacation)
      .where(
        and(
          eq(vacation.tenantId, actor.tenantId),
          inArray(vacation.memberId, [member.id, deputy.id]),
          isNull(vacation.canceledAt),
          lt(vacation.startAt, endAt),
          gt(vacation.endAt, startAt),
        ),
      )
    if (overlapping.some((row) => row.memberId === member.id)) throw unprocessable('firstDay', 'vacation_overlaps')
    if (overlapping.length > 0) throw unprocessable('deputyId', 'deputy_unsuitable')
    const [added] = await tx
      .insert(vacation)
      .values({ tenantId: actor.tenantId, memberId, deputyId, startAt, endAt })
      .returning({ id: vacation.id })
    if (!added) throw new Error('the vacation was not inserted')
    await recordAuditEntry(tx, actor, {
      action: 'member.vacation_added',
      objectId: member.id,
      objectName: member.name,
      after: { deputy: deputy.name, firstDay, lastDay },
    })
    return { vacationId: added.id }
  })
}

/**
 * Cancels a vacation, also one that has started. A repeated call changes nothing. Refuses with forbidden, not_found.
 */
export async function cancelVacation(actor: Actor, input: VacationInput): Promise<void> {
  requireTeamChange(actor)
  const { vacationId } = input
  await inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({ memberId: vacation.memberId, canceledAt: vacation.canceledAt })
      .from(vacation)
      .where(and(eq(vacation.tenantId, actor.tenantId), eq(vacation.id, vacationId)))
    if (!row) throw new Refusal('not_found')
    const member = await lockTeamMember(tx, actor.tenantId, row.memberId)
    requireActionOnMember(actor, member, 'plan_vacation')
    const canceled = await tx
      .update(vacation)
      .set({ canceledAt: new Date() })
      .where(and(eq(vacation.tenantId, actor.tenantId), eq(vacation.id, vacationId), isNull(vacation.canceledAt)))
      .returning({ id: vacation.id })
    if (canceled.length === 0) return
    await recordAuditEntry(tx, actor, {
      action: 'member.vacation_canceled',
      objectId: member.id,
      objectName: member.name,
    })
  })
}

const unprocessable = (field: string, message: string) =>
  new Refusal('unprocessable', { fields: { [field]: [message] } })
