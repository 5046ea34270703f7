import { type SQL, sql } from 'drizzle-orm'
import { matchesEither, matchesIndexedText, matchesPhone } from '#lib/core/db/search.ts'
import type { StudentFilter, StudentSort } from './schema.ts'

/** The SQL of a sort order: the indexed expression of `student s` and the type of its value in a cursor. */
export const SORT_KEYS: Record<StudentSort, { key: SQL; type: SQL; descends: boolean }> = {
  created: { key: sql`s.created_at`, type: sql`timestamptz`, descends: true },
  name: {
    key: sql`s.sort_name collate natural_order`,
    type: sql`text`,
    descends: false,
  },
  surname: {
    key: sql`s.sort_surname collate natural_order`,
    type: sql`text`,
    descends: false,
  },
  active: { key: sql`s.sort_active_at`, type: sql`timestamptz`, descends: true },
  progress: { key: sql`s.sort_progress`, type: sql`int`, descends: true },
  overdue: { key: sql`s.overdue_count`, type: sql`int`, descends: true },
}

/**
 * The rows that a filter selects: `from` and `where` without the keywords, with the student as `s`. A rare name is
 * found by the trigram index of `user`, which row-level security does not hide from the planner, a common one while the
 * index of the sort is walked.
 */
export function filterSql(filter: StudentFilter): { from: SQL; where: SQL } {
  const conditions = [
    sql`s.tenant_id = current_tenant() and s.anonymized_at is null`,
    statusCondition(filter.status),
    filter.courseId ? sql`exists (${currentGrants} and g.course_id = ${filter.courseId})` : undefined,
    filter.groupId
      ? sql`exists (${currentGrants} and g.source_type = 'group' and g.source_id = ${filter.groupId})`
      : undefined,
    filter.tag
      ? sql`exists (select 1 from student_tag t where t.tenant_id = current_tenant() and t.student_id = s.id
          and t.tag = ${filter.tag})`
      : undefined,
    filter.field ? fieldCondition(filter.field) : undefined,
    filter.progress ? PROGRESS[filter.progress] : undefined,
    filter.activity ? ACTIVITY[filter.activity] : undefined,
    filter.overdue ? sql`s.overdue_count > 0` : undefined,
    searchCondition(filter.q),
  ].filter((condition) => condition !== undefined)
  const from = filter.q === '' ? sql`student s` : sql`student s join "user" u on u.id = s.user_id`
  return { from, where: sql.join(conditions, sql` and `) }
}

const currentGrants = sql`select 1 from enrolled_grants() g where g.student_id = s.id`

function fieldCondition(field: string): SQL {
  const [fieldId, value] = [field.slice(0, 36), field.slice(37)]
  return sql`exists (select 1 from student_field_value v where v.tenant_id = current_tenant() and v.student_id = s.id
    and v.field_id = ${fieldId} and v.value = ${value})`
}

function statusCondition(status: StudentFilter['status']): SQL {
  if (status === 'deleted') return sql`s.deleted_at is not null`
  if (status === 'blocked') return sql`s.deleted_at is null and s.blocked_at is not null`
  const isNotDeleted = sql`s.deleted_at is null`
  return status ? sql`${isNotDeleted} and s.blocked_at is null and s.status = ${status}` : isNotDeleted
}

const PROGRESS: Record<NonNullable<StudentFilter['progress']>, SQL> = {
  noCourse: sql`s.sort_progress = -1`,
  notStarted: sql`s.sort_progress = 0`,
  started: sql`s.sort_progress between 1 and 99`,
  finished: sql`s.sort_progress = 100`,
}

const ACTIVITY: Record<NonNullable<StudentFilter['activity']>, SQL> = {
  active7: sql`s.sort_active_at >= now() - interval '7 days'`,
  inactive7: sql`s.sort_active_at < now() - interval '7 days'`,
  inactive14: sql`s.sort_active_at < now() - interval '14 days'`,
  inactive30: sql`s.sort_active_at < now() - interval '30 days'`,
  never: sql`s.sort_active_at = '-infinity'`,
}

/** Words of name and email, or a phone in any spelling. */
const searchCondition = (q: string): SQL | undefined =>
  matchesEither(matchesIndexedText(q, sql`s.search`, sql`u.search_ascii`), matchesPhone(q, sql`u.phone`))
