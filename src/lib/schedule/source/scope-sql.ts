import { type SQL, sql } from 'drizzle-orm'
import type { ScheduleFilters, ScheduleViewer } from '#lib/core/calendar/schedule-source.ts'
import { scheduleScope } from '../rules.ts'

/** Condition on events `w` that the actor may see; null for none. */
export function visibleEvents(actor: ScheduleViewer): SQL | null {
  const { membershipId, email } = actor
  switch (scheduleScope(actor)) {
    case 'all':
      return sql`true`
    case 'assigned':
      return sql`(exists (select 1 from workshop_staff ws where ws.tenant_id = w.tenant_id and ws.workshop_id = w.id
          and ws.member_id = ${membershipId})
        or exists (select 1 from group_meeting gm
          join study_group g on g.tenant_id = gm.tenant_id and g.id = gm.group_id
          join course_staff cs on cs.tenant_id = g.tenant_id and cs.course_id = g.course_id
          where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id and cs.member_id = ${membershipId}))`
    case 'student':
      return sql`w.publication = 'published' and (exists (select 1 from registration r
          where r.tenant_id = w.tenant_id and r.workshop_id = w.id and (r.member_id = ${membershipId} or r.email = ${email})
            and r.state in ('confirmed', 'pending', 'waitlisted'))
        or exists (select 1 from group_meeting gm
          join enrolled_grants() a on a.source_type = 'group' and a.source_id = gm.group_id
          where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id and a.student_id = ${membershipId}))`
    case 'notes':
      return null
  }
}

/** Condition on events `w` by the filters of the page. */
export function filteredEvents({ courseId, groupId, personId }: ScheduleFilters): SQL {
  const conditions = [
    courseId &&
      sql`exists (select 1 from group_meeting gm join study_group g on g.tenant_id = gm.tenant_id and g.id = gm.group_id
        where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id and g.course_id = ${courseId})`,
    groupId &&
      sql`exists (select 1 from group_meeting gm where gm.tenant_id = w.tenant_id and gm.workshop_id = w.id
        and gm.group_id = ${groupId})`,
    personId &&
      sql`exists (select 1 from workshop_staff ws where ws.tenant_id = w.tenant_id and ws.workshop_id = w.id
        and ws.member_id = ${personId})`,
  ].filter((condition) => condition !== undefined && condition !== '')
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/** Condition on a column with the id of a course that the actor sees as staff. */
export function staffCourses(actor: ScheduleViewer, courseId: SQL): SQL {
  if (scheduleScope(actor) === 'all') return sql`true`
  return sql`exists (select 1 from course_staff cs where cs.tenant_id = current_tenant()
    and cs.course_id = ${courseId} and cs.member_id = ${actor.membershipId})`
}
