import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailParts } from '#lib/core/mail/email-body.ts'
import type { OutgoingEmail } from '#lib/core/mail/mail.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import { formatFullDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { AccountType } from '#lib/core/shared/role.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'
import type { NotificationKind, NotificationTopic } from './kind-schema.ts'
import type { NotificationData } from './schema.ts'
import { oneClickUrl, unsubscribePageUrl } from './settings/unsubscribe-token.ts'

/** The receiver of an email about a notification. */
export interface EmailRecipient {
  memberId: string
  accountType: AccountType
  email: string
  firstName: string
  locale: Locale
  timeZone: string
}

/** An email that a module composes itself; links to the settings are added to it. */
export interface NotificationEmail {
  subject: string
  parts: EmailParts
  /** The receiver may reply by email. */
  acceptsReplies?: boolean
  /** For an email that is sent at once: a digest has none. */
  attachments?: Attachment[]
}

export interface EmailSchool {
  tenantId: string
  name: string
  subdomain: string
}

/** The title of a notification in a language. */
export const titleOfNotification = (
  t: Translate,
  { kind, data, count }: { kind: NotificationKind; data: NotificationData; count: number },
): string => t(`notification:title.${kind}`, { subject: data.subject, count })

/** The time of what a notification is about and the time that it replaces, with the time zone of the receiver. */
export function timesOfNotification(
  t: Translate,
  { at, previousAt }: NotificationData,
  { timeZone, locale }: Pick<EmailRecipient, 'timeZone' | 'locale'>,
): string[] {
  const whenText = (value: string) =>
    t('notification:time.at', {
      time: formatFullDateTime(value, timeZone, locale),
      zone: formatZoneName(t, value, timeZone, locale),
    })
  return [
    ...(at ? [whenText(at)] : []),
    ...(previousAt ? [t('notification:time.previously', { when: whenText(previousAt) })] : []),
  ]
}

/** The absolute address of a page for a member: students learn on `go`, the team works on the address of the school. */
export const pageUrlOf = (school: EmailSchool, accountType: AccountType, path: string): string =>
  addressOf(accountType === 'ACCOUNT_TYPE_STUDENT' ? 'go' : school.subdomain, path)

/** The email about one notification, for modules that compose none themselves. */
export function defaultEmail(
  school: EmailSchool,
  recipient: EmailRecipient,
  item: { kind: NotificationKind; data: NotificationData; count: number; link: string },
): NotificationEmail {
  const t = getTranslator(recipient.locale)
  const title = titleOfNotification(t, item)
  return {
    subject: title,
    parts: {
      heading: title,
      paragraphs: [...(item.data.context ? [item.data.context] : []), ...timesOfNotification(t, item.data, recipient)],
      button: { label: t('notification:email.open'), href: pageUrlOf(school, recipient.accountType, item.link) },
    },
  }
}

/** An email with the links to the settings and the headers to unsubscribe from its topics. */
export function withUnsubscribe(
  school: EmailSchool,
  recipient: EmailRecipient,
  { subject, parts, acceptsReplies = false, attachments = [] }: NotificationEmail,
  topics: NotificationTopic[],
): OutgoingEmail {
  const t = getTranslator(recipient.locale)
  const unsubscription = { memberId: recipient.memberId, topics }
  const settings = { label: t('notification:email.settings'), href: unsubscribePageUrl(school, unsubscription) }
  return {
    tenantId: school.tenantId,
    to: recipient.email,
    locale: recipient.locale,
    subject,
    body: composeEmail(t, { school: school.name, ...parts, links: [...(parts.links ?? []), settings] }),
    unsubscribe: oneClickUrl(school, unsubscription),
    acceptsReplies,
    ...(attachments.length > 0 && { attachments }),
  }
}
