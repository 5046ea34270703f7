import { and, eq, isNull } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan, requireWithinLimit } from '#lib/billing/billing.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { splitName } from '#lib/core/shared/text/person-name.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { addMember, countStudents, findOrCreateUser, setMemberStatus } from '#lib/user/member.ts'
import { membership, user } from '#lib/user/table.ts'
import { replaceInvitation } from './invitation.ts'
import { canInviteStudents, canManageAllStudents, statusOnInvitation } from './rules.ts'
import type { InviteStudent, StudentInput } from './schema.ts'
import { invitation } from './table.ts'

/**
 * Invites a student to the actor's tenant and sends the link, in the surrounding transaction. A second invitation revokes
 * the older links. Refuses with forbidden, plan_inactive, unprocessable (limit_student_count), too_many (ten emails a day
 * for a student, MAX_EMAILS_PER_DAY for the tenant).
 */
export async function inviteStudent(
  actor: Actor,
  input: Partial<InviteStudent> & { email: string; course?: { title: string; assigned: boolean } },
): Promise<{ studentId: string; invitationId: string }> {
  if (!canInviteStudents(actor, input.course?.assigned ?? false).allow) throw new Refusal('forbidden')
  requirePlan(actor, 'lms')
  await requireDeliverable(input.email)
  return inTenant(actor, async (tx) => {
    const school = await getTenant(actor.tenantId)
    const { firstName = '', lastName = '', patronymic } = input
    const person = await findOrCreateUser({
      email: input.email,
      ...(firstName || lastName ? { firstName, lastName } : splitName(input.name ?? '')),
      patronymic,
      locale: school.locale,
    })
    const studentId = await addStudent(tx, actor, person)
    await spendDailyEmails(tx, actor, 'invitations', 1)
    const invitationId = await replaceInvitation(tx, school, {
      studentId,
      invitedBy: actor.membershipId,
      email: input.email,
      locale: person.locale,
      course: input.course?.title,
      message: input.message,
    })
    return { studentId, invitationId }
  })
}

/**
 * Revokes the open invitation of a student; access that was given is kept. A repeated call does nothing. Refuses with
 * forbidden, plan_inactive, not_found.
 */
export async function revokeInvitation(actor: Actor, input: StudentInput): Promise<void> {
  if (!canManageAllStudents(actor).allow) throw new Refusal('forbidden')
  requirePlan(actor, 'lms')
  const { studentId } = input
  await inTenant(actor, async (tx) => {
    const { email } = await requireStudent(tx, studentId)
    const revoked = await tx
      .update(invitation)
      .set({ revokedAt: new Date() })
      .where(
        and(
          eq(invitation.tenantId, actor.tenantId),
          eq(invitation.studentId, studentId),
          isNull(invitation.acceptedAt),
          isNull(invitation.revokedAt),
        ),
      )
      .returning({ id: invitation.id })
    for (const { id } of revoked) {
      await recordAuditEntry(tx, actor, {
        action: 'invitation.revoked',
        objectId: studentId,
        objectName: email,
        after: { invitation: id },
      })
    }
  })
}

/**
 * Sends a student a new link; the old one is revoked. Refuses with forbidden, plan_inactive, not_found, unprocessable
 * (already_accepted), too_many.
 */
export async function resendStudentInvitation(actor: Actor, input: StudentInput): Promise<void> {
  if (!canManageAllStudents(actor).allow) throw new Refusal('forbidden')
  requirePlan(actor, 'lms')
  const { studentId } = input
  await inTenant(actor, async (tx) => {
    const { email, status } = await requireStudent(tx, studentId)
    if (status === 'accepted' || status === 'active') {
      throw formRefusal('already_accepted')
    }
    await inviteStudent(actor, { email })
  })
}

async function requireStudent(tx: Tx, studentId: string): Promise<{ email: string; status: string }> {
  const [row] = await tx
    .select({ email: user.email, status: membership.status })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  if (!row) throw new Refusal('not_found')
  return row
}

/** Serializes transactions that add students to a tenant, so that concurrent ones cannot exceed the plan's limit. */
export async function lockStudentCount(tx: Tx, { tenantId }: Pick<Actor, 'tenantId'>): Promise<void> {
  await lockUntilCommit(tx, 'students', tenantId)
}

async function addStudent(tx: Tx, actor: Actor, person: { userId: string; known: boolean }): Promise<string> {
  await lockStudentCount(tx, actor)
  const [existing] = await tx
    .select({ id: membership.id, status: membership.status, blockedAt: membership.blockedAt })
    .from(membership)
    .where(
      and(
        eq(membership.tenantId, actor.tenantId),
        eq(membership.userId, person.userId),
        eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
      ),
    )
  if (!existing) {
    requireWithinLimit(actor, 'student_count', await countStudents(actor.tenantId))
    const { tenantId } = actor
    const status = statusOnInvitation(null, person.known)
    const accountType = 'ACCOUNT_TYPE_STUDENT' as const
    return (await addMember({ tenantId, userId: person.userId, accountType, status })).membershipId
  }
  const status = statusOnInvitation(existing.status === 'active' ? 'accepted' : existing.status, person.known)
  if (status !== existing.status) await setMemberStatus(actor.tenantId, existing.id, status)
  return existing.id
}
