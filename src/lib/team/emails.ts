import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'

/** Sends the link of an invitation to the team, in the recipient's language. */
export function sendTeamInvitationEmail(
  school: Pick<TenantView, 'id' | 'name' | 'subdomain'>,
  { to, locale, token }: { to: string; locale: Locale; token: string },
): Promise<void> {
  const t = getTranslator(locale)
  const names = { school: school.name }
  const query = new URLSearchParams({ member: token, tenant: school.subdomain })
  const body = composeEmail(t, {
    school: school.name,
    preheader: t('team:invitationEmail.text', names),
    heading: t('team:invitationEmail.heading', names),
    paragraphs: [t('team:invitationEmail.text', names), t('team:invitationEmail.how')],
    button: { label: t('team:invitationEmail.button'), href: addressOf(school.subdomain, `/invite-accept?${query}`) },
    footnote: t('team:invitationEmail.footnote'),
  })
  return sendEmail({ tenantId: school.id, to, locale, subject: t('team:invitationEmail.subject', names), body })
}

/** Sends the link by which the owner or the recipient confirms the transfer of a tenant. */
export function sendTransferEmail(
  { tenantId, tenantName, subdomain }: Pick<Actor, 'tenantId' | 'tenantName' | 'subdomain'>,
  message: { email: string; locale: Locale; token: string; part: 'owner' | 'recipient'; recipient: string },
): Promise<void> {
  const { email, locale, token, part, recipient } = message
  const t = getTranslator(locale)
  const names = { school: tenantName, recipient }
  const body = composeEmail(t, {
    school: tenantName,
    heading: t('team:transferEmail.heading', names),
    paragraphs: [t(`team:transferEmail.text.${part}`, names), t('team:transferEmail.how')],
    button: {
      label: t('team:transferEmail.button'),
      href: addressOf(subdomain, `/profile?${new URLSearchParams({ ownership: token })}`),
    },
    footnote: t('team:transferEmail.footnote'),
  })
  return sendEmail({ tenantId, to: email, locale, subject: t('team:transferEmail.subject', names), body })
}
