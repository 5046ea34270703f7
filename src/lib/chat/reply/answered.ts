import { and, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { mail } from '#lib/core/mail/table.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type AccountType, effectiveRoles, type Role } from '#lib/core/shared/role.ts'
import { membership, user } from '#lib/user/table.ts'
import { readUnreadEmailKey } from '../notify-members/unread-email.ts'

/** The email about unread messages that was answered, with its receiver. */
export interface Answered {
  tenantId: string
  conversationId: string
  memberId: string
  email: string
  locale: Locale
  accountType: AccountType
  roles: Role[]
  sentAt: Date
}

/** The email about unread messages with this id; null when it is no such email, or its receiver has another address now. */
export function findAnswered(tenantId: string, mailId: string): Promise<Answered | null> {
  return inTenant({ tenantId }, async (tx) => {
    const [sent] = await tx
      .select({ onceKey: mail.onceKey, to: mail.to, sentAt: mail.createdAt })
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.tenantId, tenantId), eq(mail.acceptsReplies, true)))
    const key = readUnreadEmailKey(sent?.onceKey ?? '')
    if (!sent || !key) return null
    const { conversationId, memberId } = key
    const [member] = await tx
      .select({
        email: user.email,
        locale: user.locale,
        accountType: membership.accountType,
        roles: membership.roles,
        blockedAt: membership.blockedAt,
      })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(and(eq(membership.tenantId, sql`current_tenant()`), eq(membership.id, memberId)))
    // A member with a new address replies from it to newer emails only.
    if (!member || member.blockedAt || member.email !== sent.to) return null
    const { email, locale, accountType } = member
    const roles = effectiveRoles(accountType, member.roles)
    return { tenantId, conversationId, memberId, email, locale, accountType, roles, sentAt: sent.sentAt }
  })
}
