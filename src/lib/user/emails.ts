import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

interface Recipient {
  email: string
  locale: Locale
}

/** Sends the six-digit code and the link that confirm an email address. */
export function sendVerificationEmail(
  { email, locale }: Recipient,
  secrets: { code: string; token: string },
): Promise<void> {
  const t = getTranslator(locale)
  const href = addressOf(null, `/email-verify?token=${secrets.token}`)
  const body = composeEmail(t, {
    preheader: t('user:verificationEmail.preheader', { code: secrets.code }),
    heading: t('user:verificationEmail.heading'),
    paragraphs: [t('user:verificationEmail.text')],
    code: secrets.code,
    button: { label: t('user:verificationEmail.button'), href },
    footnote: t('user:verificationEmail.footnote'),
  })
  return sendEmail({
    tenantId: null,
    to: email,
    locale,
    subject: t('user:verificationEmail.subject', { code: secrets.code }),
    body,
  })
}

/** Sends the link that sets a new password. */
export function sendPasswordResetEmail({ email, locale }: Recipient, token: string): Promise<void> {
  const t = getTranslator(locale)
  const body = composeEmail(t, {
    preheader: t('user:resetEmail.preheader'),
    heading: t('user:resetEmail.heading'),
    paragraphs: [t('user:resetEmail.text')],
    button: { label: t('user:resetEmail.button'), href: addressOf(null, `/reset-password?token=${token}`) },
    footnote: t('user:resetEmail.footnote'),
  })
  return sendEmail({ tenantId: null, to: email, locale, subject: t('user:resetEmail.subject'), body })
}

/** Informs a user that the password or the second factor was changed. */
export function sendSecurityNotice(
  { email, locale }: Recipient,
  change: 'password' | 'secondFactorOn' | 'secondFactorOff',
): Promise<void> {
  const t = getTranslator(locale)
  const subject = t(`user:noticeEmail.${change}`)
  const body = composeEmail(t, {
    heading: subject,
    paragraphs: [t('user:noticeEmail.text')],
    button: { label: t('user:noticeEmail.button'), href: addressOf(null, '/forgot-password') },
  })
  return sendEmail({ tenantId: null, to: email, locale, subject, body })
}
