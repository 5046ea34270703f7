import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { canBook } from '../booking/rules.ts'
import { BOOKING_STATES } from '../booking/schema.ts'
import { ProgramCover, programCoverSql } from '../program/cover.ts'
import { requireMentoringAllowed, requireProgramReader } from '../program/permission.ts'
import type { MentorOverviewQuery, StudentOverviewQuery } from './schema.ts'

const BookingRow = z.object({
  id: z.string(),
  title: z.string(),
  /** The other person: the mentor for a student, the student for a mentor. */
  name: z.string(),
  state: z.enum(BOOKING_STATES),
  startAt: z.coerce.date(),
  endAt: z.coerce.date(),
  homework: z.string(),
})
export type BookingRow = z.output<typeof BookingRow>

const MenteeRow = z.object({
  studentId: z.string(),
  programId: z.string(),
  name: z.string(),
  title: z.string(),
  lastAt: z.coerce.date().nullable(),
  nextAt: z.coerce.date().nullable(),
  openGoals: z.number(),
})
export type MenteeRow = z.output<typeof MenteeRow>

const OwnProgram = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  sessionMinutes: z.number(),
  sessionsTotal: z.number().nullable(),
  usedCount: z.number(),
  isPublished: z.boolean(),
  cover: ProgramCover,
})
export type OwnProgram = Omit<z.output<typeof OwnProgram>, 'cover'> & { cover: Picture | null }

/** A page of a list of the overview; `next` is the cursor of the next one. */
export interface OverviewList<Row> {
  items: Row[]
  next: string | null
}

const PAGE_SIZE = 30
const MAX_UPCOMING = 4
/** Sessions without an outcome are listed for this long after their end. */
const OUTCOME_DAYS = 30

export interface MentorOverview {
  requests: OverviewList<BookingRow>
  /** Confirmed sessions, the nearest first. */
  upcoming: OverviewList<BookingRow>
  /** Sessions that have ended without an outcome. */
  ended: OverviewList<BookingRow>
  students: OverviewList<MenteeRow>
}

/** The sessions and students of the actor as a mentor, a page of each list. Refuses with forbidden, invalid. */
export function getMentorOverview(
  actor: Actor,
  query: MentorOverviewQuery = {},
  now = new Date(),
): Promise<MentorOverview> {
  requireProgramReader(actor)
  const own = sql`s.mentor_id = ${actor.membershipId}`
  const at = sql`${now.toISOString()}::timestamptz`
  const list = (condition: SQL, order: 'asc' | 'desc', cursor: string | undefined) =>
    ({ other: 'student', condition: sql`${own} and ${condition}`, order, cursor }) as const
  return inTenant(actor, async (tx) => {
    const [requests, upcoming, ended, students] = await Promise.all([
      listBookings(tx, list(sql`b.state = 'requested' and s.end_at > ${at}`, 'asc', query.requests)),
      listBookings(tx, list(sql`b.state = 'confirmed' and s.end_at > ${at}`, 'asc', query.upcoming)),
      listBookings(
        tx,
        list(
          sql`b.state = 'confirmed' and s.end_at <= ${at} and s.end_at > ${at} - ${OUTCOME_DAYS} * interval '1 day'`,
          'desc',
          query.ended,
        ),
      ),
      listMentees(tx, actor, at, query.students),
    ])
    return { requests, upcoming, ended, students }
  })
}

/** The next sessions of the actor as a mentor, requested and confirmed, for the dashboard. Refuses with forbidden. */
export function listUpcomingSessions(actor: Actor, now = new Date()): Promise<BookingRow[]> {
  requireProgramReader(actor)
  const condition = sql`s.mentor_id = ${actor.membershipId} and b.state in ('requested', 'confirmed')
    and s.end_at > ${now.toISOString()}::timestamptz`
  return inTenant(actor, async (tx) => {
    const { items } = await listBookings(tx, { other: 'student', condition, order: 'asc', cursor: undefined })
    return items.slice(0, MAX_UPCOMING)
  })
}

export interface StudentOverview {
  programs: OverviewList<OwnProgram>
  upcoming: OverviewList<BookingRow>
  past: OverviewList<BookingRow>
}

/** The programs and sessions of the actor as a student, a page of each list. Refuses with forbidden, invalid. */
export function getStudentOverview(
  actor: Actor,
  query: StudentOverviewQuery = {},
  now = new Date(),
): Promise<StudentOverview> {
  requireMentoringAllowed(canBook(actor))
  const own = sql`b.student_id = ${actor.membershipId}`
  const isUpcoming = sql`(b.state in ('requested', 'confirmed') and s.end_at > ${now.toISOString()}::timestamptz)`
  return inTenant(actor, async (tx) => {
    const [programs, upcoming, past] = await Promise.all([
      listOwnPrograms(tx, actor, query.programs),
      listBookings(tx, {
        other: 'mentor',
        condition: sql`${own} and ${isUpcoming}`,
        order: 'asc',
        cursor: query.upcoming,
      }),
      listBookings(tx, {
        other: 'mentor',
        condition: sql`${own} and not ${isUpcoming}`,
        order: 'desc',
        cursor: query.past,
      }),
    ])
    return { programs, upcoming, past }
  })
}

const TitleKey = z.object({ title: z.string().max(200), id: z.uuid() })

