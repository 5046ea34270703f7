import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailBody } from '#lib/core/mail/email-body.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { TenantView } from '#lib/tenant/tenant.ts'

interface InvitationEmail {
  locale: Locale
  token: string
  course?: string | undefined
  message?: string | undefined
}

/** The invitation of a tenant to a student, in the student's language. */
export function composeInvitationEmail(
  school: Pick<TenantView, 'name' | 'subdomain'>,
  parts: InvitationEmail,
): { subject: string; body: EmailBody } {
  const { locale, token, course, message } = parts
  const t = getTranslator(locale)
  const names = { school: school.name, course: course ?? '' }
  const variant = course ? 'invitationEmail.course' : 'invitationEmail.school'
  const body = composeEmail(t, {
    school: school.name,
    preheader: t(`student:${variant}.text`, names),
    heading: t(`student:${variant}.heading`, names),
    paragraphs: [t(`student:${variant}.text`, names), ...(message ? [message] : []), t('student:invitationEmail.how')],
    button: { label: t('student:invitationEmail.button'), href: invitationAddress(school.subdomain, token) },
    footnote: t('student:invitationEmail.footnote', names),
  })
  return { subject: t(`student:${variant}.subject`, names), body }
}

function invitationAddress(subdomain: string, token: string): string {
  return addressOf('go', `/invite-accept?${new URLSearchParams({ student: token, tenant: subdomain })}`)
}
