import { and, count, eq, gt, isNull } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import { DAY_MS, HOUR_SECONDS } from '#lib/core/shared/time.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { createToken, digestToken } from '#lib/user/token.ts'
import { composeInvitationEmail } from './emails.ts'
import { invitation } from './table.ts'

const INVITATION_DAYS = 14
const MAX_EMAILS_PER_DAY = 10

interface NewInvitation {
  studentId: string
  invitedBy: string
  email: string
  message?: string | undefined
}

interface EmailedInvitation extends NewInvitation {
  locale: TenantView['locale']
  course?: string | undefined
}

/** Revokes a student's open links and sends a new one. Refuses with too_many after ten emails a day. */
export async function replaceInvitation(tx: Tx, school: TenantView, input: EmailedInvitation): Promise<string> {
  const { locale, course, ...parts } = input
  const { id, token } = await createInvitation(tx, school.id, parts)
  const composed = composeInvitationEmail(school, { locale, token, course, message: parts.message })
  const mailId = await queueEmail({ tenantId: school.id, to: parts.email, locale, ...composed })
  if (mailId) await noteInvitationEmail(tx, parts.studentId, mailId)
  await auditInvitation(tx, school.id, { ...parts, id, action: 'invitation.sent' })
  return id
}

/** Stores which email contains the link of a student's open invitation, so that its delivery state can be shown. */
export async function noteInvitationEmail(tx: Tx, studentId: string, mailId: string): Promise<void> {
  await tx
    .update(invitation)
    .set({ mailId })
    .where(and(eq(invitation.studentId, studentId), isNull(invitation.acceptedAt), isNull(invitation.revokedAt)))
}

/** Revokes a student's open links and creates a new one without an email. Refuses with too_many after ten a day. */
export async function createInvitation(
  tx: Tx,
  tenantId: string,
  input: NewInvitation,
): Promise<{ id: string; token: string }> {
  const { studentId, invitedBy, email, message } = input
  const own = and(eq(invitation.tenantId, tenantId), eq(invitation.studentId, studentId))
  const [sent] = await tx
    .select({ emails: count() })
    .from(invitation)
    .where(and(own, gt(invitation.createdAt, new Date(Date.now() - DAY_MS))))
  if ((sent?.emails ?? 0) >= MAX_EMAILS_PER_DAY) throw new Refusal('too_many', { retryAfterSeconds: HOUR_SECONDS })
  await tx
    .update(invitation)
    .set({ revokedAt: new Date() })
    .where(and(own, isNull(invitation.acceptedAt), isNull(invitation.revokedAt)))
  const token = createToken()
  const id = newId()
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS)
  await tx
    .insert(invitation)
    .values({ tenantId, id, studentId, invitedBy, email, message, tokenHash: digestToken(token), expiresAt })
  await auditInvitation(tx, tenantId, { studentId, invitedBy, email, id, action: 'invitation.created' })
  return { id, token }
}

/** Records that an invitation was created, or that its email was queued. */
export function auditInvitation(
  tx: Tx,
  tenantId: string,
  input: NewInvitation & { id: string; action: 'invitation.created' | 'invitation.sent' },
): Promise<void> {
  const { studentId, invitedBy, email, id, action } = input
  return recordAuditEntry(
    tx,
    { tenantId, membershipId: invitedBy, address: undefined },
    { action, objectId: studentId, objectName: email, after: { invitation: id } },
  )
}
