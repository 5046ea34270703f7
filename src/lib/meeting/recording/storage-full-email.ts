import { and, eq, isNull } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { composeLetter } from '#lib/core/mail/letter.ts'
import { queueMail } from '#lib/core/mail/mail.ts'
import { tenant } from '#lib/tenant/table.ts'
import { membership, user } from '#lib/user/table.ts'

/** Tells a school's owners that a recording was kept though there was no space left for it; once a session and owner. */
export async function tellOfFullStorage(
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
    const t = translator(locale)
    const letter = composeLetter(t, {
      school,
      preheader: t('meeting:full.text'),
      heading: t('meeting:full.heading'),
      paragraphs: [t('meeting:full.kept', { title }), t('meeting:full.text')],
      button: { label: t('meeting:full.open'), href: addressOf(subdomain, '/storage') },
    })
    const subject = t('meeting:full.subject', { title })
    await queueMail({ tenantId, to: email, locale, subject, letter, onceKey: `meeting/full/${sessionId}/${id}` })
  }
}
