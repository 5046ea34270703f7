import { and, eq, isNull } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { queueEmail } from '#lib/core/mail/mail.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'

/** Sends the tenant's owners an email that a recording was stored beyond the quota; once per session and owner. */
export async function sendStorageFullEmail(
  tx: Tx,
  tenantId: string,
  { sessionId, title }: { sessionId: string; title: string },
): Promise<void> {
  const owners = await tx
    .select({
      id: membership.id,
      email: user.email,
      locale: user.locale,
      school: tenant.name,
      subdomain: tenant.subdomain,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .innerJoin(tenant, eq(tenant.id, membership.tenantId))
    .where(
      and(
        eq(membership.tenantId, tenantId),
        eq(membership.accountType, 'ACCOUNT_TYPE_PRODUCT_OWNER'),
        isNull(membership.blockedAt),
      ),
    )
  for (const { id, email, locale, school, subdomain } of owners) {
    const t = getTranslator(locale)
    const body = composeEmail(t, {
      school: school,
      preheader: t('meeting:full.text'),
      heading: t('meeting:full.heading'),
      paragraphs: [t('meeting:full.kept', { title }), t('meeting:full.text')],
      button: { label: t('meeting:full.open'), href: addressOf(subdomain, '/storage') },
    })
    const subject = t('meeting:full.subject', { title })
    await queueEmail({ tenantId, to: email, locale, subject, body, onceKey: `meeting/full/${sessionId}/${id}` })
  }
}
