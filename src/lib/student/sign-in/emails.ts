import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

interface Sender {
  tenantId: string
  tenantName: string
  subdomain: string
}

interface Recipient {
  email: string
  locale: Locale
}

/** Sends the link that confirms a corrected email address to that address. */
export function sendCorrectionEmail(school: Sender, { email, locale }: Recipient, token: string): Promise<void> {
  const t = getTranslator(locale)
  const names = { school: school.tenantName }
  const query = new URLSearchParams({ correction: token, tenant: school.subdomain })
  const body = composeEmail(t, {
    school: school.tenantName,
    preheader: t('student:correctionEmail.text', names),
    heading: t('student:correctionEmail.heading'),
    paragraphs: [t('student:correctionEmail.text', names), t('student:correctionEmail.how')],
    button: { label: t('student:correctionEmail.button'), href: addressOf('go', `/email-verify?${query}`) },
    footnote: t('student:correctionEmail.footnote'),
  })
  return sendEmail({
    tenantId: school.tenantId,
    to: email,
    locale,
    subject: t('student:correctionEmail.subject', names),
    body,
  })
}

/**
 * Informs the previous address. The email does not contain the new address, because the previous one may belong to
 * another person.
 */
export function sendCorrectedNotice(school: Sender, { email, locale }: Recipient): Promise<void> {
  return sendNotice(school, { email, locale }, 'corrected')
}

/** Informs a student that the team created a sign-in link. */
export function sendLoginLinkNotice(school: Sender, { email, locale }: Recipient): Promise<void> {
  return sendNotice(school, { email, locale }, 'loginLink')
}

function sendNotice(school: Sender, { email, locale }: Recipient, kind: 'corrected' | 'loginLink'): Promise<void> {
  const t = getTranslator(locale)
  const names = { school: school.tenantName }
  const body = composeEmail(t, {
    school: school.tenantName,
    heading: t(`student:signInEmail.${kind}.heading`),
    paragraphs: [t(`student:signInEmail.${kind}.text`, names), t(`student:signInEmail.${kind}.how`, names)],
  })
  return sendEmail({
    tenantId: school.tenantId,
    to: email,
    locale,
    subject: t(`student:signInEmail.${kind}.subject`, names),
    body,
  })
}
