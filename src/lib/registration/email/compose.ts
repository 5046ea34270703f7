import { addressOf } from '#lib/core/config/config.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail, type EmailBody } from '#lib/core/mail/email-body.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import {
  EMAIL_KINDS,
  type EmailKind,
  type RegistrationEmail,
  type RegistrationState,
} from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { buildCalendarAttachment, calendarLinks } from '../calendar.ts'
import type { RegistrationEvent } from '../event.ts'
import { joinUrl, registrationPath } from '../links.ts'
import { REMINDER_KINDS } from './rules.ts'
import { formatElapsed, formatEmailDateTime, formatRelativeDay, formatTimeWithZone } from './time-texts.ts'

/** Recipient of an email. */
export interface Recipient {
  id: string
  email: string
  name: string
  locale: Locale
  timeZone: string
  state: RegistrationState
  offeredUntil: Date | null
  lastSeenAt: Date | null
  icsSequence: number
  key: string
}

export interface PreviousTime {
  startAt: Date | null
  timeZone: string
}

export interface ComposedEmail {
  subject: string
  body: EmailBody
  attachments?: Attachment[]
  unsubscribe?: string
}

/** Composes an email of an event to a registrant, in their language and time zone. */
export function composeRegistrationEmail(
  event: RegistrationEvent,
  recipient: Recipient,
  kind: RegistrationEmail,
  now: Date,
  previousTime: PreviousTime | null = null,
): ComposedEmail {
  const t = getTranslator(recipient.locale)
  const names = buildVariables(t, event, recipient, now, previousTime)
  const custom = customTexts(event, kind, recipient.locale, names)
  const isReminder = (REMINDER_KINDS as readonly string[]).includes(kind)
  const body = composeEmail(t, {
    school: event.school.name,
    preheader: names.when || event.title,
    heading: t(`registration:email.${kind}.heading`, names),
    paragraphs: [...(custom.text ?? [t(textKey(event, kind), names)]), ...timeParagraphs(t, event, kind, names)],
    ...buildButton(t, event, recipient, kind),
    links: buildLinks(t, event, recipient, kind),
    footnote: t(isReminder ? 'registration:email.footnoteReminder' : 'registration:email.footnote'),
  })
  const file = buildAttachment(event, recipient, kind, now)
  return {
    subject: custom.subject ?? t(`registration:email.${kind}.subject`, names),
    body,
    ...(file && { attachments: [file] }),
    ...(isReminder && { unsubscribe: addressOf(event.school.subdomain, `/v1/reminders/${recipient.key}`) }),
  }
}

function textKey(event: RegistrationEvent, kind: RegistrationEmail) {
  if (kind !== 'canceled') return `registration:email.${kind}.text` as const
  return event.isCanceled ? 'registration:email.canceled.byHost' : 'registration:email.canceled.byRegistrant'
}

type EmailVariables = Record<
  'name' | 'title' | 'school' | 'when' | 'time' | 'day' | 'before' | 'left' | 'until',
  string
>

function buildVariables(
  t: Translate,
  event: RegistrationEvent,
  recipient: Recipient,
  now: Date,
  previousTime: PreviousTime | null,
): EmailVariables {
  const { startAt } = event
  const timeText = (at: Date | null) => (at ? formatEmailDateTime(t, at, recipient.timeZone, recipient.locale) : '')
  const startedAt = event.startedAt ?? startAt
  return {
    name: recipient.name,
    title: event.title,
    school: event.school.name,
    when: timeText(startAt),
    time: startAt ? formatTimeWithZone(t, startAt, recipient.timeZone, recipient.locale) : '',
    day: startAt ? (formatRelativeDay(t, startAt, recipient.timeZone, now) ?? timeText(startAt)) : '',
    before: timeText(previousTime?.startAt ?? null),
    left: startedAt && recipient.lastSeenAt ? formatElapsed(startedAt, recipient.lastSeenAt) : '',
    until: timeText(recipient.offeredUntil),
  }
}

/**
 * The tenant's own text of an email, with `{{name}}` and other variables filled in; blank lines separate paragraphs.
 */
function customTexts(event: RegistrationEvent, kind: RegistrationEmail, locale: Locale, names: EmailVariables) {
  const setting = event.settings.emails[kind as EmailKind]
  const fillVariables = (text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => (name in names ? names[name as keyof EmailVariables] : whole))
  const subject = setting?.subject[locale] ?? ''
  const text = setting?.text[locale] ?? ''
  return {
    subject: subject ? fillVariables(subject) : null,
    text: text ? fillVariables(text).split(/\n{2,}/) : null,
  }
}

// The text of `rescheduled` contains the new time; follow-up emails need none.
function timeParagraphs(
  t: Translate,
  { startAt, title }: RegistrationEvent,
  kind: RegistrationEmail,
  { when }: EmailVariables,
): string[] {
  if (FOLLOW_UP_KINDS.has(kind) || kind === 'rescheduled' || !startAt) return []
  return [t('registration:email.facts', { title, when })]
}

const FOLLOW_UP_KINDS: ReadonlySet<RegistrationEmail> = new Set(['attended', 'leftEarly', 'missed', 'apology'])
const KINDS_WITH_JOIN_BUTTON: ReadonlySet<RegistrationEmail> = new Set([...EMAIL_KINDS, 'rescheduled'])

function buildButton(t: Translate, event: RegistrationEvent, recipient: Recipient, kind: RegistrationEmail) {
  const own = addressOf(event.school.subdomain, registrationPath(event.id, recipient.key, { locale: recipient.locale }))
  if (kind === 'offer') return { button: { label: t('registration:email.offer.button'), href: own } }
  if (!KINDS_WITH_JOIN_BUTTON.has(kind) || recipient.state !== 'confirmed') return {}
  const label = FOLLOW_UP_KINDS.has(kind) ? 'replay' : kind === 'startMissed' || kind === 'tenMinutes' ? 'now' : 'join'
  return {
    button: { label: t(`registration:email.button.${label}`), href: joinUrl(event, recipient.key, recipient.locale) },
  }
}

function buildLinks(t: Translate, event: RegistrationEvent, recipient: Recipient, kind: RegistrationEmail) {
  if (kind === 'canceled' || kind === 'declined' || kind === 'apology') return []
  const { subdomain } = event.school
  const entry =
    kind === 'confirmed' || kind === 'rescheduled'
      ? calendarLinks(event, joinUrl(event, recipient.key, recipient.locale))
      : null
  const unsubscribeUrl = addressOf(
    subdomain,
    registrationPath(event.id, recipient.key, { locale: recipient.locale, part: 'reminders' }),
  )
  return [
    ...(entry && recipient.state === 'confirmed'
      ? [
          { label: t('registration:calendar.google'), href: entry.google },
          { label: t('registration:calendar.outlook'), href: entry.outlook },
        ]
      : []),
    {
      label: t('registration:email.manage'),
      href: addressOf(subdomain, registrationPath(event.id, recipient.key, { locale: recipient.locale })),
    },
    ...((REMINDER_KINDS as readonly string[]).includes(kind)
      ? [{ label: t('registration:email.unsubscribe'), href: unsubscribeUrl }]
      : []),
  ]
}

function buildAttachment(
  event: RegistrationEvent,
  recipient: Recipient,
  kind: RegistrationEmail,
  now: Date,
): Attachment | null {
  if (kind === 'canceled') return buildCalendarAttachment(event, recipient, 'CANCEL', now)
  if ((kind !== 'confirmed' && kind !== 'rescheduled') || recipient.state !== 'confirmed') return null
  return buildCalendarAttachment(event, recipient, 'REQUEST', now)
}
