import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type CalendarMethod, formatCalendarFile } from '#lib/core/calendar/calendar.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Attachment } from '#lib/core/mail/table.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { calendarIdOf, groupCalendarIdOf } from './rules.ts'
import { BOOKING_STATES } from './schema.ts'

export type BookingChange = 'requested' | 'booked' | 'confirmed' | 'moved' | 'canceled'

const AnnouncedPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
})
export type AnnouncedPerson = z.output<typeof AnnouncedPerson>

export const AnnouncedSession = z.object({
  tenantId: z.string(),
  sessionId: z.string(),
  seats: z.number(),
  school: z.string(),
  subdomain: z.string(),
  title: z.string(),
  placeText: z.string(),
  state: z.enum(BOOKING_STATES),
  sequence: z.number(),
  startAt: z.coerce.date(),
  endAt: z.coerce.date(),
  student: AnnouncedPerson,
  mentor: AnnouncedPerson,
})
export type AnnouncedSession = z.output<typeof AnnouncedSession>

interface EntryOptions {
  bookingId: string
  change: BookingChange
  /** URL of the session. */
  href: string
  now: Date
  /** The time that a student has left. */
  previousSessionId?: string | undefined
}

type EmailMethod = Exclude<CalendarMethod, 'PUBLISH'>

/** The calendar file in the email to the student of a booking; none for a request. */
export function studentEntries(
  session: AnnouncedSession,
  { bookingId, change, href, now }: EntryOptions,
): Attachment[] {
  const method = methodOf(session, change)
  if (!method) return []
  const uid = `booking-${calendarIdOf(bookingId, 'student')}`
  return [calendarFileOf(session, session.student, { uid, method, href, now, names: session.mentor.name })]
}

/**
 * The calendar files in the email to the mentor. A session of several students is one entry, which names all of them; a
 * time that a student has left is changed or removed too.
 */
export async function mentorEntries(
  tx: Tx,
  session: AnnouncedSession,
  { bookingId, change, href, now, previousSessionId }: EntryOptions,
): Promise<Attachment[]> {
  if (session.seats === 1) {
    const method = methodOf(session, change)
    const uid = `booking-${calendarIdOf(bookingId, 'mentor')}`
    return method
      ? [calendarFileOf(session, session.mentor, { uid, method, href, now, names: session.student.name })]
      : []
  }
  const left = previousSessionId && previousSessionId !== session.sessionId ? [previousSessionId] : []
  const times = await loadGroupTimes(tx, [session.sessionId, ...left])
  return times.flatMap((time) => {
    const hasNone = time.students.length === 0
    if (hasNone && change === 'requested') return []
    const details = { ...session, ...time, sequence: Math.floor((now.getTime() - time.createdAt.getTime()) / 1000) }
    const method = hasNone ? ('CANCEL' as const) : ('REQUEST' as const)
    const uid = `booking-${groupCalendarIdOf(time.sessionId)}`
    return [calendarFileOf(details, session.mentor, { uid, method, href, now, names: time.students.join(', ') })]
  })
}

/** Requests are not in calendars; one that was moved and has to be confirmed again leaves them. */
function methodOf({ state, sequence }: AnnouncedSession, change: BookingChange): EmailMethod | null {
  if (state === 'confirmed') return 'REQUEST'
  return change !== 'requested' && sequence > 0 ? 'CANCEL' : null
}

const GroupTime = z.object({
  sessionId: z.string(),
  startAt: z.coerce.date(),
  endAt: z.coerce.date(),
  createdAt: z.coerce.date(),
  /** The names of the students whose seats are confirmed. */
  students: z.array(z.string()),
})

async function loadGroupTimes(tx: Tx, sessionIds: readonly string[]): Promise<z.output<typeof GroupTime>[]> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select s.id as "sessionId", s.start_at as "startAt", s.end_at as "endAt", s.created_at as "createdAt",
      coalesce(array_agg(${personNameIn('u')}
        order by u.last_name, u.first_name, b.id) filter (where b.id is not null), '{}') as students
    from mentor_session s
      left join booking b on b.tenant_id = s.tenant_id and b.session_id = s.id and b.state = 'confirmed'
      left join membership m on m.tenant_id = b.tenant_id and m.id = b.student_id left join "user" u on u.id = m.user_id
    where s.tenant_id = current_tenant() and s.id = any(${sql.param([...sessionIds])}::uuid[])
    group by s.tenant_id, s.id order by s.id = ${sessionIds[0]}::uuid desc`)
  return rows.map((row) => parseStored(GroupTime, row))
}

interface EntryFacts {
  /** The same as in the calendar feed of the person, so that the entry is not there twice. */
  uid: string
  method: EmailMethod
  href: string
  now: Date
  /** The other people of the session. */
  names: string
}

function calendarFileOf(
  {
    school,
    title,
    startAt,
    endAt,
    sequence,
    placeText,
  }: Pick<AnnouncedSession, 'school' | 'title' | 'startAt' | 'endAt' | 'sequence' | 'placeText'>,
  person: AnnouncedPerson,
  { uid, method, href, now, names }: EntryFacts,
): Attachment {
  const file = formatCalendarFile(
    {
      uid,
      sequence,
      startAt,
      durationMinutes: Math.round((endAt.getTime() - startAt.getTime()) / MINUTE_MS),
      timeZone: person.timeZone,
      title: names ? `${title}: ${names}` : title,
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
