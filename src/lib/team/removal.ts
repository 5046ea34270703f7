import { and, eq, isNull } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { lockTeamMember, updateTeamMember } from '#lib/user/team-member.ts'
import type { Assignee, AssignmentModule, TeamAssignments } from './assignments.ts'
import { requireActionOnMember, requireTeamChange } from './permission.ts'
import type { RemoveMember } from './schema.ts'
import { lockTeam } from './seats.ts'
import { vacation } from './table.ts'

/**
 * Removes a member from the team. Courses, events, mentoring programs with their coming sessions and waiting homework are reassigned to the heirs; the content of the
 * member is kept. A repeated call is refused with not_found. Refuses with forbidden (owner_protected, own_membership),
 * plan_inactive, not_found, and unprocessable: heir_required when the member has objects of a kind, heir_unsuitable for
 * an heir without the role.
 */
export async function removeMember(actor: Actor, input: RemoveMember, assignments: TeamAssignments): Promise<void> {
  requireTeamChange(actor)
  const { memberId, homeworkHeirId, courseHeirId, eventHeirId, mentoringHeirId } = input
  await inTenant(actor, async (tx) => {
    await lockTeam(tx, actor.tenantId)
    const member = await lockTeamMember(tx, actor.tenantId, memberId)
    const heirs = new Map<string | undefined, string>()
    for (const heirId of [homeworkHeirId, courseHeirId, eventHeirId, mentoringHeirId]) {
      if (heirId) heirs.set(heirId, (await lockTeamMember(tx, actor.tenantId, heirId)).name)
    }
    requireActionOnMember(actor, member, 'remove')
    const from = { id: member.id, tenantId: actor.tenantId }
    // Homework comes last: its heir may be suitable because of the reassigned courses.
    await handOver(tx, assignments.courses, from, { field: 'courseHeirId', heirId: courseHeirId })
    await handOver(tx, assignments.events, from, { field: 'eventHeirId', heirId: eventHeirId })
    await handOver(tx, assignments.mentoring, from, { field: 'mentoringHeirId', heirId: mentoringHeirId })
    await handOver(tx, assignments.homework, from, { field: 'homeworkHeirId', heirId: homeworkHeirId })
    const now = new Date()
    await tx
      .update(vacation)
      .set({ canceledAt: now })
      .where(and(eq(vacation.tenantId, actor.tenantId), eq(vacation.deputyId, memberId), isNull(vacation.canceledAt)))
    await updateTeamMember(tx, member, { blockedAt: member.blockedAt ?? now, removedAt: now })
    await recordAuditEntry(tx, actor, {
      action: 'member.removed',
      objectId: member.id,
      objectName: member.name,
      before: { roles: member.roles, position: member.position },
      after: {
        homeworkHeir: heirs.get(homeworkHeirId) ?? null,
        courseHeir: heirs.get(courseHeirId) ?? null,
        eventHeir: heirs.get(eventHeirId) ?? null,
        mentoringHeir: heirs.get(mentoringHeirId) ?? null,
      },
    })
  })
}

async function handOver(
  tx: Tx,
  kind: Pick<AssignmentModule, 'count' | 'handOver'>,
  from: { id: string; tenantId: string },
  { field, heirId }: { field: string; heirId: string | undefined },
): Promise<void> {
  const heir = heirId ? await loadHeir(tx, from, heirId, field) : null
  const isNeeded = (await kind.count(tx, from.id)) > 0
  if (isNeeded && !heir) throw new Refusal('unprocessable', { fields: { [field]: ['heir_required'] } })
  await kind.handOver(tx, from.id, heir)
}

async function loadHeir(
  tx: Tx,
  from: { id: string; tenantId: string },
  heirId: string,
  field: string,
): Promise<Assignee> {
  const heir = await lockTeamMember(tx, from.tenantId, heirId)
  if (heir.id === from.id || heir.blockedAt || heir.status !== 'active') {
    throw new Refusal('unprocessable', { fields: { [field]: ['heir_unsuitable'] } })
  }
  return { tenantId: from.tenantId, memberId: heir.id, roles: heir.roles }
}
