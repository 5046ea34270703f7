import { type SQL, sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { calendarIdOf, groupCalendarIdOf } from '#lib/mentoring/booking/rules.ts'
import { scheduleScope } from '../rules.ts'
import { loadDayRows } from './day-rows.ts'

/**
 * Sessions with mentors: a student sees the own bookings, a mentor the own sessions, managers of content all. Requested
 * ones are drafts, canceled ones are not listed.
 */
export const bookingSource: ScheduleSource = { kinds: ['booking'], loadItems: loadBookings }

interface BookingItemRow extends Record<string, unknown> {
  bookingId: string
  /** Of a session with several seats, as its mentor sees it. */
  sessionId: string | null
  side: 'student' | 'mentor'
  title: string
  people: string
  startAt: string
  endAt: string
  isRequested: boolean
  sequence: number
}

async function loadBookings(tx: Tx, viewer: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const { courseId, groupId } = query.filters
  const scope = scheduleScope(viewer)
  const isMentor = scope === 'assigned' && hasRole(viewer, ['MENTOR'])
  // Programs belong neither to a course nor to a group.
  if (courseId || groupId || !(scope === 'all' || scope === 'student' || isMentor)) return { items: [] }
  const source = scope === 'student' ? ownBookings(viewer, query) : mentorSessions(viewer, query, scope === 'all')
  const { rows, omitted } = await loadDayRows<BookingItemRow>(tx, query, {
    ...source,
    start: sql`s.start_at`,
    id: sql`s.id`,
  })
  return { items: rows.map((row) => toItem(row, query.now)), omitted }
}

function ownBookings({ membershipId }: ScheduleViewer, { filters: { personId } }: ScheduleQuery) {
  return {
    columns: sql`b.id as "bookingId", null as "sessionId", 'student' as side, p.title, ${personNameIn('mu')} as people,
      s.end_at as "endAt", b.state = 'requested' as "isRequested", b.sequence`,
    from: sql`booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id ${JOIN_MENTOR}`,
    where: sql`b.tenant_id = current_tenant() and b.student_id = ${membershipId} and ${IS_HELD}
      and ${ofPerson(personId)}`,
  }
}

/** A session of several students is one item; its id is that of the session. */
function mentorSessions(
  { membershipId }: ScheduleViewer,
  { filters: { personId } }: ScheduleQuery,
  seesAll: boolean,
): { columns: SQL; from: SQL; where: SQL } {
  const students = seesAll ? sql`${personNameIn('mu')} || ' · ' || b.people` : sql`b.people`
  return {
    columns: sql`case when s.seats > 1 then s.id end as "sessionId", 'mentor' as side, b.id as "bookingId", p.title, ${students} as people, s.end_at as "endAt", b."isRequested",
      case when s.seats = 1 then b.sequence else 0 end as sequence`,
    from: sql`mentor_session s join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id ${JOIN_MENTOR}
      join lateral (select min(b.id::text) as id, max(b.sequence) as sequence, bool_and(b.state = 'requested') as "isRequested",
          string_agg(${personNameIn('su')}, ', ' order by su.last_name, su.first_name, b.id) as people
        from booking b join membership sm on sm.tenant_id = b.tenant_id and sm.id = b.student_id
          join "user" su on su.id = sm.user_id
        where b.tenant_id = s.tenant_id and b.session_id = s.id and ${IS_HELD}) b on b.id is not null`,
    where: sql`s.tenant_id = current_tenant() and ${seesAll ? sql`true` : sql`s.mentor_id = ${membershipId}`}
      and ${ofPerson(personId)}`,
  }
}

const JOIN_MENTOR = sql`join membership mm on mm.tenant_id = s.tenant_id and mm.id = s.mentor_id
  join "user" mu on mu.id = mm.user_id`
const IS_HELD = sql`b.state not in ('canceledByStudent', 'canceledByMentor')`

const ofPerson = (personId: string | undefined): SQL => (personId ? sql`s.mentor_id = ${personId}` : sql`true`)

const toItem = (
  { bookingId, sessionId, side, title, people, startAt, endAt, isRequested, sequence }: BookingItemRow,
  now: Date,
): ScheduleItem => ({
  kind: 'booking',
  id: sessionId ? groupCalendarIdOf(sessionId) : calendarIdOf(bookingId, side),
  title,
  startAt: new Date(startAt),
  endAt: new Date(endAt),
  context: people,
  href: `/mentoring?booking=${bookingId}`,
  isDraft: isRequested,
  isCanceled: false,
  sequence,
  moveTarget: side === 'mentor' && new Date(startAt) > now ? { type: 'booking', id: bookingId } : null,
})
