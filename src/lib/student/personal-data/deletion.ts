import { and, eq, lte, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditAction } from '#lib/audit/schema.ts'
import { inSystem, inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { eraseEmailsByKey } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { eraseUser, setMembersBlocked } from '#lib/user/member.ts'
import { clearLimit, countLimitedAttempt } from '#lib/user/rate-limits.ts'
import { hasPassword, requirePassword } from '#lib/user/second-factor.ts'
import { user } from '#lib/user/table.ts'
import { anonymizeStudent } from '../bulk/anonymize.ts'
import type { CardSection } from '../card/section.ts'
import { listMemberships, type Membership } from './collect.ts'
import { createDeletionCode, requireDeletionCode } from './deletion-code.ts'
import { sendDeletionCodeEmail, sendMyDataEmail } from './emails.ts'
import { requireOwnAccount } from './export.ts'
import { canRequestDeletion } from './rules.ts'
import type { RequestDeletion } from './schema.ts'
import { dataExport, deletionRequest } from './table.ts'

/** Days in which a requested deletion can be canceled. */
export const DELETION_GRACE_DAYS = 30
/** Prefix of the keys of the emails about completed deletions, which are erased after they were sent. */
const DELETED_KEY = 'deleted:'

/**
 * Emails the code with which a person without a password requests the deletion. Refuses with forbidden, unprocessable
 * (deletion_with_password, deletion_owner, deletion_team), too_many.
 */
export async function sendDeletionCode(actor: Actor): Promise<void> {
  requireOwnAccount(actor)
  if (await hasPassword(actor.userId)) {
    throw formRefusal('deletion_with_password')
  }
  requireDeletable(await listMemberships(actor.userId))
  await countLimitedAttempt('verificationEmail', actor.email)
  await sendDeletionCodeEmail(actor, await createDeletionCode(actor.userId))
}

/**
 * Requests the deletion of the actor's data in all schools at the end of the grace period, with the password, or for an
 * account without one with the emailed code. A second call keeps the first date. Refuses with forbidden, unprocessable
 * (password_wrong, code_wrong, deletion_owner, deletion_team), too_many.
 */
export async function requestDeletion(actor: Actor, input: RequestDeletion): Promise<{ dueAt: Date }> {
  requireOwnAccount(actor)
  const { password = '', code = '' } = input
  if (await hasPassword(actor.userId)) await requirePassword(actor, password)
  else await requireDeletionCode(actor.userId, code)
  const memberships = await listMemberships(actor.userId)
  requireDeletable(memberships)
  const dueAt = await inSystem(async (tx) => {
    const dueAt = new Date(Date.now() + DELETION_GRACE_DAYS * DAY_MS)
    const [created] = await tx
      .insert(deletionRequest)
      .values({ userId: actor.userId, dueAt })
      .onConflictDoNothing()
      .returning({ dueAt: deletionRequest.dueAt })
    if (!created) {
      const [existing] = await tx.select().from(deletionRequest).where(eq(deletionRequest.userId, actor.userId))
      return existing?.dueAt ?? dueAt
    }
    await sendMyDataEmail(actor, 'deletionEmail', dueAt)
    await auditInSchools(memberships, actor, 'student.deletion_requested')
    return dueAt
  })
  await clearLimit('passwordAccount', actor.userId)
  return { dueAt }
}

/** Cancels the requested deletion; a second call does nothing. Refuses with forbidden. */
export async function cancelDeletion(actor: Actor): Promise<void> {
  requireOwnAccount(actor)
  const memberships = await listMemberships(actor.userId)
  await inSystem(async (tx) => {
    const canceled = await tx
      .delete(deletionRequest)
      .where(eq(deletionRequest.userId, actor.userId))
      .returning({ userId: deletionRequest.userId })
    if (canceled.length > 0) await auditInSchools(memberships, actor, 'student.deletion_canceled')
  })
}

/**
 * Deletes the data of people whose grace period is over: name, email address, phone, tags, password and login sessions,
 * in all schools; their activity is kept without a name. A person who has joined a team since then is skipped.
 * Periodic; returns the number of people.
 */
export async function deleteDueAccounts(sections: readonly CardSection[], now = new Date()): Promise<number> {
  await eraseEmailsByKey(DELETED_KEY)
  const due = await inSystem((tx) =>
    tx
      .select({ userId: deletionRequest.userId })
      .from(deletionRequest)
      .where(lte(deletionRequest.dueAt, now))
      .limit(1000),
  )
  const task = {
    job: 'student.deleteAccounts',
    tenantId: '',
    items: due,
    idOf: (row: { userId: string }) => row.userId,
  }
  return forEachItem(task, async ({ userId }) => Number(await deleteAccount(userId, sections, now)))
}

async function deleteAccount(userId: string, sections: readonly CardSection[], now: Date): Promise<boolean> {
  const memberships = await listMemberships(userId)
  if (!verdictOn(memberships).allow) return false
  return inSystem(async (tx) => {
    // Locked, so that the person cannot cancel a deletion that is in progress.
    const [locked] = await tx
      .select({ email: user.email, locale: user.locale, timeZone: user.timeZone })
      .from(deletionRequest)
      .innerJoin(user, eq(user.id, deletionRequest.userId))
      .where(and(eq(deletionRequest.userId, userId), lte(deletionRequest.dueAt, now)))
      .for('update')
    if (!locked) return false
    await sendMyDataEmail(locked, 'deletedEmail', null, `${DELETED_KEY}${userId}`)
    for (const { tenantId, memberId, accountType } of memberships) {
      if (accountType !== 'ACCOUNT_TYPE_STUDENT') continue
      await inTenant({ tenantId }, (tenantTx) => deleteStudent(tenantTx, { tenantId, studentId: memberId }, sections))
    }
    await eraseUser(tx, userId)
    await tx.update(dataExport).set({ expiresAt: now }).where(eq(dataExport.userId, userId))
    await tx.delete(deletionRequest).where(eq(deletionRequest.userId, userId))
    return true
  })
}

async function deleteStudent(
  tx: Tx,
  student: { tenantId: string; studentId: string },
  sections: readonly CardSection[],
): Promise<void> {
  const { tenantId, studentId } = student
  await setMembersBlocked(tx, [studentId], new Date())
  await tx.execute(sql`update student set deleted_at = coalesce(deleted_at, now())
    where tenant_id = current_tenant() and id = ${studentId}`)
  await anonymizeStudent(tx, student, sections)
  await recordAuditEntry(
    tx,
    { tenantId, membershipId: null, address: undefined },
    { action: 'student.deletion_completed', objectId: studentId, objectName: '' },
  )
}

function requireDeletable(memberships: readonly Membership[]): void {
  const { allow, reason } = verdictOn(memberships)
  if (!allow) throw new Refusal('unprocessable', { data: { reason }, fields: { form: [reason] } })
}

const verdictOn = (memberships: readonly Membership[]) =>
  canRequestDeletion(memberships.flatMap(({ accountType, isRemoved }) => (isRemoved ? [] : [accountType])))

async function auditInSchools(memberships: readonly Membership[], actor: Actor, action: AuditAction): Promise<void> {
  for (const { tenantId, memberId, accountType } of memberships) {
    if (accountType !== 'ACCOUNT_TYPE_STUDENT') continue
    await inTenant({ tenantId }, (tx) =>
      recordAuditEntry(
        tx,
        { tenantId, membershipId: memberId, address: actor.address },
        { action, objectId: memberId, objectName: `${actor.firstName} ${actor.lastName}`.trim() || actor.email },
      ),
    )
  }
}
