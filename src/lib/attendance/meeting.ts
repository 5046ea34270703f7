import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireGroupWriter } from '#lib/course/group/group.ts'
import { requireGroup } from '#lib/course/group/list.ts'
import type { GroupMeetingId, GroupMeetings } from './schema.ts'
import { groupMeeting } from './table.ts'

export interface Meeting {
  workshopId: string
  title: string
  type: string
  startAt: Date | null
  timeZone: string
  /** Its planned end has passed, or it was finished: then absence is certain. */
  isOver: boolean
  /** Members of the group who attended. */
  present: number
}

const MAX_MEETINGS = 100
const MAX_EVENTS = 100

/** Makes an event a meeting of a group; a second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export async function addMeeting(actor: Actor, input: GroupMeetingId): Promise<GroupMeetingId> {
  requireGroupWriter(actor)
  const { groupId, workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireGroup(tx, actor, groupId)
    const { rows } = await tx.execute(sql`select 1 from workshop
      where tenant_id = current_tenant() and id = ${workshopId} and deleted_at is null`)
    if (rows.length === 0) throw new Refusal('not_found')
    await tx.insert(groupMeeting).values({ tenantId: actor.tenantId, groupId, workshopId }).onConflictDoNothing()
    return { groupId, workshopId }
  })
}

/**
 * Removes a meeting and its marks from a group; the event is kept. A repeated call does nothing. Refuses as addMeeting.
 */
export async function removeMeeting(actor: Actor, input: GroupMeetingId): Promise<GroupMeetingId> {
  requireGroupWriter(actor)
  const { groupId, workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireGroup(tx, actor, groupId)
    await tx.delete(groupMeeting).where(and(eq(groupMeeting.groupId, groupId), eq(groupMeeting.workshopId, workshopId)))
    return { groupId, workshopId }
  })
}

/** Meetings of a group by time, at most 100, with the number of members who attended. Refuses with forbidden, not_found. */
export async function listMeetings(actor: Actor, input: GroupMeetings): Promise<Meeting[]> {
  const { groupId } = input
  return inTenant(actor, async (tx) => {
    const [, meetings] = await Promise.all([requireGroup(tx, actor, groupId), loadMeetings(tx, groupId)])
    return meetings
  })
}

/** The same inside a transaction; the caller checks the permission. */
export async function loadMeetings(tx: Tx, groupId: string): Promise<Meeting[]> {
  const { rows } = await tx.execute<Omit<Meeting, 'startAt'> & { startAt: string | null }>(sql`
    select w.id as "workshopId", w.title, w.type, w.start_at as "startAt", w.time_zone as "timeZone",
      (w.canceled_at is null and (
        exists (select 1 from workshop_session s where s.tenant_id = w.tenant_id and s.workshop_id = w.id
          and s.kind <> 'rehearsal' and s.finished_at is not null)
        or coalesce(w.start_at + make_interval(mins => w.planned_minutes) <= now(), false))) as "isOver",
      (select count(*)::int from enrolled_grants() a where a.source_type = 'group'
        and a.source_id = g.group_id and ${isPresent}) as present
    from group_meeting g join workshop w on w.tenant_id = g.tenant_id and w.id = g.workshop_id
    where g.tenant_id = current_tenant() and g.group_id = ${groupId} and w.deleted_at is null
    order by w.start_at nulls last, w.id limit ${MAX_MEETINGS}`)
  return rows.map(({ startAt, ...row }) => ({ ...row, startAt: startAt ? new Date(startAt) : null }))
}

/** Whether the student of grant `a` took part in event `w`: as a member, or with the link of the registration. */
export const tookPart = sql`(exists (select 1 from workshop_participant p
    where p.tenant_id = w.tenant_id and p.workshop_id = w.id and p.member_id = a.student_id)
  or exists (select 1 from registration r where r.tenant_id = w.tenant_id and r.workshop_id = w.id
    and r.first_joined_at is not null and (r.member_id = a.student_id or r.email = (select s.email from student s
      where s.tenant_id = a.tenant_id and s.id = a.student_id))))`

const isPresent = sql`coalesce((select k.is_present from attendance_mark k where k.tenant_id = w.tenant_id
  and k.group_id = g.group_id and k.workshop_id = w.id and k.student_id = a.student_id), ${tookPart})`

/** Events that can become meetings of a group, the newest 100. Refuses with forbidden, not_found. */
export async function listLinkableEvents(actor: Actor, input: GroupMeetings) {
  const { groupId } = input
  return inTenant(actor, async (tx) => {
    const listing = tx.execute<{ workshopId: string; title: string; startAt: string | null }>(sql`
      select w.id as "workshopId", w.title, w.start_at as "startAt" from workshop w
      where w.tenant_id = current_tenant() and w.deleted_at is null and w.archived_at is null and w.canceled_at is null
        and not exists (select 1 from group_meeting g where g.tenant_id = w.tenant_id and g.workshop_id = w.id
          and g.group_id = ${groupId})
      order by w.start_at desc nulls last, w.id desc limit ${MAX_EVENTS}`)
    const [, { rows }] = await Promise.all([requireGroup(tx, actor, groupId), listing])
    return rows.map(({ startAt, ...row }) => ({ ...row, startAt: startAt ? new Date(startAt) : null }))
  })
}
