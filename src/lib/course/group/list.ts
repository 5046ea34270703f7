import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf } from '#lib/core/db/keyset.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { GROUP_COLORS } from '#lib/core/shared/learning.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { requireAllowed, requireCourseViewer } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import type { StudyGroup } from './group.ts'
import { canSeeAllGroups, type GroupStatus, groupStatusOf } from './rules.ts'
import type { GroupId, ListAllGroups } from './schema.ts'

export interface GroupListRow extends StudyGroup {
  courseId: string
  courseTitle: string
  curators: { memberId: string; name: string }[]
}

/**
 * Groups of all courses that the actor may see, by start, latest first; of a curator those of the assigned courses.
 * Refuses with forbidden.
 */
export async function listAllGroups(
  actor: Actor,
  input: ListAllGroups,
): Promise<{ items: GroupListRow[]; next: string | null }> {
  requireCourseViewer(actor)
  const { q, status, courseId, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  const search = matchesSearch(q, sql`g.name`, sql`c.title`)
  const conditions = [
    sql`g.tenant_id = current_tenant()`,
    status ? STATUS_CONDITIONS[status] : sql`g.archived_at is null`,
    ...(courseId ? [sql`g.course_id = ${courseId}`] : []),
    ...(search ? [search] : []),
    ...(after ? [sql`(g.start_at, g.id) < (${startOf(after.at)}, ${after.id}::uuid)`] : []),
    ...(canSeeAllGroups(actor).allow ? [] : [ofAssignedCourses(actor)]),
  ]
  return inTenant(actor, async (tx) => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select ${GROUP_FIELDS} from study_group g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
      where ${sql.join(conditions, sql` and `)} order by g.start_at desc, g.id desc limit ${limit + 1}`)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    const now = new Date()
    return {
      items: rows.slice(0, limit).map((row) => groupOf(row, now)),
      next: last ? writeCursor(InstantKey, { at: String(last.start_key), id: String(last.id) }) : null,
    }
  })
}

/** A group with its course and curators. Refuses with forbidden, not_found. */
export async function getGroup(actor: Actor, input: GroupId): Promise<GroupListRow> {
  requireCourseViewer(actor)
  const { groupId } = input
  return inTenant(actor, (tx) => requireGroup(tx, actor, groupId))
}

/**
 * The group when the actor may manage its members. Refuses with forbidden, not_found. One statement.
 */
export async function requireGroup(tx: Tx, actor: Actor, groupId: string): Promise<GroupListRow> {
  requireCourseViewer(actor)
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select ${GROUP_FIELDS}, ${ofAssignedCourses(actor)} as assigned
    from study_group g join course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    where g.tenant_id = current_tenant() and g.id = ${groupId}`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  requireAllowed(canManageStudents(actor, hasRole(actor, ['CURATOR']) && row.assigned === true))
  return groupOf(row, new Date())
}

const ofAssignedCourses = ({ membershipId }: Actor): SQL =>
  sql`exists (select 1 from course_staff cs where cs.tenant_id = g.tenant_id and cs.course_id = g.course_id
    and cs.member_id = ${membershipId})`

const startOf = (microseconds: string): SQL => sql`to_timestamp(${microseconds}::numeric / 1000000)`

const STATUS_CONDITIONS: Record<GroupStatus, SQL> = {
  archived: sql`g.archived_at is not null`,
  finished: sql`g.archived_at is null and (g.finished_at is not null or g.end_at <= now())`,
  planned: sql`g.archived_at is null and g.finished_at is null and g.start_at > now()`,
  running: sql`g.archived_at is null and g.finished_at is null and g.start_at <= now()
    and (g.end_at is null or g.end_at > now())`,
}

// Curators who are no longer on the staff of the course are omitted.
const GROUP_FIELDS = sql`g.id, g.name, g.start_at as "startAt", g.end_at as "endAt", g.time_zone as "timeZone", g.seats,
  g.schedule_offset_days as "scheduleOffsetDays", g.color, g.finished_at as "finishedAt", g.archived_at as "archivedAt",
  g.revision, g.course_id as "courseId", c.title as "courseTitle",
  ${microsecondsOf(sql`g.start_at`)} as start_key,
  (select count(*)::int from enrolled_grants() a where a.source_type = 'group' and a.source_id = g.id) as members,
  (select coalesce(jsonb_agg(jsonb_build_object('memberId', m.id, 'name',
      ${personNameIn('u')}) order by u.last_name, m.id), '[]')
    from study_group_curator sc join membership m on m.tenant_id = sc.tenant_id and m.id = sc.member_id
    join "user" u on u.id = m.user_id
    where sc.tenant_id = g.tenant_id and sc.group_id = g.id and exists (select 1 from course_staff cs
      where cs.tenant_id = sc.tenant_id and cs.course_id = g.course_id and cs.member_id = sc.member_id)) as curators`

const moment = z.coerce.date().nullable()
const StoredGroup = z.object({
  id: z.string(),
  name: z.string(),
  startAt: z.coerce.date(),
  endAt: moment,
  timeZone: z.string(),
  seats: z.number().nullable(),
  scheduleOffsetDays: z.number(),
  color: z.enum(GROUP_COLORS).nullable(),
  finishedAt: moment,
  archivedAt: moment,
  revision: z.number(),
  members: z.number(),
  courseId: z.string(),
  courseTitle: z.string(),
  curators: z.array(z.object({ memberId: z.string(), name: z.string() })),
})

function groupOf(row: Record<string, unknown>, now: Date): GroupListRow {
  const group = parseStored(StoredGroup, row)
  return { ...group, status: groupStatusOf(group, now) }
}
