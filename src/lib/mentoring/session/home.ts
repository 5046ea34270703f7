import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { canBook } from '../booking/rules.ts'
import { BOOKING_STATES } from '../booking/schema.ts'
import { requireMentoringAllowed, requireProgramReader } from '../program/permission.ts'

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
})
export type OwnProgram = z.output<typeof OwnProgram>

const MAX_ROWS = 100
/** Sessions without an outcome are listed for this long after their end. */
const OUTCOME_DAYS = 30

export interface MentorHome {
  requests: BookingRow[]
  /** Confirmed sessions, the nearest first. */
  upcoming: BookingRow[]
  /** Sessions that have ended without an outcome. */
  ended: BookingRow[]
  students: MenteeRow[]
}

/** The sessions and students of the actor as a mentor, each list with at most 100 rows. Refuses with forbidden. */
export function getMentorHome(actor: Actor, now = new Date()): Promise<MentorHome> {
  requireProgramReader(actor)
  const own = sql`s.mentor_id = ${actor.membershipId}`
  const at = sql`${now.toISOString()}::timestamptz`
  return inTenant(actor, async (tx) => {
    const [requests, upcoming, ended, students] = await Promise.all([
      listBookings(tx, 'student', sql`${own} and b.state = 'requested' and s.end_at > ${at}`, 'asc'),
      listBookings(tx, 'student', sql`${own} and b.state = 'confirmed' and s.end_at > ${at}`, 'asc'),
      listBookings(
        tx,
        'student',
        sql`${own} and b.state = 'confirmed' and s.end_at <= ${at}
          and s.end_at > ${at} - ${OUTCOME_DAYS} * interval '1 day'`,
        'desc',
      ),
      listMentees(tx, actor, at),
    ])
    return { requests, upcoming, ended, students }
  })
}

export interface StudentHome {
  programs: OwnProgram[]
  upcoming: BookingRow[]
  past: BookingRow[]
}

/** The programs and sessions of the actor as a student. Refuses with forbidden. */
export function getStudentHome(actor: Actor, now = new Date()): Promise<StudentHome> {
  requireMentoringAllowed(canBook(actor))
  const own = sql`b.student_id = ${actor.membershipId}`
  const isUpcoming = sql`(b.state in ('requested', 'confirmed') and s.end_at > ${now.toISOString()}::timestamptz)`
  return inTenant(actor, async (tx) => {
    const [programs, upcoming, past] = await Promise.all([
      tx.execute<Record<string, unknown>>(sql`
        select p.id, p.title, p.description, p.session_minutes as "sessionMinutes",
          e.sessions_total as "sessionsTotal", p.status = 'published' as "isPublished",
          (select count(*)::int from booking b where b.tenant_id = e.tenant_id and b.enrolment_id = e.id
            and b.uses_credit) as "usedCount"
        from program_enrolment e join mentor_program p on p.tenant_id = e.tenant_id and p.id = e.program_id
        where e.tenant_id = current_tenant() and e.student_id = ${actor.membershipId} and e.revoked_at is null
          and p.status <> 'draft'
        order by p.title, p.id limit ${MAX_ROWS}`),
      listBookings(tx, 'mentor', sql`${own} and ${isUpcoming}`, 'asc'),
      listBookings(tx, 'mentor', sql`${own} and not ${isUpcoming}`, 'desc'),
    ])
    return { programs: programs.rows.map((row) => parseStored(OwnProgram, row)), upcoming, past }
  })
}

async function listBookings(
  tx: Tx,
  other: 'student' | 'mentor',
  condition: SQL,
  order: 'asc' | 'desc',
): Promise<BookingRow[]> {
  const member = other === 'student' ? sql`b.student_id` : sql`s.mentor_id`
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.id, p.title, ${personNameIn('u')} as name, b.state,
      s.start_at as "startAt", s.end_at as "endAt", b.homework
    from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
      join membership m on m.tenant_id = b.tenant_id and m.id = ${member} join "user" u on u.id = m.user_id
    where b.tenant_id = current_tenant() and ${condition}
    order by s.start_at ${sql.raw(order)}, b.id limit ${MAX_ROWS}`)
  return rows.map((row) => parseStored(BookingRow, row))
}

async function listMentees(tx: Tx, { membershipId }: Actor, at: SQL): Promise<MenteeRow[]> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.student_id as "studentId", p.title,
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
    group by b.student_id, p.id, p.title, u.first_name, u.last_name, u.email
    order by "nextAt" nulls last, "lastAt" desc nulls last limit ${MAX_ROWS}`)
  return rows.map((row) => parseStored(MenteeRow, row))
}
