import { addressOf } from '#lib/core/config/config.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import { composeLetter, type Letter } from '#lib/core/mail/letter.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import type { RegistrationLetter, RegistrationState } from '#lib/core/shared/event/live-event.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { LetterKind } from '#lib/workshop/schema.ts'
import { entryAddress, ownPath } from '../address.ts'
import { calendarOf, entryLinks } from '../calendar.ts'
import type { EventRow } from '../event.ts'
import { LADDER } from './rules.ts'
import { clockWords, dayWord, momentWords, whenWords } from './time-texts.ts'

/** Whom a letter is for. */
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

export interface Was {
  startAt: Date | null
  timeZone: string
}

export interface Composed {
  subject: string
  letter: Letter
  attachments?: Attachment[]
  unsubscribe?: string
}

/** A letter of an event to somebody who registered, in their language and by their clock. */
export function composeFor(
  event: EventRow,
  to: Recipient,
  kind: RegistrationLetter,
  now: Date,
  was: Was | null = null,
): Composed {
  const t = translator(to.locale)
  const names = namesOf(t, event, to, now, was)
  const own = ownWords(event, kind, to.locale, names)
  const reminder = (LADDER as readonly string[]).includes(kind)
  const letter = composeLetter(t, {
    school: event.school.name,
    preheader: names.when || event.title,
    heading: t(`registration:letter.${kind}.heading`, names),
    paragraphs: [...(own.text ?? [t(`registration:letter.${kind}.text`, names)]), ...facts(t, event, kind, names)],
    ...buttonOf(t, event, to, kind),
    links: linksOf(t, event, to, kind),
    footnote: t(reminder ? 'registration:letter.footnoteReminder' : 'registration:letter.footnote'),
  })
  const file = enclosure(event, to, kind, now)
  return {
    subject: own.subject ?? t(`registration:letter.${kind}.subject`, names),
    letter,
    ...(file && { attachments: [file] }),
    ...(reminder && { unsubscribe: addressOf(event.school.subdomain, `/v1/reminders/${to.key}`) }),
  }
}

type Names = Record<'name' | 'title' | 'school' | 'when' | 'time' | 'day' | 'before' | 'left' | 'until', string>

function namesOf(t: Say, event: EventRow, to: Recipient, now: Date, was: Was | null): Names {
  const { startAt } = event
  const words = (at: Date | null) => (at ? whenWords(t, at, to.timeZone, to.locale) : '')
  const begun = event.startedAt ?? startAt
  return {
    name: to.name,
    title: event.title,
    school: event.school.name,
    when: words(startAt),
    time: startAt ? clockWords(t, startAt, to.timeZone, to.locale) : '',
    day: startAt ? (dayWord(t, startAt, to.timeZone, now) ?? words(startAt)) : '',
    before: words(was?.startAt ?? null),
    left: begun && to.lastSeenAt ? momentWords(begun, to.lastSeenAt) : '',
    until: words(to.offeredUntil),
  }
}

/** The school's own words for a letter, with `{{name}}` and the like filled in; blank lines part paragraphs. */
function ownWords(event: EventRow, kind: RegistrationLetter, locale: Locale, names: Names) {
  const setting = event.settings.letters[kind as LetterKind]
  const filled = (text: string) =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name) => (name in names ? names[name as keyof Names] : whole))
  const subject = setting?.subject[locale] ?? ''
  const text = setting?.text[locale] ?? ''
  return {
    subject: subject ? filled(subject) : null,
    text: text ? filled(text).split(/\n{2,}/) : null,
  }
}

// A new time stands in the words of its letter; a letter after the event needs no time.
function facts(t: Say, { startAt, title }: EventRow, kind: RegistrationLetter, { when }: Names): string[] {
  if (AFTER.has(kind) || kind === 'rescheduled' || !startAt) return []
  return [t('registration:letter.facts', { title, when })]
}

const AFTER: ReadonlySet<RegistrationLetter> = new Set(['attended', 'leftEarly', 'missed', 'apology'])
const JOINS: ReadonlySet<RegistrationLetter> = new Set([
  'confirmed',
  'day',
  'hour',
  'tenMinutes',
  'startMissed',
  'attended',
  'leftEarly',
  'missed',
  'rescheduled',
])

function buttonOf(t: Say, event: EventRow, to: Recipient, kind: RegistrationLetter) {
  const own = addressOf(event.school.subdomain, ownPath(event.id, to.key, { locale: to.locale }))
  if (kind === 'offer') return { button: { label: t('registration:letter.offer.button'), href: own } }
  if (!JOINS.has(kind) || to.state !== 'confirmed') return {}
  const label = AFTER.has(kind) ? 'replay' : kind === 'startMissed' || kind === 'tenMinutes' ? 'now' : 'join'
  return { button: { label: t(`registration:letter.button.${label}`), href: entryAddress(event, to.key, to.locale) } }
}

function linksOf(t: Say, event: EventRow, to: Recipient, kind: RegistrationLetter) {
  if (kind === 'canceled' || kind === 'declined' || kind === 'apology') return []
  const { subdomain } = event.school
  const entry =
    kind === 'confirmed' || kind === 'rescheduled' ? entryLinks(event, entryAddress(event, to.key, to.locale)) : null
  const stop = addressOf(subdomain, ownPath(event.id, to.key, { locale: to.locale, part: 'reminders' }))
  return [
    ...(entry && to.state === 'confirmed'
      ? [
          { label: t('registration:calendar.google'), href: entry.google },
          { label: t('registration:calendar.outlook'), href: entry.outlook },
        ]
      : []),
    {
      label: t('registration:letter.manage'),
      href: addressOf(subdomain, ownPath(event.id, to.key, { locale: to.locale })),
    },
    ...((LADDER as readonly string[]).includes(kind)
      ? [{ label: t('registration:letter.unsubscribe'), href: stop }]
      : []),
  ]
}

function enclosure(event: EventRow, to: Recipient, kind: RegistrationLetter, now: Date): Attachment | null {
  if (kind === 'canceled') return calendarOf(event, to, 'CANCEL', now)
  if ((kind !== 'confirmed' && kind !== 'rescheduled') || to.state !== 'confirmed') return null
  return calendarOf(event, to, 'REQUEST', now)
}
