import { and, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { getTenantPlans, requireWithinLimit } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { findTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { setFirstPassword } from '#lib/user/password-reset.ts'
import {
  beginSession,
  completeSignIn,
  preferMembership,
  type RequestOrigin,
  requireUnboundSession,
  type SignInResult,
} from '#lib/user/session.ts'
import { membership, user } from '#lib/user/table.ts'
import { lockTeamMember, updateTeamMember } from '#lib/user/team-member.ts'
import { digestToken } from '#lib/user/token.ts'
import { replaceTeamInvitation } from './invite.ts'
import type { RegisterMember, TeamInvitationLink } from './schema.ts'
import { countTeam, lockTeam } from './seats.ts'
import { teamInvitation } from './table.ts'

export type TeamInvitationState = 'open' | 'accepted' | 'expired' | 'revoked'

/** The data of an invitation that is shown to the holder of its link. */
export interface TeamInvitationView {
  state: TeamInvitationState
  email: string
  firstName: string
  lastName: string
  userId: string
  memberId: string
  school: TenantView
  /** The user has a verified account and signs in; otherwise a password is chosen first. */
  hasAccount: boolean
}

type Invited = TeamInvitationView & { id: string; invitedBy: string; isBlocked: boolean }

/** The invitation of a link, in any state. Refuses with invalid_invitation. */
export async function findTeamInvitation(link: TeamInvitationLink): Promise<TeamInvitationView> {
  const { id: _id, invitedBy: _by, isBlocked: _blocked, ...view } = await loadInvitation(link)
  return view
}

/**
 * Accepts an invitation as the signed-in user; a repeated call succeeds too. A user of another account than the invited
 * one is refused. Refuses with invalid_invitation, forbidden (member_blocked, invitation_other_account, bound_session), gone
 * (invitation_expired, invitation_revoked), unprocessable (limit_manager_count).
 */
export async function acceptTeamInvitation(
  actor: Pick<Actor, 'userId' | 'address' | 'isBoundToSchool'>,
  link: TeamInvitationLink,
): Promise<TeamInvitationView> {
  requireUnboundSession(actor)
  const invited = await loadInvitation(link)
  if (invited.userId !== actor.userId) {
    throw new Refusal('forbidden', { fields: { form: ['invitation_other_account'] } })
  }
  return acceptLoaded(invited, actor.address)
}

/**
 * Sets name and password of a new team member by the link of the email, which confirms the mailbox, accepts the
 * invitation and signs in. Refuses as acceptTeamInvitation, and with conflict when there is an account already.
 */
export async function registerMember(input: RegisterMember, caller: RequestOrigin): Promise<SignInResult> {
  await countAttempt(`registerMember:${digestToken(networkOf(caller.address)).toString('base64url')}`, {
    limit: 60,
    windowSeconds: HOUR_SECONDS,
  })
  const invited = await loadInvitation(input)
  if (invited.hasAccount) throw new Refusal('conflict')
  const { firstName, lastName, password } = input
  const token = await inTenant({ tenantId: invited.school.id }, async (tx) => {
    await acceptLoaded(invited, caller.address)
    await setFirstPassword(invited.userId, { firstName, lastName, password })
    return beginSession(tx, invited.userId, caller)
  })
  return completeSignIn(token, { ...caller, host: invited.school.subdomain })
}

/** Sends a new link to replace an expired one. Refuses with invalid_invitation, gone when revoked, too_many. */
export async function renewTeamInvitation(link: TeamInvitationLink): Promise<void> {
  const invited = await loadInvitation(link)
  if (invited.state === 'revoked' || invited.isBlocked) throw revoked()
  if (invited.state !== 'expired') return
  await countAttempt(`renewTeamInvitation:${invited.memberId}`, { limit: 3, windowSeconds: HOUR_SECONDS })
  await inTenant({ tenantId: invited.school.id }, async (tx) => {
    const member = await lockTeamMember(tx, invited.school.id, invited.memberId)
    await replaceTeamInvitation(tx, invited.school, invited.invitedBy, member)
  })
}

const revoked = () => new Refusal('gone', { fields: { form: ['invitation_revoked'] } })

async function acceptLoaded(invited: Invited, address: string | undefined): Promise<TeamInvitationView> {
  if (invited.state === 'accepted' && !invited.isBlocked) return invited
  if (invited.state === 'revoked') throw revoked()
  if (invited.isBlocked) throw new Refusal('forbidden', { fields: { form: ['member_blocked'] } })
  if (invited.state === 'expired') throw new Refusal('gone', { fields: { form: ['invitation_expired'] } })
  const tenantId = invited.school.id
  await inTenant({ tenantId }, async (tx) => {
    await lockTeam(tx, tenantId)
    const member = await lockTeamMember(tx, tenantId, invited.memberId)
    if (member.removedAt) throw revoked()
    if (member.status !== 'invited') return
    // An invitation already has a seat, unless the limit of the plan was reduced: then the first to accept take the rest.
    const used = await countTeam(tx, tenantId, { accepted: true })
    requireWithinLimit(await getTenantPlans(tx), 'manager_count', used)
    const now = new Date()
    await tx
      .update(teamInvitation)
      .set({ acceptedAt: now })
      .where(and(eq(teamInvitation.tenantId, tenantId), eq(teamInvitation.id, invited.id)))
    await updateTeamMember(tx, member, { status: 'active', acceptedAt: now })
    await preferMembership(invited.userId, { tenantId, accountType: member.accountType })
    await recordAuditEntry(
      tx,
      { tenantId, membershipId: member.id, address },
      { action: 'member.invitation_accepted', objectId: member.id, objectName: member.email },
    )
  })
  return { ...invited, state: 'accepted' }
}

async function loadInvitation({ member, tenant }: TeamInvitationLink): Promise<Invited> {
  const school = member && tenant ? await findTenant(tenant) : null
  if (!member || !school) throw new Refusal('invalid_invitation')
  const [row] = await inTenant({ tenantId: school.id }, (tx) =>
    tx
      .select({
        id: teamInvitation.id,
        invitedBy: teamInvitation.invitedBy,
        acceptedAt: teamInvitation.acceptedAt,
        revokedAt: teamInvitation.revokedAt,
        expiresAt: teamInvitation.expiresAt,
        memberId: membership.id,
        blockedAt: membership.blockedAt,
        userId: user.id,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        verifiedAt: user.emailVerifiedAt,
      })
      .from(teamInvitation)
      .innerJoin(
        membership,
        and(eq(membership.tenantId, teamInvitation.tenantId), eq(membership.id, teamInvitation.memberId)),
      )
      .innerJoin(user, eq(user.id, membership.userId))
      .where(eq(teamInvitation.tokenHash, digestToken(member))),
  )
  if (!row) throw new Refusal('invalid_invitation')
  const { acceptedAt, revokedAt, expiresAt, blockedAt, verifiedAt, ...rest } = row
  const ended = expiresAt > new Date() ? 'open' : 'expired'
  const state = acceptedAt ? 'accepted' : revokedAt ? 'revoked' : ended
  return { ...rest, state, school, isBlocked: blockedAt !== null, hasAccount: verifiedAt !== null }
}
