import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailBody } from '#lib/core/mail/email-body.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { MessageText } from './schema.ts'

/** The email of a message that staff have written; blank lines separate paragraphs. */
export function composeTextEmail(school: string, locale: Locale, { subject, text }: MessageText): EmailBody {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return composeEmail(getTranslator(locale), { school, heading: subject, paragraphs })
}