async function listOwnPrograms(tx: Tx, actor: Actor, cursor: string | undefined): Promise<OverviewList<OwnProgram>> {
  const after = readCursor(TitleKey, cursor)
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select p.id, p.title, p.description, p.session_minutes as "sessionMinutes",
      e.sessions_total as "sessionsTotal", p.status = 'published' as "isPublished", ${programCoverSql} as cover,
      (select count(*)::int from booking b where b.tenant_id = e.tenant_id and b.enrolment_id = e.id
        and b.uses_credit) as "usedCount"
    from program_enrolment e join mentor_program p on p.tenant_id = e.tenant_id and p.id = e.program_id
    where e.tenant_id = current_tenant() and e.student_id = ${actor.membershipId} and e.revoked_at is null
      and p.status <> 'draft' ${after ? sql`and (p.title, p.id) > (${after.title}, ${after.id}::uuid)` : sql``}
    order by p.title, p.id limit ${PAGE_SIZE + 1}`)
  const { found, last } = pageOf(rows, OwnProgram)
  return {
    items: found.map(({ cover, ...item }) => ({ ...item, cover: cover && pictureFor(actor, cover) })),
    next: last ? writeCursor(TitleKey, parseStored(TitleKey, last)) : null,
  }
}

interface BookingQuery {
  /** The person whose name is listed. */
  other: 'student' | 'mentor'
  condition: SQL
  order: 'asc' | 'desc'
  cursor: string | undefined
}

async function listBookings(
  tx: Tx,
  { other, condition, order, cursor }: BookingQuery,
): Promise<OverviewList<BookingRow>> {
  const member = other === 'student' ? sql`b.student_id` : sql`s.mentor_id`
  const after = readCursor(InstantKey, cursor)
  const isAfter = after ? sql`and (s.start_at, b.id) ${sql.raw(order === 'asc' ? '>' : '<')} ${rowOfKey(after)}` : sql``
  const direction = sql.raw(order)
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.id, p.title, ${personNameIn('u')} as name, b.state,
      s.start_at as "startAt", s.end_at as "endAt", b.homework, ${microsecondsOf(sql`s.start_at`)} as at
    from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
      join membership m on m.tenant_id = b.tenant_id and m.id = ${member} join "user" u on u.id = m.user_id
    where b.tenant_id = current_tenant() and ${condition} ${isAfter}
    order by s.start_at ${direction}, b.id ${direction} limit ${PAGE_SIZE + 1}`)
  const { found, last } = pageOf(rows, BookingRow)
  return { items: found, next: last ? writeCursor(InstantKey, parseStored(InstantKey, last)) : null }
}

const MenteeKey = z.object({
  next: z.string().regex(/^\d{1,19}$/),
  last: z.string().regex(/^-?\d{1,19}$/),
  studentId: z.uuid(),
  programId: z.uuid(),
})

/** Students with their programs: those with the nearest session first, then those whose last one is the latest. */
async function listMentees(
  tx: Tx,
  { membershipId }: Actor,
  at: SQL,
  cursor: string | undefined,
): Promise<OverviewList<MenteeRow>> {
  const after = readCursor(MenteeKey, cursor)
  const isAfter = after
    ? sql`where (r.next, r.last, "studentId", "programId")
        > (${after.next}::bigint, ${after.last}::bigint, ${after.studentId}::uuid, ${after.programId}::uuid)`
    : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select "studentId", "programId", title, name, "lastAt", "nextAt", "openGoals", r.next::text as next,
      r.last::text as last
    from (select m.*, coalesce((extract(epoch from "nextAt") * 1000000)::bigint, ${MAX_BIGINT}::bigint) as next,
        -coalesce((extract(epoch from "lastAt") * 1000000)::bigint, 0) as last
      from (
        select b.student_id as "studentId", p.id as "programId", p.title,
          ${personNameIn('u')} as name,
          max(s.start_at) filter (where b.state = 'completed') as "lastAt",
          min(s.start_at) filter (where b.state in ('requested', 'confirmed') and s.end_at > ${at}) as "nextAt",
          coalesce(sum((select count(*) from jsonb_array_elements(b.goals) g where g -> 'done' = 'false')), 0)::int
            as "openGoals"
        from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
          join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
          join membership m on m.tenant_id = b.tenant_id and m.id = b.student_id join "user" u on u.id = m.user_id
        where b.tenant_id = current_tenant() and s.mentor_id = ${membershipId}
          and b.state not in ('canceledByStudent', 'canceledByMentor')
        group by b.student_id, p.id, p.title, u.first_name, u.last_name, u.email) m) r
    ${isAfter} order by r.next, r.last, "studentId", "programId" limit ${PAGE_SIZE + 1}`)
  const { found, last } = pageOf(rows, MenteeRow)
  return { items: found, next: last ? writeCursor(MenteeKey, parseStored(MenteeKey, last)) : null }
}

const MAX_BIGINT = '9223372036854775807'

/** The rows of a page, and the last one if there are more. */
function pageOf<Row extends z.ZodType>(
  rows: readonly Record<string, unknown>[],
  schema: Row,
): { found: z.output<Row>[]; last: Record<string, unknown> | undefined } {
  const found = rows.slice(0, PAGE_SIZE).map((row) => parseStored(schema, row))
  return { found, last: rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined }
}
