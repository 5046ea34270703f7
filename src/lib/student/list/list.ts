import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { PLANNED_EACH_TIME } from '#lib/core/db/pipelined-client.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { StudentStatus } from '#lib/core/shared/learning.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { canManageAllStudents } from '../rules.ts'
import { filterSql, SORT_KEYS } from './filter-sql.ts'
import type { ListStudents, StudentFilter } from './schema.ts'

export interface StudentRow {
  id: string
  /** Empty when only the email address is known. */
  name: string
  /** Surname, given name and patronymic. */
  formalName: string
  lastName: string
  firstName: string
  patronymic: string | null
  email: string
  phone: string | null
  status: StudentStatus
  blockedAt: Date | null
  deletedAt: Date | null
  createdAt: Date
  lastActiveAt: Date | null
  /** Percent of the lessons of all courses with access; null without a course. */
  progress: number | null
  overdueCount: number
  tags: string[]
  /** Values of custom fields by field id. */
  fields: Record<string, string>
  /** Titles of the courses with access, by title. */
  courses: string[]
  courseCount: number
}

export interface StudentPage {
  items: StudentRow[]
  next: string | null
}

/** Counting stops at this number: the cost of a page does not grow with the school. */
const COUNT_LIMIT = 5000
const JOINED_COUNT_LIMIT = 1000
const SEARCH_COUNT_LIMIT = 500

/** How many students of a filter are counted: the more expensive a row of it is, the fewer. */
export function countLimitOf({ q, courseId, groupId, tag, field }: z.input<typeof StudentFilter>): number {
  if (q) return SEARCH_COUNT_LIMIT
  return courseId || groupId || tag || field ? JOINED_COUNT_LIMIT : COUNT_LIMIT
}

const StudentKey = z.object({ sort: z.string(), key: z.string().max(600), id: z.uuid() })

/** A page of the school's students. Refuses with forbidden, not_found (a course or group of the filter), invalid (a cursor of another sort). */
export function listStudents(actor: Actor, input: ListStudents): Promise<StudentPage> {
  requireStudentAdministrator(actor)
  const { sort, descending, cursor, limit, ...filter } = input
  const after = readCursor(StudentKey, cursor)
  if (after && after.sort !== sort) throw new Refusal('invalid', { fields: { cursor: ['format'] } })
  const { key, type, descends } = SORT_KEYS[sort]
  const direction = sql.raw((descending ?? descends) ? 'desc' : 'asc')
  const comparison = sql.raw((descending ?? descends) ? '<' : '>')
  const { from, where } = filterSql(filter)
  const later = after ? sql`and (${key}, s.id) ${comparison} (${after.key}::${type}, ${after.id}::uuid)` : sql``
  return inTenant(actor, async (tx) => {
    // The page is selected within an index of the sort order; only its rows are read from the table.
    const listing = tx.execute<Record<string, unknown>>(sql`
      select ${PLANNED_EACH_TIME} p.id, p.key, s.name, s.formal_name as "formalName", u.last_name as "lastName",
        u.first_name as "firstName", u.patronymic, s.email, s.phone, s.status, s.blocked_at as "blockedAt",
        s.deleted_at as "deletedAt", s.created_at as "createdAt", s.last_active_at as "lastActiveAt", s.progress,
        s.overdue_count as "overdueCount",
        array(select t.tag from student_tag t where t.tenant_id = current_tenant() and t.student_id = p.id
          order by t.tag) as tags,
        coalesce((select jsonb_object_agg(v.field_id, v.value) from student_field_value v
          where v.tenant_id = current_tenant() and v.student_id = p.id), '{}') as fields,
        courses.titles as courses, coalesce(cardinality(courses.titles), 0) as "courseCount"
      from (
        select s.id, (${key})::text as key, ${key} as sort_key from ${from} where ${where} ${later}
        order by ${key} ${direction}, s.id ${direction} limit ${limit + 1}) p
      join student s on s.tenant_id = current_tenant() and s.id = p.id
      join "user" u on u.id = s.user_id
      left join lateral (
        select array_agg(c.title order by c.title) as titles from course c
        where c.tenant_id = current_tenant() and c.id in (
          select g.course_id from enrolled_grants() g where g.student_id = p.id)) courses on true
      order by p.sort_key ${direction}, p.id ${direction}`)
    const [{ rows }] = await Promise.all([listing, requireFilterRows(tx, filter)])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map((row) => parseStored(StoredRow, row)),
      next: last ? writeCursor(StudentKey, { sort, key: String(last.key), id: String(last.id) }) : null,
    }
  })
}

const moment = z.coerce.date().nullable()
const StoredRow = z.object({
  id: z.string(),
  name: z.string(),
  formalName: z.string(),
  lastName: z.string(),
  firstName: z.string(),
  patronymic: z.string().nullable(),
  email: z.string(),
  phone: z.string().nullable(),
  status: z.custom<StudentStatus>(),
  blockedAt: moment,
  deletedAt: moment,
  createdAt: z.coerce.date(),
  lastActiveAt: moment,
  progress: z.number().nullable(),
  overdueCount: z.number(),
  tags: z.array(z.string()),
  fields: z.record(z.string(), z.string()),
  courses: z
    .array(z.string())
    .nullable()
    .transform((titles) => titles ?? []),
  courseCount: z.number(),
})

/**
 * The number of students that a filter selects, at most one more than `countLimitOf` unless `exact`. Refuses as
 * listStudents.
 */
export function countMatching(
  actor: Actor,
  filter: StudentFilter,
  { exact = false }: { exact?: boolean } = {},
): Promise<number> {
  requireStudentAdministrator(actor)
  const { from, where } = filterSql(filter)
  const limit = exact ? sql`` : sql`limit ${countLimitOf(filter) + 1}`
  return inTenant(actor, async (tx) => {
    const counting = tx.execute<{ students: number }>(
      sql`select ${PLANNED_EACH_TIME} count(*)::int as students from (select 1 from ${from} where ${where} ${limit}) m`,
    )
    const [{ rows }] = await Promise.all([counting, requireFilterRows(tx, filter)])
    return rows[0]?.students ?? 0
  })
}

/** Refuses with not_found when the course or group of a filter belongs to another tenant. */
async function requireFilterRows(tx: Tx, { courseId, groupId }: StudentFilter): Promise<void> {
  if (!courseId && !groupId) return
  const { rows } = await tx.execute<{ known: boolean }>(sql`select
    ${courseId ? sql`exists (select 1 from course where tenant_id = current_tenant() and id = ${courseId})` : sql`true`}
    and ${groupId ? sql`exists (select 1 from study_group where tenant_id = current_tenant() and id = ${groupId})` : sql`true`}
    as known`)
  if (!rows[0]?.known) throw new Refusal('not_found')
}

export interface SeatUsage {
  used: number
  max: number
}

/** The used part of `student_count`, counted as for invitations; null without a limit. Refuses with forbidden. */
export async function getSeatUsage(actor: Actor, now = new Date()): Promise<SeatUsage | null> {
  requireStudentAdministrator(actor)
  const max = limitOf(actor, 'student_count', now)
  if (max === null) return null
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<{ used: number }>(sql`select count(*)::int as used from (
      select 1 from student where tenant_id = current_tenant() and blocked_at is null limit ${max + COUNT_LIMIT}) m`)
    return { used: rows[0]?.used ?? 0, max }
  })
}

/** Refuses with forbidden unless the actor may see and change all students of the tenant. */
export function requireStudentAdministrator(actor: Actor): void {
  if (!canManageAllStudents(actor).allow) throw new Refusal('forbidden')
}
