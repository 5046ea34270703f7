import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { loadWorkingHours } from '../working-hours/working-hours.ts'
import { findTimeConflicts, type MoveConflicts } from './conflicts.ts'

const MAX_CONFLICTS = 20

/**
 * The students of a session with a mentor, and the conflicts of another time of it: sessions and events of the mentor
 * then, times of the mentor's own calendar, a time outside the working hours, and public holidays.
 */
export async function findSessionConflicts(
  tx: Tx,
  { bookingId, startAt, endAt, zone }: { bookingId: string; startAt: Date; endAt: Date; zone: string },
): Promise<{ people: number; conflicts: MoveConflicts }> {
  const [from, until] = [sql`${startAt.toISOString()}::timestamptz`, sql`${endAt.toISOString()}::timestamptz`]
  const own = sql`(select s.* from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
    where b.tenant_id = current_tenant() and b.id = ${bookingId})`
  const [students, busy, hours] = await Promise.all([
    tx.execute<{ people: number }>(sql`select count(*)::int as people from booking b join ${own} o
      on b.tenant_id = o.tenant_id and b.session_id = o.id where b.state in ('requested', 'confirmed')`),
    tx.execute<{ name: string; title: string; startAt: string }>(sql`
      select ${personNameIn('u')} as name, t.title, t.start_at as "startAt"
      from ${own} o join membership m on m.tenant_id = o.tenant_id and m.id = o.mentor_id
        join "user" u on u.id = m.user_id
        join lateral (
          select p.title, s.start_at from mentor_session s
            join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
          where s.tenant_id = o.tenant_id and s.mentor_id = o.mentor_id and s.id <> o.id and s.released_at is null
            and s.busy_from < ${until} and s.busy_to > ${from}
          union all
          select w.title, w.start_at from workshop_staff a join workshop w on w.tenant_id = a.tenant_id and w.id = a.workshop_id
          where a.tenant_id = o.tenant_id and a.member_id = o.mentor_id and a.role in ('host', 'speaker')
            and w.deleted_at is null and w.archived_at is null and w.canceled_at is null
            and w.start_at < ${until} and w.start_at + make_interval(mins => w.planned_minutes) > ${from}
          union all
          select '', b.start_at from busy_time b
          where b.tenant_id = o.tenant_id and b.member_id = o.mentor_id and b.start_at < ${until} and b.end_at > ${from}
        ) t on true
      order by t.start_at, t.title limit ${MAX_CONFLICTS}`),
    loadWorkingHours(tx),
  ])
  const presenters = busy.rows.map(({ name, title, startAt: start }) => ({ name, title, startAt: new Date(start) }))
  const conflicts = { presenters, groups: [], ...findTimeConflicts({ startAt, endAt, zone, hours }) }
  return { people: students.rows[0]?.people ?? 0, conflicts }
}
