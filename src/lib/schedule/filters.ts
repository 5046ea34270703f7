import { sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { scheduleScope } from './rules.ts'
import { staffCourses } from './source/scope-sql.ts'

/** Maximum number of options of a filter. */
const MAX_OPTIONS = 200

interface FilterOption {
  value: string
  label: string
}

interface OptionRow extends FilterOption, Record<string, unknown> {
  type: keyof ScheduleOptions
  value: string
  label: string
}

export interface ScheduleOptions {
  courses: FilterOption[]
  groups: FilterOption[]
  people: FilterOption[]
}

/** Courses, groups and team members by which the actor can filter the schedule. */
export async function loadScheduleOptions(actor: Actor): Promise<ScheduleOptions> {
  const scope = scheduleScope(actor)
  if (scope === 'notes') return { courses: [], groups: [], people: [] }
  const own = (column: 'course_id' | 'source_id') =>
    sql`select a.${sql.identifier(column)} from enrolled_grants() a
      where a.student_id = ${actor.membershipId}`
  const isStudent = scope === 'student'
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<OptionRow>(sql`
      (select 'courses' as type, c.id as value, c.title as label from course c
        where c.tenant_id = current_tenant() and c.status <> 'archived'
          and ${isStudent ? sql`c.id in (${own('course_id')})` : staffCourses(actor, sql`c.id`)}
        order by c.title, c.id limit ${MAX_OPTIONS})
      union all
      (select 'groups', g.id, g.name from study_group g
        where g.tenant_id = current_tenant() and g.archived_at is null
          and ${isStudent ? sql`g.id in (${own('source_id')})` : staffCourses(actor, sql`g.course_id`)}
        order by g.start_at desc, g.id limit ${MAX_OPTIONS})
      union all
      (select 'people', m.id, ${personNameIn('u')}
        from membership m join "user" u on u.id = m.user_id
        where m.tenant_id = current_tenant() and m.account_type <> 'ACCOUNT_TYPE_STUDENT' and m.blocked_at is null
          and ${!isStudent}
        order by u.last_name, u.first_name, m.id limit ${MAX_OPTIONS})`),
  )
  const ofType = (type: keyof ScheduleOptions) =>
    rows.filter((row) => row.type === type).map(({ value, label }) => ({ value, label }))
  return { courses: ofType('courses'), groups: ofType('groups'), people: ofType('people') }
}
