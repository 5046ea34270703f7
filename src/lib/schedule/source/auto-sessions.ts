import { sql } from 'drizzle-orm'
import { moveInSchedule, type PlanTiming, planSessions } from '#lib/autowebinar/schedule-rules.ts'
import { QuietHours, Schedule } from '#lib/autowebinar/schema.ts'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { canManageWorkshop, editPath } from '#lib/workshop/rules.ts'
import { scheduleScope } from '../rules.ts'
import { loadDayRows } from './day-rows.ts'
import { filteredEvents, visibleEvents } from './scope-sql.ts'

/** Maximum number of automated webinars whose plans are read. */
const MAX_PLANS = 100

interface SessionRow extends Record<string, unknown> {
  id: string
  workshopId: string
  title: string
  startAt: string
  plannedMinutes: number
  isCanceled: boolean
  ownRoles: ('host' | 'speaker' | 'moderator')[]
}

interface PlanRow extends Record<string, unknown> {
  workshopId: string
  title: string
  minutes: number
  schedule: unknown
  quietHours: unknown
  ownRoles: ('host' | 'speaker' | 'moderator')[]
}

/**
 * Sessions of automated webinars: those that exist, and for staff those that the plans will create. Sessions on demand
 * and just in time are not scheduled, and are omitted.
 */
export const autoSessionSource: ScheduleSource = { kinds: ['autoWebinar'], loadItems: loadAutoSessions }

async function loadAutoSessions(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const visible = visibleEvents(actor)
  if (!visible) return { items: [] }
  const isStudent = scheduleScope(actor) === 'student'
  const events = sql`w.tenant_id = current_tenant() and w.type = 'autoWebinar' and w.deleted_at is null
    and w.archived_at is null and ${visible} and ${filteredEvents(query.filters)}`
  const ownRoles = sql`array(select ws.role from workshop_staff ws where ws.tenant_id = w.tenant_id
    and ws.workshop_id = w.id and ws.member_id = ${actor.membershipId}) as "ownRoles"`
  const [{ rows, omitted }, plans] = await Promise.all([
    loadDayRows<SessionRow>(tx, query, {
      columns: sql`s.id, s.workshop_id as "workshopId", w.title, s.planned_minutes as "plannedMinutes",
        (s.canceled_at is not null or w.canceled_at is not null) as "isCanceled", ${ownRoles}`,
      from: sql`workshop_session s join workshop w on w.tenant_id = s.tenant_id and w.id = s.workshop_id`,
      where: sql`${events} and s.tenant_id = current_tenant() and s.kind = 'auto'
        and mod(extract(epoch from s.start_at)::bigint, 900) = 0 and ${isStudent ? registeredSession(actor) : sql`true`}`,
      start: sql`s.start_at`,
      id: sql`s.id`,
    }),
    isStudent
      ? { rows: [] }
      : tx.execute<PlanRow>(sql`select w.id as "workshopId", w.title, greatest(1, ceil(p.video_ms / 60000.0)::int) as minutes,
          p.schedule, p.quiet_hours as "quietHours", ${ownRoles}
        from auto_plan p join workshop w on w.tenant_id = p.tenant_id and w.id = p.workshop_id
        where ${events} and w.publication = 'published' and w.canceled_at is null order by w.id limit ${MAX_PLANS}`),
  ])
  const stored = rows.map((row) => ({ ...row, startAt: new Date(row.startAt) }))
  const known = new Set(stored.map(({ workshopId, startAt }) => `${workshopId} ${startAt.getTime()}`))
  const planned = plans.rows
    .flatMap((plan) => plannedSessions(plan, query))
    .filter(({ workshopId, startAt }) => !known.has(`${workshopId} ${startAt.getTime()}`))
  // A session is moved in the plan: see moveInSchedule.
  const planOf = new Map(plans.rows.map((plan) => [plan.workshopId, timingOf(plan)]))
  const isMovable = ({ workshopId, startAt }: Session) => {
    const timing = planOf.get(workshopId)
    return startAt > query.now && timing !== undefined && moveInSchedule(timing, startAt, startAt) !== null
  }
  return {
    items: [...stored, ...planned].map((session) => toItem(actor, session, isMovable(session))),
    omitted,
  }
}

const registeredSession = ({ membershipId, email }: ScheduleViewer) => sql`exists (select 1 from registration r
  where r.tenant_id = s.tenant_id and r.session_id = s.id and (r.member_id = ${membershipId} or r.email = ${email})
    and r.state in ('confirmed', 'pending', 'waitlisted'))`

interface Session {
  workshopId: string
  title: string
  startAt: Date
  plannedMinutes: number
  isCanceled: boolean
  ownRoles: SessionRow['ownRoles']
}

function plannedSessions(plan: PlanRow, { boundaries, zone, now }: ScheduleQuery): Session[] {
  const [start, end] = [boundaries[0], boundaries.at(-1)]
  if (!start || !end || end <= now) return []
  const timing = timingOf(plan)
  const { workshopId, title, minutes: plannedMinutes, ownRoles } = plan
  return planSessions(timing, { start, end, viewerZone: zone, now })
    .filter(({ kind }) => kind !== 'justInTime')
    .map(({ startAt }) => ({ workshopId, title, startAt, plannedMinutes, isCanceled: false, ownRoles }))
}

const timingOf = ({ schedule, quietHours }: PlanRow): PlanTiming => ({
  schedule: parseStored(Schedule, schedule),
  quietHours: quietHours === null ? null : parseStored(QuietHours, quietHours),
})

function toItem(actor: ScheduleViewer, session: Session, isMovable: boolean): ScheduleItem {
  const { workshopId, title, startAt, plannedMinutes, isCanceled, ownRoles } = session
  const manages = canManageWorkshop(actor, ownRoles).allow
  return {
    kind: 'autoWebinar',
    id: `${workshopId}.${startAt.getTime()}`,
    title,
    startAt,
    endAt: new Date(startAt.getTime() + plannedMinutes * MINUTE_MS),
    context: null,
    href: manages ? editPath('autoWebinar', workshopId) : isCanceled ? null : `/workshops/register/${workshopId}`,
    isDraft: false,
    isCanceled,
    sequence: isCanceled ? 1 : 0,
    moveTarget: manages && isMovable && !isCanceled ? { type: 'autoSession', id: workshopId } : null,
  }
}
