import { sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { composeEmail } from '#lib/core/mail/email-body.ts'
import { sendEmail } from '#lib/core/mail/mail.ts'
import { formatFullDateTime, formatZone } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { notify } from '#lib/notification/notify.ts'
import {
  type AnnouncedPerson,
  AnnouncedSession,
  type BookingChange,
  mentorEntries,
  studentEntries,
} from './calendar-entry.ts'

interface ChangeDetails {
  previousStartAt?: Date
  /** The time that a student has left. */
  previousSessionId?: string
  reason?: string
  by?: 'student' | 'mentor'
}

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
    await emailPerson(tx, session, bookingId, person, change, now, details)
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
  tx: Tx,
  session: AnnouncedSession,
  bookingId: string,
  person: AnnouncedPerson,
  change: BookingChange,
  now: Date,
  { previousStartAt, previousSessionId, reason }: ChangeDetails,
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
  const attachments = isStudent
    ? studentEntries(session, { bookingId, change, href, now })
    : await mentorEntries(tx, session, { bookingId, change, href, now, previousSessionId })
  await sendEmail({
    tenantId,
    to: person.email,
    locale: person.locale,
    subject: t(`mentoring:email.${change}.subject`, names),
    body,
    onceKey: `mentoring/${bookingId}/${change}/${session.sequence}/${person.id}`,
    ...(attachments.length > 0 && { attachments }),
  })
}

async function readAnnouncedSession(tx: Tx, bookingId: string): Promise<AnnouncedSession> {
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
  if (!rows[0]) throw new Refusal('not_found')
  return parseStored(AnnouncedSession, rows[0])
}
