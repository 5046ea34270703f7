import { sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import { formatFullDateTime } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'
import type { NotificationEmail } from '#lib/notification/compose.ts'
import { notify } from '#lib/notification/notify.ts'
import {
  type AnnouncedPerson,
  AnnouncedSession,
  type BookingChange,
  mentorEntries,
  studentEntries,
} from './calendar-entry.ts'
import { planReminders } from './reminder.ts'

interface ChangeDetails {
  previousStartAt?: Date
  /** The time that a student has left. */
  previousSessionId?: string
  reason?: string
  by?: 'student' | 'mentor'
}

/**
 * Notifies the student and the mentor about a change of a booking, each in their language and time zone; the email has
 * the calendar entry once it is confirmed. The one who made the change only gets the email. Plans the reminders of a
 * confirmed session. In the transaction of the change.
 */
export const announceBooking = (
  tx: Tx,
  bookingId: string,
  change: BookingChange,
  now: Date,
  details: ChangeDetails = {},
): Promise<void> => announceBookings(tx, [{ bookingId, change }], now, details)

/** As announceBooking, for several bookings. */
export async function announceBookings(
  tx: Tx,
  changes: readonly { bookingId: string; change: BookingChange }[],
  now: Date,
  details: ChangeDetails = {},
): Promise<void> {
  const announced: Announced[] = []
  for (const { bookingId, change } of changes) {
    announced.push({ bookingId, change, session: await readAnnouncedSession(tx, bookingId) })
  }
  // The students in the order of their ids, and the mentors last, so that two transactions that count the emails of the
  // same people cannot deadlock.
  announced.sort((a, b) => a.session.student.id.localeCompare(b.session.student.id))
  for (const item of announced) await notifyOfChange(tx, item, item.session.student, now, details)
  for (const item of announced) await notifyOfChange(tx, item, item.session.mentor, now, details)
  for (const { bookingId, session } of announced) await planReminders(bookingId, session, now)
}

interface Announced {
  bookingId: string
  change: BookingChange
  session: AnnouncedSession
}

async function notifyOfChange(
  tx: Tx,
  { bookingId, change, session }: Announced,
  person: AnnouncedPerson,
  now: Date,
  details: ChangeDetails,
): Promise<void> {
  const { student, mentor } = session
  const isStudent = person.id === student.id
  const isByMentor = change === 'confirmed' || details.by === 'mentor'
  const { previousSessionId } = details
  const href = sessionUrl(session, person, bookingId)
  const attachments = isStudent
    ? studentEntries(session, { bookingId, change, href, now })
    : await mentorEntries(tx, session, { bookingId, change, href, now, previousSessionId })
  const email = composeSessionEmail(session, { bookingId, person, change, details, attachments })
  const added = {
    kind: `session_${change}`,
    memberIds: [person.id],
    key: `mentoring/${change}/${bookingId}/${session.sequence}`,
    data: {
      subject: session.title,
      context: isStudent ? mentor.name : student.name,
      at: session.startAt.toISOString(),
      ...(details.previousStartAt && { previousAt: details.previousStartAt.toISOString() }),
    },
    link: sessionPath(bookingId),
    email: () => email,
  } as const
  await notify(tx, isStudent === isByMentor ? added : { ...added, channels: ['email'] }, now)
}

/** The path of the page of a session. */
export const sessionPath = (bookingId: string): string => `/mentoring?booking=${bookingId}`

/** The address of the page of a session for one of its people. */
const sessionUrl = ({ student, subdomain }: AnnouncedSession, person: AnnouncedPerson, bookingId: string): string =>
  addressOf(person.id === student.id ? 'go' : subdomain, sessionPath(bookingId))

interface SessionEmail {
  bookingId: string
  person: AnnouncedPerson
  change: BookingChange | 'reminder'
  details?: ChangeDetails
  attachments?: Attachment[]
}

/** The email about a session to its student or mentor, in the person's language and time zone. */
export function composeSessionEmail(
  session: AnnouncedSession,
  { bookingId, person, change, details: { previousStartAt, reason } = {}, attachments = [] }: SessionEmail,
): NotificationEmail {
  const { title, startAt, student, mentor } = session
  const t = getTranslator(person.locale)
  const isStudent = person.id === student.id
  const timeText = (at: Date) => {
    const time = formatFullDateTime(at, person.timeZone, person.locale)
    const zone = formatZoneName(t, at, person.timeZone, person.locale)
    return t('mentoring:when.full', { time, zone })
  }
  const names = { title, when: timeText(startAt), name: isStudent ? mentor.name : student.name }
  return {
    subject: t(`mentoring:email.${change}.subject`, names),
    parts: {
      preheader: names.when,
      heading: t(`mentoring:email.${change}.heading`, names),
      paragraphs: [
        t(isStudent ? 'mentoring:email.withMentor' : 'mentoring:email.withStudent', names),
        names.when,
        ...(previousStartAt ? [t('mentoring:email.previously', { when: timeText(previousStartAt) })] : []),
        ...(reason ? [t('mentoring:email.reason', { reason })] : []),
      ],
      button: { label: t('mentoring:email.open'), href: sessionUrl(session, person, bookingId) },
      footnote: t('mentoring:email.footnote'),
    },
    attachments,
  }
}

async function readAnnouncedSession(tx: Tx, bookingId: string): Promise<AnnouncedSession> {
  const session = await findAnnouncedSession(tx, bookingId)
  if (!session) throw new Refusal('not_found')
  return session
}

/** The session of a booking with its people, or null. */
export async function findAnnouncedSession(tx: Tx, bookingId: string): Promise<AnnouncedSession | null> {
  const person = (alias: string, member: string) =>
    sql`${sql.raw(`jsonb_build_object('id', ${member}.id, 'email', ${alias}.email, 'locale', ${alias}.locale,
      'timeZone', ${alias}.time_zone, 'name', `)}${personNameIn(alias)})`
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.tenant_id as "tenantId", s.id as "sessionId", s.seats, t.name as school, t.subdomain, p.title, p.place_text as "placeText", b.state,
      b.sequence, s.start_at as "startAt", s.end_at as "endAt", ${person('su', 'sm')} as student,
      ${person('mu', 'mm')} as mentor
    from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
      join tenant t on t.id = b.tenant_id
      join membership sm on sm.tenant_id = b.tenant_id and sm.id = b.student_id join "user" su on su.id = sm.user_id
      join membership mm on mm.tenant_id = s.tenant_id and mm.id = s.mentor_id join "user" mu on mu.id = mm.user_id
    where b.tenant_id = current_tenant() and b.id = ${bookingId}`)
  return rows[0] ? parseStored(AnnouncedSession, rows[0]) : null
}
