import { sql } from 'drizzle-orm'
import type {
  ScheduleQuery,
  ScheduleResult,
  ScheduleSource,
  ScheduleViewer,
} from '#lib/core/calendar/schedule-source.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { WorkshopRole } from '#lib/core/shared/event/live-event.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { canManageWorkshop, editPath } from '#lib/workshop/rules.ts'
import { loadDayRows } from './day-rows.ts'
import { filteredEvents, visibleEvents } from './scope-sql.ts'

interface EventRow extends Record<string, unknown> {
  id: string
  type: 'webinar' | 'masterclass'
  title: string
  startAt: string
  plannedMinutes: number
  publication: string
  isCanceled: boolean
  sequence: number
  ownRoles: WorkshopRole[]
  groupName: string | null
  courseTitle: string | null
}

/** Webinars, masterclasses with a date, and those of both that are meetings of a study group. */
export const eventSource: ScheduleSource = { kinds: ['webinar', 'masterclass', 'meeting'], loadItems: loadEvents }

async function loadEvents(tx: Tx, actor: ScheduleViewer, query: ScheduleQuery): Promise<ScheduleResult> {
  const visible = visibleEvents(actor)
  if (!visible) return { items: [] }
  const { rows, omitted } = await loadDayRows<EventRow>(tx, query, {
    columns: sql`w.id, w.type, w.title, w.planned_minutes as "plannedMinutes", w.publication,
      w.canceled_at is not null as "isCanceled",
      w.schedule_version - 1 + (w.canceled_at is not null)::int as sequence,
      array(select ws.role from workshop_staff ws where ws.tenant_id = w.tenant_id and ws.workshop_id = w.id
        and ws.member_id = ${actor.membershipId}) as "ownRoles",
      (select string_agg(g.name, ', ' order by g.name) from group_meeting gm
        join study_group g on g.tenant_id = gm.tenant_id and g.id = gm.group_id
        where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id) as "groupName",
      (select min(c.title) from group_meeting gm
        join study_group g on g.tenant_id = gm.tenant_id and g.id = gm.group_id
        join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
        where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id) as "courseTitle"`,
    from: sql`workshop w`,
    where: sql`w.tenant_id = current_tenant() and w.type <> 'autoWebinar' and w.deleted_at is null
      and w.archived_at is null and ${visible} and ${filteredEvents(query.filters)} and ${ofKind(query)}`,
    start: sql`w.start_at`,
    id: sql`w.id`,
  })
  return { items: rows.map((row) => toItem(actor, row, query.now)), omitted }
}

const IS_MEETING = sql`exists (select 1 from group_meeting gm where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id)`

function ofKind({ filters: { kind } }: ScheduleQuery) {
  if (kind === 'meeting') return IS_MEETING
  return kind ? sql`w.type = ${kind} and not ${IS_MEETING}` : sql`true`
}

function toItem(actor: ScheduleViewer, row: EventRow, now: Date): ScheduleItem {
  const { id, type, title, plannedMinutes, publication, isCanceled, sequence, ownRoles, groupName, courseTitle } = row
  const startAt = new Date(row.startAt)
  const manages = canManageWorkshop(actor, ownRoles).allow
  const isPublished = publication === 'published'
  const href = manages ? editPath(type, id) : isPublished && !isCanceled ? publicPath(type, id, ownRoles) : null
  return {
    kind: groupName === null ? type : 'meeting',
    id,
    title,
    startAt,
    endAt: new Date(startAt.getTime() + plannedMinutes * MINUTE_MS),
    context: groupName === null ? null : [courseTitle, groupName].filter(Boolean).join(' · '),
    href,
    isDraft: !isPublished,
    isCanceled,
    sequence,
    moveTarget: manages && !isCanceled && startAt > now ? { type: 'event', id } : null,
  }
}

function publicPath(type: EventRow['type'], id: string, ownRoles: readonly WorkshopRole[]): string {
  if (type === 'masterclass') return `/masterclass/${id}`
  return ownRoles.length > 0 ? `/meeting/join/${id}` : `/workshops/register/${id}`
}
