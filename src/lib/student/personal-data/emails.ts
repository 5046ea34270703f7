import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { formatDate, type Locale } from '#lib/core/shared/locale.ts'

interface Recipient {
  email: string
  locale: Locale
  timeZone: string
}

/** Informs a person about their personal data: the export is ready, a deletion was requested, the data was deleted. */
export function sendMyDataEmail(
  { email, locale, timeZone }: Recipient,
  kind: 'readyEmail' | 'deletionEmail' | 'deletedEmail',
  until: Date | null = null,
  onceKey?: string,
): Promise<void> {
  const t = getTranslator(locale)
  const names = { date: until ? formatDate(until, timeZone, locale) : '' }
  const button = { label: t('student:myData.emailButton'), href: addressOf('go', '/profile#my-data') }
  const body = composeEmail(t, {
    heading: t(`student:myData.${kind}.subject`),
    paragraphs: [t(`student:myData.${kind}.text`, names)],
    ...(kind === 'deletedEmail' ? {} : { button }),
  })
  return sendEmail({ tenantId: null, to: email, locale, subject: t(`student:myData.${kind}.subject`), body, onceKey })
}

/** Sends the six digits that confirm a request for deletion. */
export function sendDeletionCodeEmail({ email, locale }: Recipient, code: string): Promise<void> {
  const t = getTranslator(locale)
  const body = composeEmail(t, {
    preheader: t('student:myData.codeEmail.preheader', { code }),
    heading: t('student:myData.codeEmail.heading'),
    paragraphs: [t('student:myData.codeEmail.text')],
    code,
    footnote: t('student:myData.codeEmail.footnote'),
  })
  return sendEmail({
    tenantId: null,
    to: email,
    locale,
    subject: t('student:myData.codeEmail.subject', { code }),
    body,
  })
}
