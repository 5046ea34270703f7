import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { AvailabilitySettings } from '../availability/schema.ts'
import { mentorAvailability } from '../availability/table.ts'
import type { Interval } from './slots.ts'

/** A group session that is open for further students. */
export interface OpenSession {
  sessionId: string
  startAt: number
  seatsLeft: number
}

/** What determines the slots of a mentor. */
export interface MentorTimes {
  memberId: string
  availability: AvailabilitySettings
  busy: Interval[]
  /** Starts of the mentor's sessions in the program. */
  sessionStarts: number[]
  openSessions: OpenSession[]
}

interface Period {
  programId: string
  memberIds: readonly string[]
  from: Date
  to: Date
  now: Date
}

/** Not listed as busy: the time of the session that is to be moved. */
interface Options {
  exceptSessionId?: string | null
}

/**
 * Hours and busy times of mentors in a period: sessions of all programs with their buffers, events in which the mentor is
 * host or presenter, vacations, and the calendar of another program. Mentors without hours are omitted. Three statements in one round trip.
 */
export async function readMentorTimes(tx: Tx, period: Period, options: Options = {}): Promise<MentorTimes[]> {
  const { programId, memberIds } = period
  if (memberIds.length === 0) return []
  const [hours, sessions, others] = await Promise.all([
    tx
      .select({
        memberId: mentorAvailability.memberId,
        timeZone: mentorAvailability.timeZone,
        weekly: mentorAvailability.weekly,
        overrides: mentorAvailability.overrides,
        travels: mentorAvailability.travels,
      })
      .from(mentorAvailability)
      .where(inArray(mentorAvailability.memberId, [...memberIds])),
    readSessions(tx, period, options.exceptSessionId ?? null),
    readOtherTimes(tx, period),
  ])
  return hours.map(({ memberId, ...availability }) => {
    const own = sessions.filter((session) => session.mentorId === memberId)
    const inProgram = own.filter((session) => session.programId === programId)
    return {
      memberId,
      availability,
      busy: [
        ...own.map((session) => ({ from: session.busyFrom, to: session.busyTo })),
        ...others.filter((other) => other.memberId === memberId).map(({ from, to }) => ({ from, to })),
      ],
      sessionStarts: inProgram.map(({ startAt }) => startAt),
      openSessions: inProgram
        .filter(({ seats, takenCount }) => seats > 1 && takenCount < seats)
        .map(({ id, startAt, seats, takenCount }) => ({ sessionId: id, startAt, seatsLeft: seats - takenCount })),
    }
  })
}

// A type, because the driver requires an index signature.
type SessionRow = {
  id: string
  programId: string
  mentorId: string
  startAt: number
  busyFrom: number
  busyTo: number
  seats: number
  takenCount: number
}

async function readSessions(
  tx: Tx,
  { memberIds, from, to, now }: Period,
  except: string | null,
): Promise<SessionRow[]> {
  const { rows } = await tx.execute<SessionRow>(sql`
    select s.id, s.program_id as "programId", s.mentor_id as "mentorId", s.seats, t."takenCount",
      ${millis('s.start_at')} as "startAt", ${millis('s.busy_from')} as "busyFrom", ${millis('s.busy_to')} as "busyTo"
    from mentor_session s cross join lateral (select
      (select count(*)::int from booking b where b.tenant_id = s.tenant_id and b.session_id = s.id
        and b.state not in ('canceledByStudent', 'canceledByMentor')) +
      (select count(*)::int from booking_hold h where h.tenant_id = s.tenant_id and h.session_id = s.id
        and h.expires_at > ${now.toISOString()}::timestamptz) as "takenCount") t
    where s.tenant_id = current_tenant() and s.mentor_id = any(${sql.param([...memberIds])}::uuid[])
      and s.released_at is null and s.id is distinct from ${except}::uuid and t."takenCount" > 0
      and s.start_at > ${from.toISOString()}::timestamptz - interval '1 day'
      and s.start_at < ${to.toISOString()}::timestamptz + interval '1 day'`)
  return rows
}

type OtherRow = { memberId: string; from: number; to: number }

async function readOtherTimes(tx: Tx, { memberIds, from, to }: Period): Promise<OtherRow[]> {
  const members = sql`any(${sql.param([...memberIds])}::uuid[])`
  const [start, end] = [from.toISOString(), to.toISOString()]
  const { rows } = await tx.execute<OtherRow>(sql`
    select member_id as "memberId", ${millis('start_at')} as "from", ${millis('end_at')} as "to" from vacation
      where tenant_id = current_tenant() and member_id = ${members} and canceled_at is null
        and start_at < ${end}::timestamptz and end_at > ${start}::timestamptz
    union all
    select member_id, ${millis('start_at')}, ${millis('end_at')} from busy_time
      where tenant_id = current_tenant() and member_id = ${members}
        and start_at < ${end}::timestamptz and end_at > ${start}::timestamptz
    union all
    select f.member_id, ${millis('w.start_at')}, ${millis("w.start_at + w.planned_minutes * interval '1 minute'")}
      from workshop w join workshop_staff f on f.tenant_id = w.tenant_id and f.workshop_id = w.id
      where w.tenant_id = current_tenant() and f.member_id = ${members} and f.role in ('host', 'speaker')
        and w.canceled_at is null and w.deleted_at is null and w.archived_at is null
        and w.start_at > ${start}::timestamptz - interval '1 day' and w.start_at < ${end}::timestamptz`)
  return rows
}

/** An instant as a number of milliseconds. @param expression a constant SQL expression */
const millis = (expression: string) => sql.raw(`(extract(epoch from ${expression}) * 1000)::float8`)
