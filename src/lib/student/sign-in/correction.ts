import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { networkOf } from '#lib/core/http/address.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { requireDeliverable } from '#lib/core/mail/deliverability.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { findTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { changeEmail, isEmailTaken } from '#lib/user/user.ts'
import { loadStudentCard, requireVerdict, studentName } from '../card/card.ts'
import { lockStudent } from '../card/profile.ts'
import { canCorrectEmail } from '../card/rules.ts'
import type { StudentId } from '../card/schema.ts'
import { createInvitation } from '../invitation.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { invitation } from '../table.ts'
import { sendCorrectedNotice, sendCorrectionEmail } from './emails.ts'
import { linkState } from './rules.ts'
import type { ConfirmedCorrection, CorrectEmail, LinkState, StudentLink } from './schema.ts'
import { emailCorrection } from './table.ts'

const CORRECTION_DAYS = 3

/**
 * Starts the correction of a mistyped email address: the new address receives a link, the account keeps the old one
 * until it is confirmed. An earlier open correction is canceled. Refuses with forbidden, plan_inactive, not_found,
 * unprocessable (the student is deleted, the account is shared; `email_same`, `email_taken`), too_many.
 */
export async function requestEmailCorrection(actor: Actor, input: CorrectEmail): Promise<{ expiresAt: Date }> {
  requireStudentAdministrator(actor)
  const { studentId, email } = input
  // Also limits how many addresses a school can test for the existence of an account.
  await countAttempt(`correctEmail:${actor.tenantId}`, { limit: 60, windowSeconds: HOUR_SECONDS })
  await requireDeliverable(email)
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    requireVerdict(canCorrectEmail(student))
    if (student.email === email) throw new Refusal('unprocessable', { fields: { email: ['email_same'] } })
    if (await isEmailTaken(tx, email)) throw new Refusal('unprocessable', { fields: { email: ['email_taken'] } })
    await spendDailyEmails(tx, actor, 'students', 1)
    await cancelOpen(tx, studentId)
    const token = createToken()
    const expiresAt = new Date(Date.now() + CORRECTION_DAYS * DAY_MS)
    await tx.insert(emailCorrection).values({
      tenantId: actor.tenantId,
      id: newId(),
      studentId,
      requestedBy: actor.membershipId,
      email,
      tokenHash: digestToken(token),
      expiresAt,
    })
    await sendCorrectionEmail(actor, { email, locale: student.locale }, token)
    await recordAuditEntry(tx, actor, {
      action: 'student.email_correction_requested',
      objectId: studentId,
      objectName: studentName(student),
      before: { email: student.email },
      after: { email },
    })
    return { expiresAt }
  })
}

/** Cancels the open correction of a student; a second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export function cancelEmailCorrection(actor: Actor, input: StudentId): Promise<void> {
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const student = await lockStudent(tx, actor, studentId)
    const canceled = await cancelOpen(tx, studentId)
    for (const { email } of canceled) {
      await recordAuditEntry(tx, actor, {
        action: 'student.email_correction_canceled',
        objectId: studentId,
        objectName: studentName(student),
        before: { email },
      })
    }
  })
}

interface CorrectionView {
  state: LinkState
  email: string
  school: TenantView
}

/** The correction of a link, in any state. Refuses with unprocessable (link_wrong). */
export async function findEmailCorrection(input: StudentLink): Promise<CorrectionView> {
  const { token, tenant } = input
  const school = await requireSchool(tenant)
  return inTenant({ tenantId: school.id }, async (tx) => {
    const { email, state } = await loadCorrection(tx, token)
    return { email, state, school }
  })
}

/**
 * Confirms a corrected address by its link: the account gets the address, its login sessions and pending links end, the
 * previous address is informed. An open invitation of the student is replaced. A repeated call changes nothing and
 * succeeds. Refuses with unprocessable (link_wrong, the student is deleted, the account is shared, `email_taken`), gone
 * (link_canceled, link_expired), too_many.
 */
