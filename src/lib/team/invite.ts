import { and, count, eq, gt, isNull, ne } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { splitName } from '#lib/core/shared/text/person-name.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { addMember, findOrCreateUser } from '#lib/user/member.ts'
import { membership } from '#lib/user/table.ts'
import { lockTeamMember, type TeamMemberRow, updateTeamMember } from '#lib/user/team-member.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import type { TeamAssignments } from './assignments.ts'
import { sendTeamInvitationEmail } from './emails.ts'
import { requireActionOnMember, requireTeamChange } from './permission.ts'
import type { InviteMember, MemberInput } from './schema.ts'
import { lockTeam, requireTeamSeat } from './seats.ts'
import { teamInvitation } from './table.ts'

const INVITATION_DAYS = 7
const MAX_EMAILS_PER_DAY = 5

/**
 * Invites a person to the team: a membership with the status invited, which occupies a seat, and an email with a link.
 * Another invitation of the same address while the first is open is refused with member_exists, so that a double submit
 * sends one email. Refuses with forbidden, plan_inactive, unprocessable (limit_manager_count, member_exists,
 * staff_unknown), not_found for a course or event, too_many.
 */
export async function inviteMember(
  actor: Actor,
  input: InviteMember,
  assignments: Pick<TeamAssignments, 'courses' | 'events'>,
): Promise<{ memberId: string }> {
  requireTeamChange(actor)
  const { email, name, position, roles, courseIds, workshopIds } = input
  await requireDeliverable(email)
  return inTenant(actor, async (tx) => {
    await lockTeam(tx, actor.tenantId)
    const school = await getTenant(actor.tenantId)
    const person = await findOrCreateUser({ email, ...splitName(name), locale: school.locale })
    const member = await addInvitedMember(tx, actor, person.userId)
    await updateTeamMember(tx, member, { roles: roles.length > 0 ? roles : ['MEMBER'], position })
    const assignee = { tenantId: actor.tenantId, memberId: member.id, roles }
    const courses = await assignments.courses.assign(tx, assignee, courseIds)
    const events = await assignments.events.assign(tx, assignee, workshopIds)
    await spendDailyEmails(tx, actor, 'invitations', 1)
    await replaceTeamInvitation(tx, school, actor.membershipId, member)
    await recordAuditEntry(tx, actor, {
      action: 'member.invited',
      objectId: member.id,
      objectName: email,
      after: { roles, position, courses, events },
    })
    return { memberId: member.id }
  })
}

/**
 * Sends a new link to an invited member; the old one is revoked. Refuses with forbidden, plan_inactive, not_found,
 * too_many.
 */
export async function resendTeamInvitation(actor: Actor, input: MemberInput): Promise<void> {
  requireTeamChange(actor)
  const { memberId } = input
  await inTenant(actor, async (tx) => {
    const member = await lockInvited(tx, actor, memberId)
    await spendDailyEmails(tx, actor, 'invitations', 1)
    await replaceTeamInvitation(tx, await getTenant(actor.tenantId), actor.membershipId, member)
    await recordAuditEntry(tx, actor, {
      action: 'member.invitation_resent',
      objectId: member.id,
      objectName: member.email,
    })
  })
}

/**
 * Cancels an invitation: the link is revoked, the seat is released, assignments are removed. Refuses as
 * resendTeamInvitation.
 */
export async function cancelTeamInvitation(
  actor: Actor,
  input: MemberInput,
  assignments: TeamAssignments,
): Promise<void> {
  requireTeamChange(actor)
  const { memberId } = input
  await inTenant(actor, async (tx) => {
    await lockTeam(tx, actor.tenantId)
    const member = await lockInvited(tx, actor, memberId)
    const owner = { tenantId: actor.tenantId, memberId: actor.membershipId, roles: actor.roles }
    for (const kind of Object.values(assignments)) {
      const needsHeir = (await kind.count(tx, member.id)) > 0
      await kind.handOver(tx, member.id, needsHeir ? owner : null)
    }
    await revokeOpenInvitations(tx, member)
    const now = new Date()
    await updateTeamMember(tx, member, { blockedAt: now, removedAt: now })
    await recordAuditEntry(tx, actor, {
      action: 'member.invitation_canceled',
      objectId: member.id,
      objectName: member.email,
      before: { roles: member.roles },
    })
  })
}

/** Revokes the open links of a member and emails a new one. Refuses with too_many after five emails a day. */
export async function replaceTeamInvitation(
  tx: Tx,
  school: TenantView,
  invitedBy: string,
  member: Pick<TeamMemberRow, 'id' | 'tenantId' | 'email' | 'locale'>,
): Promise<void> {
  const own = and(eq(teamInvitation.tenantId, member.tenantId), eq(teamInvitation.memberId, member.id))
  const [sent] = await tx
    .select({ emails: count() })
    .from(teamInvitation)
    .where(and(own, gt(teamInvitation.createdAt, new Date(Date.now() - DAY_MS))))
  if ((sent?.emails ?? 0) >= MAX_EMAILS_PER_DAY) throw new Refusal('too_many', { retryAfterSeconds: HOUR_SECONDS })
  await revokeOpenInvitations(tx, member)
  const token = createToken()
  await tx.insert(teamInvitation).values({
    tenantId: member.tenantId,
    memberId: member.id,
    invitedBy,
    tokenHash: digestToken(token),
    expiresAt: new Date(Date.now() + INVITATION_DAYS * DAY_MS),
  })
  await sendTeamInvitationEmail(school, { to: member.email, locale: member.locale, token })
}

async function addInvitedMember(tx: Tx, actor: Actor, userId: string): Promise<TeamMemberRow> {
  const [existing] = await tx
    .select({ id: membership.id, removedAt: membership.removedAt })
    .from(membership)
    .where(
      and(
        eq(membership.tenantId, actor.tenantId),
        eq(membership.userId, userId),
        ne(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
      ),
    )
  if (existing && !existing.removedAt) throw new Refusal('unprocessable', { fields: { email: ['member_exists'] } })
  await requireTeamSeat(tx, actor.tenantId, actor)
  if (existing) {
    const member = await lockTeamMember(tx, actor.tenantId, existing.id)
    await updateTeamMember(tx, member, { status: 'invited', blockedAt: null, removedAt: null })
    return member
  }
  const accountType = 'ACCOUNT_TYPE_TEAM_MEMBER' as const
  const { membershipId } = await addMember({ tenantId: actor.tenantId, userId, accountType, status: 'invited' })
  return lockTeamMember(tx, actor.tenantId, membershipId)
}

async function lockInvited(tx: Tx, actor: Actor, memberId: string): Promise<TeamMemberRow> {
  const member = await lockTeamMember(tx, actor.tenantId, memberId)
  requireActionOnMember(actor, member, 'change')
  if (member.status !== 'invited') throw new Refusal('not_found')
  return member
}

async function revokeOpenInvitations(tx: Tx, member: Pick<TeamMemberRow, 'id' | 'tenantId'>): Promise<void> {
  await tx
    .update(teamInvitation)
    .set({ revokedAt: new Date() })
    .where(
      and(
        eq(teamInvitation.tenantId, member.tenantId),
        eq(teamInvitation.memberId, member.id),
        isNull(teamInvitation.acceptedAt),
        isNull(teamInvitation.revokedAt),
      ),
    )
}
