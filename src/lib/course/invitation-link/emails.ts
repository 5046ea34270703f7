import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailBody } from '#lib/core/mail/email-body.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'
import { openLinkAddress } from './invitation-link.ts'

interface JoinEmail {
  locale: Locale
  email: string
  course: string
  /** The token of the link that was opened. */
  link: string
  /** Confirms the mailbox of a person without an account. */
  join: string | null
}

/** The email to a person who asked to join through an invitation link: to register, or to sign in to an account. */
export function composeJoinEmail(
  school: Pick<TenantView, 'name' | 'subdomain'>,
  { locale, email, course, link, join }: JoinEmail,
): { subject: string; body: EmailBody } {
  const t = getTranslator(locale)
  const names = { school: school.name, course }
  const variant = join ? 'invitationLink.email.register' : 'invitationLink.email.signIn'
  const returnTo = openLinkAddress(school.subdomain, link)
  const href = join
    ? addressOf('go', `/registration?${new URLSearchParams({ join, tenant: school.subdomain })}`)
    : addressOf('go', `/login?${new URLSearchParams({ email, return: returnTo })}`)
  const body = composeEmail(t, {
    school: school.name,
    preheader: t(`student:${variant}.text`, names),
    heading: t('student:invitationLink.email.heading', names),
    paragraphs: [t(`student:${variant}.text`, names)],
    button: { label: t(`student:${variant}.button`), href },
    footnote: t('student:invitationLink.email.footnote'),
  })
  return { subject: t('student:invitationLink.email.subject', names), body }
}