export async function confirmEmailCorrection(
  input: StudentLink,
  caller: { address: string },
): Promise<ConfirmedCorrection> {
  const { token, tenant } = input
  await countNetwork('confirmCorrection', caller.address)
  const school = await requireSchool(tenant)
  return inTenant({ tenantId: school.id }, async (tx) => {
    const correction = await loadCorrection(tx, token)
    const { id, email, state, studentId, requestedBy } = correction
    if (state === 'used') return { email, invitation: null }
    if (state !== 'open') throw new Refusal('gone', { fields: { form: [`link_${state}`] } })
    const student = await loadStudentCard(tx, studentId)
    requireVerdict(canCorrectEmail(student))
    await tx
      .update(emailCorrection)
      .set({ confirmedAt: new Date() })
      .where(and(eq(emailCorrection.tenantId, school.id), eq(emailCorrection.id, id)))
    await changeEmail(tx, student.userId, email)
    const sender = { tenantId: school.id, tenantName: school.name, subdomain: school.subdomain }
    await sendCorrectedNotice(sender, student)
    await recordAuditEntry(
      tx,
      { tenantId: school.id, membershipId: studentId, address: caller.address },
      {
        action: 'student.email_corrected',
        objectId: studentId,
        objectName: studentName(student),
        before: { email: student.email },
        after: { email },
      },
    )
    return { email, invitation: await renewInvitation(tx, school.id, { studentId, invitedBy: requestedBy, email }) }
  })
}

/** The school of a link. Refuses with unprocessable (link_wrong). */
export async function requireSchool(subdomain: string): Promise<TenantView> {
  const school = await findTenant(subdomain)
  if (!school) throw wrongLink()
  return school
}

export const wrongLink = () => formRefusal('link_wrong')

/** Counts an attempt to use a public link by the network of the request. Refuses with too_many. */
export function countNetwork(name: string, address: string): Promise<void> {
  const network = digestToken(networkOf(address)).toString('base64url')
  return countAttempt(`${name}:${network}`, { limit: 60, windowSeconds: HOUR_SECONDS })
}

// The links that were sent to the wrong mailbox are revoked; the holder of the new mailbox receives a new one.
async function renewInvitation(
  tx: Tx,
  tenantId: string,
  input: { studentId: string; invitedBy: string; email: string },
): Promise<string | null> {
  const [open] = await tx
    .select({ message: invitation.message })
    .from(invitation)
    .where(
      and(
        eq(invitation.tenantId, tenantId),
        eq(invitation.studentId, input.studentId),
        isNull(invitation.acceptedAt),
        isNull(invitation.revokedAt),
        gt(invitation.expiresAt, new Date()),
      ),
    )
    .limit(1)
  if (!open) return null
  return (await createInvitation(tx, tenantId, { ...input, message: open.message ?? undefined })).token
}

function cancelOpen(tx: Tx, studentId: string) {
  return tx
    .update(emailCorrection)
    .set({ canceledAt: new Date() })
    .where(
      and(
        sql`${emailCorrection.tenantId} = current_tenant()`,
        eq(emailCorrection.studentId, studentId),
        isNull(emailCorrection.confirmedAt),
        isNull(emailCorrection.canceledAt),
        gt(emailCorrection.expiresAt, new Date()),
      ),
    )
    .returning({ email: emailCorrection.email })
}

async function loadCorrection(tx: Tx, token: string) {
  const [row] = await tx
    .select()
    .from(emailCorrection)
    .where(and(sql`${emailCorrection.tenantId} = current_tenant()`, eq(emailCorrection.tokenHash, digestToken(token))))
    .for('update')
  if (!row) throw wrongLink()
  const { confirmedAt: usedAt, canceledAt, expiresAt } = row
  return { ...row, state: linkState({ usedAt, canceledAt, expiresAt }, new Date()) }
}
