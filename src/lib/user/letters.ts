import { addressOf } from '#lib/core/config/config.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { composeLetter } from '#lib/core/mail/letter.ts'
import { sendMail } from '#lib/core/mail/mail.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

interface Recipient {
  email: string
  locale: Locale
}

/** Mails the six digits and the link that confirm an e-mail. */
export function sendVerification(
  { email, locale }: Recipient,
  secrets: { code: string; token: string },
): Promise<void> {
  const t = translator(locale)
  const href = addressOf(null, `/email-verify?token=${secrets.token}`)
  const letter = composeLetter(t, {
    preheader: t('user:verificationLetter.preheader', { code: secrets.code }),
    heading: t('user:verificationLetter.heading'),
    paragraphs: [t('user:verificationLetter.text')],
    code: secrets.code,
    button: { label: t('user:verificationLetter.button'), href },
    footnote: t('user:verificationLetter.footnote'),
  })
  return sendMail({
    tenantId: null,
    to: email,
    locale,
    subject: t('user:verificationLetter.subject', { code: secrets.code }),
    letter,
  })
}

/** Mails the link that sets a new password. */
export function sendReset({ email, locale }: Recipient, token: string): Promise<void> {
  const t = translator(locale)
  const letter = composeLetter(t, {
    preheader: t('user:resetLetter.preheader'),
    heading: t('user:resetLetter.heading'),
    paragraphs: [t('user:resetLetter.text')],
    button: { label: t('user:resetLetter.button'), href: addressOf(null, `/reset-password?token=${token}`) },
    footnote: t('user:resetLetter.footnote'),
  })
  return sendMail({ tenantId: null, to: email, locale, subject: t('user:resetLetter.subject'), letter })
}

/** Tells a person that the password or the second factor was changed. */
export function sendNotice(
  { email, locale }: Recipient,
  what: 'password' | 'secondFactorOn' | 'secondFactorOff',
): Promise<void> {
  const t = translator(locale)
  const subject = t(`user:noticeLetter.${what}`)
  const letter = composeLetter(t, {
    heading: subject,
    paragraphs: [t('user:noticeLetter.text')],
    button: { label: t('user:noticeLetter.button'), href: addressOf(null, '/forgot-password') },
  })
  return sendMail({ tenantId: null, to: email, locale, subject, letter })
}
