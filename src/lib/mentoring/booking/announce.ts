import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type CalendarMethod, formatCalendarFile } from '#lib/core/calendar/calendar.ts'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { formatFullDateTime, formatZone, LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { notify } from '#lib/notification/notify.ts'
import { calendarIdOf } from './rules.ts'
import { BOOKING_STATES } from './schema.ts'

export type BookingChange = 'requested' | 'booked' | 'confirmed' | 'moved' | 'canceled'

interface ChangeDetails {
  previousStartAt?: Date
  reason?: string
  by?: 'student' | 'mentor'
}

const Person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
})
type Person = z.output<typeof Person>

const AnnouncedSession = z.object({
  tenantId: z.string(),
  school: z.string(),
  subdomain: z.string(),
  title: z.string(),
  placeText: z.string(),
  state: z.enum(BOOKING_STATES),
  sequence: z.number(),
  startAt: z.coerce.date(),
  endAt: z.coerce.date(),
  student: Person,
  mentor: Person,
})
type AnnouncedSession = z.output<typeof AnnouncedSession>

/**
 * Emails the student and the mentor about a change of a booking, each in their language and time zone, with the calendar
 * entry once it is confirmed; and notifies the one who did not make the change. In the transaction of the change.
 */
export async function announceBooking(
  tx: Tx,
  bookingId: string,
  change: BookingChange,
  now: Date,
  details: ChangeDetails = {},
): Promise<void> {
  const session = await readAnnouncedSession(tx, bookingId)
  for (const person of [session.student, session.mentor]) {
    await emailPerson(session, bookingId, person, change, now, details)
  }
  const isForStudent = change === 'confirmed' || details.by === 'mentor'
  await notify(tx, {
    kind: `session_${change}`,
    memberIds: [isForStudent ? session.student.id : session.mentor.id],
    key: `mentoring/${change}/${bookingId}/${session.sequence}`,
    data: { subject: session.title, context: isForStudent ? session.mentor.name : session.student.name },
    link: `/mentoring?booking=${bookingId}`,
    email: false,
  })
}

async function emailPerson(
  session: AnnouncedSession,
  bookingId: string,
  person: Person,
  change: BookingChange,
  now: Date,
  { previousStartAt, reason }: ChangeDetails,
): Promise<void> {
  const { tenantId, school, subdomain, title, startAt, student, mentor } = session
  const t = getTranslator(person.locale)
  const isStudent = person.id === student.id
  const timeText = (at: Date) => {
    const time = formatFullDateTime(at, person.timeZone, person.locale)
    const zone =
      person.timeZone === 'Europe/Kyiv' ? t('mentoring:when.kyiv') : formatZone(at, person.timeZone, person.locale)
    return t('mentoring:when.full', { time, zone })
  }
  const names = { title, when: timeText(startAt), name: isStudent ? mentor.name : student.name }
  const href = addressOf(isStudent ? 'go' : subdomain, `/mentoring?booking=${bookingId}`)
  const heading = t(`mentoring:email.${change}.heading`, names)
  const paragraphs = [
    t(isStudent ? 'mentoring:email.withMentor' : 'mentoring:email.withStudent', names),
    names.when,
    ...(previousStartAt ? [t('mentoring:email.previously', { when: timeText(previousStartAt) })] : []),
    ...(reason ? [t('mentoring:email.reason', { reason })] : []),
  ]
  const body = composeEmail(t, {
    school,
    preheader: names.when,
    heading,
    paragraphs,
    button: { label: t('mentoring:email.open'), href },
    footnote: t('mentoring:email.footnote'),
  })
  const method = methodOf(session, change)
  await sendEmail({
    tenantId,
    to: person.email,
    locale: person.locale,
    subject: t(`mentoring:email.${change}.subject`, names),
    body,
    onceKey: `mentoring/${bookingId}/${change}/${session.sequence}/${person.id}`,
    ...(method && { attachments: [calendarAttachment(session, bookingId, person, method, href, now)] }),
  })
}

/** Requests are not in calendars; one that was moved and has to be confirmed again leaves them. */
function methodOf(
  { state, sequence }: AnnouncedSession,
  change: BookingChange,
): Exclude<CalendarMethod, 'PUBLISH'> | null {
  if (state === 'confirmed') return 'REQUEST'
  return change !== 'requested' && sequence > 0 ? 'CANCEL' : null
}

function calendarAttachment(
  { school, title, startAt, endAt, sequence, student, mentor, placeText }: AnnouncedSession,
  bookingId: string,
  person: Person,
  method: Exclude<CalendarMethod, 'PUBLISH'>,
  href: string,
  now: Date,
) {
  const other = person.id === student.id ? mentor : student
  const file = formatCalendarFile(
    {
      // The same as in the calendar feed of the person, so that the entry is not there twice.
      uid: `booking-${calendarIdOf(bookingId, person.id === student.id ? 'student' : 'mentor')}`,
      sequence,
      startAt,
      durationMinutes: Math.round((endAt.getTime() - startAt.getTime()) / 60_000),
      timeZone: person.timeZone,
      title: `${title}: ${other.name}`,
      text: placeText ? `${placeText}\n${href}` : href,
      href,
      organizer: school,
      attendee: { name: person.name, email: person.email },
      stamp: now,
    },
    method,
  )
  const content = Buffer.from(file).toString('base64')
  return { filename: 'session.ics', type: 'text/calendar; charset=utf-8', content, method }
}

async function readAnnouncedSession(tx: Tx, bookingId: string): Promise<AnnouncedSession> {
  const person = (alias: string, member: string) =>
    sql`${sql.raw(`jsonb_build_object('id', ${member}.id, 'email', ${alias}.email, 'locale', ${alias}.locale,
      'timeZone', ${alias}.time_zone, 'name', `)}${personNameIn(alias)})`
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.tenant_id as "tenantId", t.name as school, t.subdomain, p.title, p.place_text as "placeText", b.state,
      b.sequence, s.start_at as "startAt", s.end_at as "endAt", ${person('su', 'sm')} as student,
      ${person('mu', 'mm')} as mentor
    from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
      join tenant t on t.id = b.tenant_id
      join membership sm on sm.tenant_id = b.tenant_id and sm.id = b.student_id join "user" su on su.id = sm.user_id
      join membership mm on mm.tenant_id = s.tenant_id and mm.id = s.mentor_id join "user" mu on mu.id = mm.user_id
    where b.tenant_id = current_tenant() and b.id = ${bookingId}`)
  if (!rows[0]) throw new Refusal('not_found')
  return parseStored(AnnouncedSession, rows[0])
}
