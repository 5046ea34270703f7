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
    preheader: t('user:verificationLetter.preheader', { code: secrets.code }),
    heading: t('user:verificationLetter.heading'),
    paragraphs: [t('user:verificationLetter.text')],
    code: secrets.code,
    button: { label: t('user:verificationLetter.button'), href },
    footnote: t('user:verificationLetter.footnote'),
  })
  return sendEmail({
    tenantId: null,
    to: email,
    locale,
    subject: t('user:verificationLetter.subject', { code: secrets.code }),
    body,
  })
}

/** Sends the link that sets a new password. */
export function sendPasswordResetEmail({ email, locale }: Recipient, token: string): Promise<void> {
  const t = getTranslator(locale)
  const body = composeEmail(t, {
    preheader: t('user:resetLetter.preheader'),
    heading: t('user:resetLetter.heading'),
    paragraphs: [t('user:resetLetter.text')],
    button: { label: t('user:resetLetter.button'), href: addressOf(null, `/reset-password?token=${token}`) },
    footnote: t('user:resetLetter.footnote'),
  })
  return sendEmail({ tenantId: null, to: email, locale, subject: t('user:resetLetter.subject'), body })
}

/** Informs a user that the password or the second factor was changed. */
export function sendSecurityNotice(
  { email, locale }: Recipient,
  change: 'password' | 'secondFactorOn' | 'secondFactorOff',
): Promise<void> {
  const t = getTranslator(locale)
  const subject = t(`user:noticeLetter.${change}`)
  const body = composeEmail(t, {
    heading: subject,
    paragraphs: [t('user:noticeLetter.text')],
    button: { label: t('user:noticeLetter.button'), href: addressOf(null, '/forgot-password') },
  })
  return sendEmail({ tenantId: null, to: email, locale, subject, body })
}
