import { and, eq } from 'drizzle-orm'
import { getTenantPlans, requireWithinLimit } from '#lib/billing/billing.ts'
import { limitOf } from '#lib/billing/plans.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { addMember, countStudents, setMemberStatus } from '#lib/user/member.ts'
import { preferMembership } from '#lib/user/session.ts'
import { membership, user } from '#lib/user/table.ts'
import { lockStudentCount } from './student.ts'

/**
 * Admits a user as a student of the transaction's tenant, within the limit of the plan; an existing student is not
 * changed. Refuses with forbidden (student_blocked), unprocessable (limit_student_count).
 */
export async function admitStudent(tx: Tx, tenantId: string, userId: string): Promise<{ studentId: string }> {
  await lockStudentCount(tx, { tenantId })
  const accountType = 'ACCOUNT_TYPE_STUDENT' as const
  const [existing] = await tx
    .select({ id: membership.id, status: membership.status, blockedAt: membership.blockedAt })
    .from(membership)
    .where(and(eq(membership.userId, userId), eq(membership.accountType, accountType)))
  if (existing?.blockedAt) throw new Refusal('forbidden', { fields: { form: ['student_blocked'] } })
  if (!existing) requireWithinLimit(await getTenantPlans(tx), 'student_count', await countStudents(tenantId))
  const studentId =
    existing?.id ?? (await addMember({ tenantId, userId, accountType, status: 'accepted' })).membershipId
  if (existing && existing.status !== 'accepted' && existing.status !== 'active') {
    await setMemberStatus(tenantId, studentId, 'accepted')
  }
  await preferMembership(userId, { tenantId, accountType })
  return { studentId }
}

/**
 * Admits the person of an order as a student of the transaction's tenant: a person who has paid is admitted whatever the
 * limit of the plan, and a blocked student stays blocked. `isKnown`: the person has an account and needs no invitation.
 * Refuses with unprocessable (limit_student_count) for an order without a payment.
 */
export async function admitBuyer(
  tx: Tx,
  tenantId: string,
  { userId, isKnown, hasPaid }: { userId: string; isKnown: boolean; hasPaid: boolean },
): Promise<{ studentId: string }> {
  // Who has paid is not counted, so that payments do not wait for each other.
  if (!hasPaid) await lockStudentCount(tx, { tenantId })
  const accountType = 'ACCOUNT_TYPE_STUDENT' as const
  const status = isKnown ? 'accepted' : 'invited'
  const used = hasPaid ? 0 : await countStudents(tenantId)
  const { membershipId, status: present, added } = await addMember({ tenantId, userId, accountType, status })
  if (added && !hasPaid) requireWithinLimit(await getTenantPlans(tx), 'student_count', used)
  if (isKnown && present !== 'accepted' && present !== 'active')
    await setMemberStatus(tenantId, membershipId, 'accepted')
  return { studentId: membershipId }
}

/** Refuses with unprocessable (order_not_accepted) when a student of the transaction's tenant is blocked. */
export async function requireUnblockedStudent(tx: Tx, studentId: string): Promise<void> {
  if (await isBlockedStudent(tx, studentId)) throw formRefusal('order_not_accepted')
}

/** Whether a student of the transaction's tenant is blocked. */
export async function isBlockedStudent(tx: Tx, studentId: string): Promise<boolean> {
  const [student] = await tx
    .select({ blockedAt: membership.blockedAt })
    .from(membership)
    .where(eq(membership.id, studentId))
  return student?.blockedAt != null
}

/**
 * Whether a person with this address may buy: refuses with unprocessable (limit_student_count) when the plan of the
 * transaction's tenant takes no further student, and (order_not_accepted) for a blocked one, who would pay for nothing. A
 * buyer who pays is admitted within a margin above the limit, so that the owner has time to change the plan.
 */
export async function requireStudentPlace(
  tx: Tx,
  tenantId: string,
  { email, pays }: { email: string; pays: boolean },
): Promise<void> {
  const [existing] = await tx
    .select({ id: membership.id, blockedAt: membership.blockedAt })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(user.email, email), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  if (existing?.blockedAt) throw formRefusal('order_not_accepted')
  if (existing) return
  const [plans, used] = [await getTenantPlans(tx), await countStudents(tenantId)]
  const max = limitOf(plans, 'student_count', new Date())
  requireWithinLimit(plans, 'student_count', pays && max !== null ? used - salesMarginOf(max) : used)
}

/** How many buyers are admitted above a limit of students: a tenth of it, at least five. */
const salesMarginOf = (limit: number): number => Math.max(5, Math.ceil(limit / 10))
