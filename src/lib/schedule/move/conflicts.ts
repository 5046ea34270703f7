import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import type { WorkingHours } from '../working-hours/schema.ts'
import { loadWorkingHours } from '../working-hours/working-hours.ts'
import { findHoliday } from './holidays.ts'
import type { Holiday } from './schema.ts'

export interface BusyWith {
  /** The presenter or the group that is busy. */
  name: string
  /** The other event or session; empty for a time of the person's own calendar. */
  title: string
  startAt: Date
}

export interface MoveConflicts {
  presenters: BusyWith[]
  groups: BusyWith[]
  /** The working hours of the school, when the time is outside of them. */
  outsideHours: WorkingHours | null
  holiday: Holiday | null
}

/**
 * What speaks against a time of an event: presenters who have another event or a
 * session as a mentor then, groups that have another meeting, a
 * time outside the working hours, and public holidays of Ukraine; hours and days in the zone of the school.
 */
export async function findConflicts(
  tx: Tx,
  { workshopId, startAt, endAt, zone }: { workshopId: string; startAt: Date; endAt: Date; zone: string },
): Promise<MoveConflicts> {
  const [presenters, mentors, groups, hours] = await Promise.all([
    findBusy(tx, { workshopId, startAt, endAt }, PRESENTER_BUSY),
    findOwnTimes(tx, { workshopId, startAt, endAt }),
    findBusy(tx, { workshopId, startAt, endAt }, GROUP_BUSY),
    loadWorkingHours(tx),
  ])
  return { presenters: [...presenters, ...mentors], groups, ...findTimeConflicts({ startAt, endAt, zone, hours }) }
}

/** The conflicts of a time that depend on nothing else. */
export function findTimeConflicts({
  startAt,
  endAt,
  zone,
  hours,
}: {
  startAt: Date
  endAt: Date
  zone: string
  hours: WorkingHours
}): Pick<MoveConflicts, 'outsideHours' | 'holiday'> {
  const day = localDay(startAt, zone)
  const lastMinute = new Date(Math.max(startAt.getTime(), endAt.getTime() - 1))
  const isOutside =
    localDay(lastMinute, zone) !== day ||
    localTime(startAt, zone) < hours.from ||
    localTime(lastMinute, zone) >= hours.to
  return { outsideHours: isOutside ? hours : null, holiday: findHoliday(day) }
}

const MAX_CONFLICTS = 20

async function findBusy(
  tx: Tx,
  { workshopId, startAt, endAt }: { workshopId: string; startAt: Date; endAt: Date },
  busy: (workshopId: string) => { name: SQL; from: SQL },
): Promise<BusyWith[]> {
  const { name, from } = busy(workshopId)
  const { rows } = await tx.execute<{ name: string; title: string; startAt: string }>(sql`
    select distinct ${name} as name, w.title, w.start_at as "startAt", w.id
    from ${from} where w.deleted_at is null and w.archived_at is null and w.canceled_at is null and w.id <> ${workshopId}
      and w.start_at < ${endAt.toISOString()} and w.start_at > ${startAt.toISOString()}::timestamptz - interval '1 day'
      and w.start_at + make_interval(mins => w.planned_minutes) > ${startAt.toISOString()}
    order by w.start_at, w.id limit ${MAX_CONFLICTS}`)
  return rows.map(({ name: who, title, startAt: start }) => ({ name: who, title, startAt: new Date(start) }))
}

/** Presenters of the event who have a session as a mentor then, or are busy by their own calendar. */
async function findOwnTimes(
  tx: Tx,
  { workshopId, startAt, endAt }: { workshopId: string; startAt: Date; endAt: Date },
): Promise<BusyWith[]> {
  const { rows } = await tx.execute<{ name: string; title: string; startAt: string }>(sql`
    select distinct ${personNameIn('u')} as name, p.title,
      s.start_at as "startAt", s.id
    from workshop_staff a join mentor_session s on s.tenant_id = a.tenant_id and s.mentor_id = a.member_id
      join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id
      join membership m on m.tenant_id = a.tenant_id and m.id = a.member_id join "user" u on u.id = m.user_id
    where a.tenant_id = current_tenant() and a.workshop_id = ${workshopId} and a.role in ('host', 'speaker')
      and s.released_at is null and s.start_at < ${endAt.toISOString()} and s.end_at > ${startAt.toISOString()}
      and exists (select 1 from booking b where b.tenant_id = s.tenant_id and b.session_id = s.id
        and b.state in ('requested', 'confirmed'))
    union all
    select ${personNameIn('u')}, '', t.start_at, a.member_id
    from workshop_staff a join busy_time t on t.tenant_id = a.tenant_id and t.member_id = a.member_id
      join membership m on m.tenant_id = a.tenant_id and m.id = a.member_id join "user" u on u.id = m.user_id
    where a.tenant_id = current_tenant() and a.workshop_id = ${workshopId} and a.role in ('host', 'speaker')
      and t.start_at < ${endAt.toISOString()} and t.end_at > ${startAt.toISOString()}
    order by 3, 4 limit ${MAX_CONFLICTS}`)
  return rows.map(({ name, title, startAt: start }) => ({ name, title, startAt: new Date(start) }))
}

const PRESENTER_BUSY = (workshopId: string) => ({
  name: sql`${personNameIn('u')}`,
  from: sql`workshop_staff a
    join workshop_staff b on b.tenant_id = a.tenant_id and b.member_id = a.member_id and b.role in ('host', 'speaker')
    join membership m on m.tenant_id = a.tenant_id and m.id = a.member_id join "user" u on u.id = m.user_id
    join workshop w on w.tenant_id = b.tenant_id and w.id = b.workshop_id
      and a.tenant_id = current_tenant() and a.workshop_id = ${workshopId} and a.role in ('host', 'speaker')`,
})

const GROUP_BUSY = (workshopId: string) => ({
  name: sql`g.name`,
  from: sql`group_meeting a
    join group_meeting b on b.tenant_id = a.tenant_id and b.group_id = a.group_id
    join study_group g on g.tenant_id = a.tenant_id and g.id = a.group_id
    join workshop w on w.tenant_id = b.tenant_id and w.id = b.workshop_id
      and a.tenant_id = current_tenant() and a.workshop_id = ${workshopId}`,
})
