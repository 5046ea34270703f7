import { and, eq, sql } from 'drizzle-orm'
import { requirePlan, requireWithinLimit } from '#lib/billing/billing.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { splitName } from '#lib/core/shared/text/person-name.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { addMember, countStudents, findOrCreateUser, setMemberStatus } from '#lib/user/member.ts'
import { membership } from '#lib/user/table.ts'
import { replaceInvitation } from './invitation.ts'
import { canInviteStudents, statusOnInvitation } from './rules.ts'
import type { InviteStudent } from './schema.ts'

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
    const person = await findOrCreateUser({
      email: input.email,
      ...splitName(input.name ?? ''),
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

/** Lets one transaction at a time add students to a tenant, so that they cannot exceed the plan's limit together. */
export async function lockStudentCount(tx: Tx, { tenantId }: Pick<Actor, 'tenantId'>): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`students ${tenantId}`}, 0))`)
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
