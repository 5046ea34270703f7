import { and, count, eq, gt, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { createToken, digest } from '#lib/user/token.ts'
import { sendInvitationEmail } from './emails.ts'
import { invitation } from './table.ts'

const INVITATION_DAYS = 14
const MAX_EMAILS_PER_DAY = 10

export interface NewInvitation {
  studentId: string
  invitedBy: string
  email: string
  locale: TenantView['locale']
  course?: string | undefined
  message?: string | undefined
}

/** Revokes a student's open links and sends a new one. Refuses with too_many after ten emails a day. */
export async function replaceInvitation(tx: Tx, school: TenantView, input: NewInvitation): Promise<string> {
  const { studentId, invitedBy, email, message, locale, course } = input
  const own = and(eq(invitation.tenantId, school.id), eq(invitation.studentId, studentId))
  const [sent] = await tx
    .select({ emails: count() })
    .from(invitation)
    .where(and(own, gt(invitation.createdAt, new Date(Date.now() - DAY_MS))))
  if ((sent?.emails ?? 0) >= MAX_EMAILS_PER_DAY) throw new Refusal('too_many', { retryAfterSeconds: 3600 })
  await tx
    .update(invitation)
    .set({ revokedAt: new Date() })
    .where(and(own, isNull(invitation.acceptedAt), isNull(invitation.revokedAt)))
  const token = createToken()
  const id = newId()
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS)
  await tx
    .insert(invitation)
    .values({ tenantId: school.id, id, studentId, invitedBy, email, message, tokenHash: digest(token), expiresAt })
  await sendInvitationEmail(school, { to: email, locale, token, course, message })
  return id
}
