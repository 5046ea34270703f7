import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { notifyManagers } from '#lib/notification/notify-school-team.ts'
import { findTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { setMemberStatus } from '#lib/user/member.ts'
import { setFirstPassword } from '#lib/user/password-reset.ts'
import {
  beginSession,
  completeSignIn,
  preferMembership,
  type RequestOrigin,
  type SignInResult,
} from '#lib/user/session.ts'
import { membership, user } from '#lib/user/table.ts'
import { digestToken } from '#lib/user/token.ts'
import { replaceInvitation } from './invitation.ts'
import { recordRegistration } from './registration-form/registration-form.ts'
import type { RegistrationInput } from './registration-form/schema.ts'
import { type InvitationState, invitationState } from './rules.ts'
import type { InvitationLink, RegisterStudent } from './schema.ts'
import { invitation } from './table.ts'

/** The data of an invitation that is shown to the holder of its link. */
export interface InvitationView {
  state: InvitationState
  email: string
  firstName: string
  lastName: string
  userId: string
  studentId: string
  school: TenantView
  /** The user has a verified account and signs in; otherwise a password is chosen first. */
  hasAccount: boolean
}

type InvitationDetails = InvitationView & { id: string; invitedBy: string; message: string | null; isBlocked: boolean }

/** The invitation of a link, in any state. Refuses with invalid_invitation. */
export async function findInvitation(link: InvitationLink): Promise<InvitationView> {
  const { id: _id, invitedBy: _by, message: _message, isBlocked: _isBlocked, ...view } = await loadInvitation(link)
  return view
}

/** The visitor who opens a link: the signed-in account, if any, and the address of the request. */
export interface InvitationVisitor {
  userId?: string | undefined
  address?: string | undefined
}

/** As findInvitation; records the first opening. */
export async function openInvitation(link: InvitationLink, visitor: InvitationVisitor = {}): Promise<InvitationView> {
  const invited = await loadInvitation(link)
  await inTenant({ tenantId: invited.school.id }, async (tx) => {
    const opened = await tx
      .update(invitation)
      .set({ openedAt: new Date() })
      .where(
        and(eq(invitation.tenantId, invited.school.id), eq(invitation.id, invited.id), isNull(invitation.openedAt)),
      )
      .returning({ id: invitation.id })
    if (opened.length > 0) await auditAcceptance(tx, invited, visitor, 'invitation.opened')
  })
  const { id: _id, invitedBy: _by, message: _message, isBlocked: _isBlocked, ...view } = invited
  return view
}

/**
 * Accepts an invitation by its link, with the answers and the consent that the school requires; a repeated call
 * succeeds too. A visitor who is signed in with another account than the invited one is refused. Refuses with
 * invalid_invitation when a part is missing or wrong, gone (invitation_expired, invitation_revoked), forbidden
 * (student_blocked, invitation_other_account), and as recordRegistration.
 */
export async function acceptInvitation(
  input: InvitationLink & Partial<RegistrationInput>,
  visitor: InvitationVisitor = {},
): Promise<InvitationView> {
  const { answers = {}, consentVersion, ...link } = input
  const invited = await loadInvitation(link)
  await requireAcceptable(invited, visitor)
  if (invited.state === 'accepted') return invited
  const { studentId, userId, school } = invited
  return inTenant({ tenantId: school.id }, async (tx) => {
    await recordRegistration(tx, { tenantId: school.id, studentId, userId }, { answers, consentVersion })
    return acceptLoaded(invited, visitor)
  })
}

/** Outside the transaction, so that the audit entry of a refusal is kept. */
async function requireAcceptable(invited: InvitationDetails, visitor: InvitationVisitor): Promise<void> {
  const refusal = findAcceptanceObstacle(invited, visitor)
  if (!refusal) return
  await auditFailure(invited, visitor, refusal)
  throw refusal
}

async function acceptLoaded(invited: InvitationDetails, visitor: InvitationVisitor): Promise<InvitationView> {
  if (invited.state === 'accepted') return invited
  await inTenant({ tenantId: invited.school.id }, async (tx) => {
    const accepted = await tx
      .update(invitation)
      .set({ openedAt: sql`coalesce(${invitation.openedAt}, now())`, acceptedAt: new Date() })
      .where(
        and(eq(invitation.tenantId, invited.school.id), eq(invitation.id, invited.id), isNull(invitation.acceptedAt)),
      )
      .returning({ id: invitation.id })
    if (accepted.length > 0) {
      await auditAcceptance(tx, invited, visitor, 'invitation.accepted')
      await notifyManagers(tx, {
        kind: 'student_joined',
        memberIds: [invited.invitedBy],
        key: `student-joined/${invited.studentId}`,
        data: { subject: `${invited.firstName} ${invited.lastName}`.trim() || invited.email },
        link: `/student/${invited.studentId}`,
      })
    }
    await setMemberStatus(invited.school.id, invited.studentId, 'accepted')
    await preferMembership(invited.userId, { tenantId: invited.school.id, accountType: 'ACCOUNT_TYPE_STUDENT' })
  })
  return { ...invited, state: 'accepted' }
}

/**
 * Sets name and password of a new student by the link of the email, which confirms the mailbox, and signs the student in.
 * Refuses as acceptInvitation, and with conflict when there is an account already.
 */
export async function registerStudent(input: RegisterStudent, caller: RequestOrigin): Promise<SignInResult> {
  await countAttempt(`registerStudent:${digestToken(networkOf(caller.address)).toString('base64url')}`, {
    limit: 60,
    windowSeconds: HOUR_SECONDS,
  })
  const { firstName, lastName, patronymic, password, answers, consentVersion, ...link } = input
  const invited = await loadInvitation(link)
  await requireAcceptable(invited, { address: caller.address })
  if (invited.hasAccount) throw new Refusal('conflict')
  const { userId, studentId, school } = invited
  const token = await inTenant({ tenantId: school.id }, async (tx) => {
    const student = { tenantId: school.id, studentId, userId }
    await acceptLoaded(invited, { address: caller.address })
    const { phone } = await recordRegistration(tx, student, { answers, consentVersion })
    await setFirstPassword(userId, { firstName, lastName, patronymic, password, phone })
    return beginSession(tx, userId, caller)
  })
  return completeSignIn(token, { ...caller, host: 'go' })
}

/** Sends a new link to replace an expired one. Refuses with invalid_invitation, gone when revoked, too_many. */
export async function resendInvitation(link: InvitationLink): Promise<void> {
  const invited = await loadInvitation(link)
  if (invited.isBlocked) throw new Refusal('forbidden', { fields: { form: ['student_blocked'] } })
  if (invited.state === 'revoked') throw new Refusal('gone', { fields: { form: ['invitation_revoked'] } })
  if (invited.state !== 'expired') return
  await countAttempt(`resendInvitation:${invited.studentId}`, { limit: 3, windowSeconds: HOUR_SECONDS })
  const { studentId, invitedBy, email, message, school } = invited
  await inTenant({ tenantId: school.id }, async (tx) => {
    const [person] = await tx.select({ locale: user.locale }).from(user).where(eq(user.id, invited.userId))
    const locale = person?.locale ?? school.locale
    await replaceInvitation(tx, school, { studentId, invitedBy, email, locale, message: message ?? undefined })
  })
}

function findAcceptanceObstacle(invited: InvitationDetails, { userId }: InvitationVisitor): Refusal | null {
  const { isBlocked, state } = invited
  if (isBlocked) return new Refusal('forbidden', { fields: { form: ['student_blocked'] } })
  if (state === 'expired') return new Refusal('gone', { fields: { form: ['invitation_expired'] } })
  if (state === 'revoked') return new Refusal('gone', { fields: { form: ['invitation_revoked'] } })
  if (userId && userId !== invited.userId) {
    return new Refusal('forbidden', { fields: { form: ['invitation_other_account'] } })
  }
  return null
}

/** Records why a link was refused, limited to a few entries an hour, since a link can be opened any number of times. */
async function auditFailure(invited: InvitationDetails, visitor: InvitationVisitor, refusal: Refusal): Promise<void> {
  const isCounted = await countAttempt(`invitationFailed:${invited.id}`, {
    limit: 5,
    windowSeconds: HOUR_SECONDS,
  }).then(() => true, nullIfRefused)
  if (!isCounted) return
  const reason = refusal.details.fields?.form?.[0] ?? refusal.code
  await inTenant({ tenantId: invited.school.id }, (tx) =>
    auditAcceptance(tx, invited, visitor, 'invitation.failed', { reason }),
  )
}

function auditAcceptance(
  tx: Tx,
  { school, studentId, email, id }: InvitationDetails,
  { address }: InvitationVisitor,
  action: 'invitation.opened' | 'invitation.accepted' | 'invitation.failed',
  more: AuditValues = {},
): Promise<void> {
  const visitor = { tenantId: school.id, membershipId: null, address }
  return recordAuditEntry(tx, visitor, {
    action,
    objectId: studentId,
    objectName: email,
    after: { invitation: id, ...more },
  })
}

async function loadInvitation({ student: token, tenant }: InvitationLink): Promise<InvitationDetails> {
  const school = token && tenant ? await findTenant(tenant) : null
  const invalidLink = () => new Refusal('invalid_invitation')
  if (!token || !school) throw invalidLink()
  const [row] = await inTenant({ tenantId: school.id }, (tx) =>
    tx
      .select({
        id: invitation.id,
        invitedBy: invitation.invitedBy,
        message: invitation.message,
        acceptedAt: invitation.acceptedAt,
        revokedAt: invitation.revokedAt,
        expiresAt: invitation.expiresAt,
        studentId: membership.id,
        blockedAt: membership.blockedAt,
        userId: user.id,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        verifiedAt: user.emailVerifiedAt,
      })
      .from(invitation)
      .innerJoin(membership, and(eq(membership.tenantId, invitation.tenantId), eq(membership.id, invitation.studentId)))
      .innerJoin(user, eq(user.id, membership.userId))
      .where(eq(invitation.tokenHash, digestToken(token))),
  )
  if (!row) throw invalidLink()
  const { acceptedAt, revokedAt, expiresAt, blockedAt, verifiedAt, ...rest } = row
  const state = invitationState({ acceptedAt, revokedAt, expiresAt }, new Date())
  return { ...rest, state, school, isBlocked: blockedAt !== null, hasAccount: verifiedAt !== null }
}
