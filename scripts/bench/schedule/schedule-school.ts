import type pg from 'pg'
import { makeStudents, signIn } from '../schools.ts'

/** A school with many events in one month, and two mentoring programs: of 20 mentors and 60 days, of one mentor and a day. */
export interface ScheduleSchool {
  subdomain: string
  ownerToken: string
  studentToken: string
  /** The month as `YYYY-MM-01`. */
  month: string
  manyId: string
  oneId: string
}

const MENTORS = 20

/** Fills the school in bulk: events in every hour of the month, mentors with hours on weekdays and sessions every day. */
export async function makeScheduleSchool(client: pg.Client, items: number): Promise<ScheduleSchool> {
  await client.query('begin')
  const subdomain = 'rozklad'
  const { tenantId, ownerToken } = await makeStudents(client, { subdomain, courses: 20, students: 200 })
  await client.query("select set_config('app.restoring', '', true)")
  const month = `${new Date().toISOString().slice(0, 7)}-01`
  await client.query(EVENTS, [tenantId, month, items])
  await client.query(SESSIONS, [tenantId])
  await client.query(MENTOR_PEOPLE, [MENTORS])
  await client.query(MENTOR_MEMBERS, [tenantId])
  await client.query(HOURS, [tenantId])
  const programs: string[] = []
  for (const [mentors, days] of [
    [MENTORS, 60],
    [1, 1],
  ]) {
    const { rows } = await client.query<{ id: string }>(PROGRAM, [tenantId, days])
    const [program] = rows
    if (!program) throw new Error('the program was not stored')
    await client.query(PROGRAM_MENTORS, [tenantId, program.id, mentors])
    await client.query(ENROLMENTS, [tenantId, program.id])
    programs.push(program.id)
  }
  await client.query(TAKEN, [tenantId, programs[0]])
  const { rows } = await client.query<{ user_id: string }>(STUDENT, [tenantId])
  const studentToken = await signIn(client, rows[0]?.user_id ?? '')
  await client.query('commit')
  await client.query('vacuum analyze workshop, workshop_session, mentor_session, program_enrolment')
  const [manyId = '', oneId = ''] = programs
  return { subdomain, ownerToken, studentToken, month, manyId, oneId }
}

const OWNER = `(select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1)`

const EVENTS = `
  insert into workshop (tenant_id, id, type, title, publication, published_at, start_at, time_zone, settings, created_by)
  select $1::uuid, time_ordered_id(), 'webinar', 'Вебінар ' || n, 'published', now(),
    $2::date + ((n * 28.0 / $3::int) * interval '1 day'), 'Europe/Kyiv', '{}'::jsonb, ${OWNER}
  from generate_series(0, $3::int - 1) n`

const SESSIONS = `
  insert into workshop_session (tenant_id, id, workshop_id, kind, planned_minutes, state)
  select tenant_id, time_ordered_id(), id, 'live', planned_minutes, '{}'::jsonb from workshop where tenant_id = $1::uuid`

const MENTOR_PEOPLE = `
  insert into "user" (id, email, first_name, last_name, email_verified_at)
  select time_ordered_id(), 'mentor-' || n || '@rozklad.test', 'Ментор', 'Номер ' || n, now() from generate_series(1, $1::int) n`

const MENTOR_MEMBERS = `
  insert into membership (tenant_id, id, user_id, account_type, roles, status)
  select $1::uuid, time_ordered_id(), id, 'ACCOUNT_TYPE_TEAM_MEMBER', array['MENTOR'], 'active' from "user"
  where email like 'mentor-%@rozklad.test'`

const MENTOR = `membership m where m.tenant_id = $1::uuid and 'MENTOR' = any(m.roles)`

const HOURS = `
  insert into mentor_availability (tenant_id, member_id, time_zone, weekly)
  select $1::uuid, m.id, 'Europe/Kyiv',
    (select jsonb_agg(case when d < 5 then '[{"from": 540, "to": 1080}]'::jsonb else '[]'::jsonb end order by d)
      from generate_series(0, 6) d) from ${MENTOR}`

const PROGRAM = `
  insert into mentor_program (tenant_id, id, title, status, assignment, max_days_ahead, place_text)
  values ($1::uuid, time_ordered_id(), 'Програма', 'published', 'roundRobin', $2::int, 'https://meet.example.com/room') returning id`

const PROGRAM_MENTORS = `
  insert into program_mentor (tenant_id, program_id, member_id)
  select $1::uuid, $2::uuid, m.id from ${MENTOR} order by m.id limit $3::int`

const ENROLMENTS = `
  insert into program_enrolment (tenant_id, id, program_id, student_id, source)
  select $1::uuid, time_ordered_id(), $2::uuid, id, 'manual' from student where tenant_id = $1::uuid`

/** Two sessions of each mentor on each of 60 days. */
const TAKEN = `
  insert into mentor_session (tenant_id, id, program_id, mentor_id, start_at, end_at, busy_from, busy_to, seats)
  select $1::uuid, time_ordered_id(), $2::uuid, m.id, at, at + interval '1 hour', at, at + interval '1 hour', 1
  from membership m cross join lateral (
    select date_trunc('day', now()) + d * interval '1 day' + h * interval '1 hour' as at
    from generate_series(1, 60) d, unnest(array[9, 13]) h) time
  where m.tenant_id = $1::uuid and 'MENTOR' = any(m.roles)`

const STUDENT = `select user_id from student where tenant_id = $1::uuid order by id limit 1`
