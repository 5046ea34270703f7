import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { matchesEither, matchesPhone, matchesSearch } from '#lib/core/db/search.ts'
import { NameKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { type AccessPreview, changeAccess, previewAccess } from '../access/change-access.ts'
import type { ChangeAccess } from '../access/schema.ts'
import { requireGroupWriter } from './group.ts'
import { requireGroup } from './list.ts'
import { canSearchAllStudents } from './rules.ts'
import type { ChangeMembers, FindCandidates, GroupMember, ListMembers } from './schema.ts'

export interface GroupMemberRow {
  studentId: string
  /** Empty when only the email address is known. */
  name: string
  email: string
  status: string
  joinedAt: Date
  endsAt: Date | null
  completed: number
  total: number
  lastOpenedAt: Date | null
}

const MAX_CANDIDATES = 20

/** Members of a group with their progress in its course, by name. Refuses with forbidden, not_found. */
export async function listMembers(
  actor: Actor,
  input: ListMembers,
): Promise<{ items: GroupMemberRow[]; next: string | null }> {
  const { groupId, q, cursor, limit } = input
  const after = readCursor(NameKey, cursor)
  return inTenant(actor, async (tx) => {
    const later = after ? sql`and (${SORT_NAME}, s.id) > (${after.name}, ${after.id}::uuid)` : sql``
    const listing = tx.execute<Record<string, unknown>>(sql`
      select s.id as "studentId", s.name, s.email, s.status, a.starts_at as "joinedAt", a.ends_at as "endsAt",
        c.published_lesson_count as total, ${SORT_NAME} as sort_name, p.completed, p.opened as "lastOpenedAt"
      from enrolled_grants() a
      join student s on s.tenant_id = a.tenant_id and s.id = a.student_id
      join course c on c.tenant_id = a.tenant_id and c.id = a.course_id
      cross join lateral (
        select count(*) filter (where lp.completed_at is not null and l.published_version is not null
            and not l.hidden and not m.hidden and l.deleted_at is null and m.deleted_at is null)::int as completed,
          max(lp.last_opened_at) as opened
        from lesson_progress lp
        join lesson l on l.tenant_id = lp.tenant_id and l.id = lp.lesson_id
        join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
        where lp.tenant_id = a.tenant_id and lp.course_id = a.course_id and lp.student_id = a.student_id) p
      where a.source_type = 'group' and a.source_id = ${groupId} ${matchesQuery(q)} ${later}
      order by ${SORT_NAME}, s.id limit ${limit + 1}`)
    const [, { rows }] = await Promise.all([requireGroup(tx, actor, groupId), listing])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map((row) => parseStored(StoredMember, row)),
      next: last ? writeCursor(NameKey, { name: String(last.sort_name), id: String(last.studentId) }) : null,
    }
  })
}

const SORT_NAME = sql`s.sort_name collate natural_order`

const moment = z.coerce.date().nullable()
const StoredMember = z.object({
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.string(),
  joinedAt: z.coerce.date(),
  endsAt: moment,
  completed: z.number(),
  total: z.number(),
  lastOpenedAt: moment,
})

/**
 * Up to 20 students who are not in the group, by name: of the school for its administrators, else of the course. Refuses
 * with forbidden, not_found.
 */
export async function findCandidates(actor: Actor, input: FindCandidates) {
  const { groupId, q } = input
  return inTenant(actor, async (tx) => {
    const { courseId } = await requireGroup(tx, actor, groupId)
    const ofCourse = canSearchAllStudents(actor).allow
      ? sql``
      : sql`and exists (select 1 from access_grant a where a.tenant_id = s.tenant_id and a.student_id = s.id
          and a.course_id = ${courseId})`
    const { rows } = await tx.execute<{ studentId: string; name: string; email: string }>(sql`
      select s.id as "studentId", s.name, s.email from student s
      where s.tenant_id = current_tenant() and s.deleted_at is null and s.anonymized_at is null ${matchesQuery(q)} ${ofCourse}
        and not exists (select 1 from enrolled_grants() a where a.student_id = s.id
          and a.source_type = 'group' and a.source_id = ${groupId})
      order by ${SORT_NAME}, s.id limit ${MAX_CANDIDATES}`)
    return rows.map(({ studentId, name, email }) => ({ studentId, name, email }))
  })
}

function matchesQuery(q: string): SQL {
  const condition = matchesEither(matchesSearch(q, sql`s.search`), matchesPhone(q, sql`s.phone`))
  return condition ? sql`and ${condition}` : sql``
}

/**
 * Previews an addition, move or removal: what opens and what closes for each student. Refuses as changeMembers.
 */
export async function previewMembers(actor: Actor, change: ChangeMembers): Promise<AccessPreview> {
  requireGroupWriter(actor)
  return inTenant(actor, async (tx) => previewAccess(actor, await accessChangeOf(tx, actor, change)))
}

/**
 * Adds, moves or removes students of a group; undoAccess undoes it. A second call does nothing. Refuses with forbidden,
 * plan_inactive, not_found, unprocessable (course_archived, group_full, group_finished).
 */
export async function changeMembers(
  actor: Actor,
  change: ChangeMembers,
): Promise<{ changeId: string; students: number }> {
  requireGroupWriter(actor)
  return inTenant(actor, async (tx) => {
    const { name } = await requireGroup(tx, actor, change.groupId)
    const request = await accessChangeOf(tx, actor, change)
    const result = await changeAccess(actor, request)
    const joined = change.action === 'move' ? await requireGroup(tx, actor, change.toGroupId) : null
    await recordAuditEntry(tx, actor, {
      action: 'group.members_changed',
      objectId: change.groupId,
      objectName: name,
      after: {
        change: request.change.action,
        students: change.studentIds.length,
        ...(joined ? { group: joined.name } : {}),
      },
    })
    return result
  })
}

/** Adds one student to a group. Refuses as changeMembers. */
export function addToGroup(actor: Actor, input: z.infer<typeof GroupMember>) {
  const { groupId, studentId } = input
  return changeMembers(actor, { action: 'add', groupId, studentIds: [studentId] })
}

/** Revokes the group's grant of a student; other grants stay. Refuses as changeMembers. */
export function removeFromGroup(actor: Actor, input: z.infer<typeof GroupMember>) {
  const { groupId, studentId } = input
  return changeMembers(actor, { action: 'remove', groupId, studentIds: [studentId] })
}

async function accessChangeOf(
  tx: Parameters<typeof requireGroup>[0],
  actor: Actor,
  change: ChangeMembers,
): Promise<ChangeAccess> {
  const { courseId } = await requireGroup(tx, actor, change.groupId)
  const request = { courseId, target: { studentIds: change.studentIds }, note: '' }
  switch (change.action) {
    case 'add':
      return { ...request, change: { action: 'addToGroup', groupId: change.groupId } }
    case 'remove':
      return { ...request, change: { action: 'removeFromGroup', groupId: change.groupId } }
    case 'move':
      if (change.toGroupId === change.groupId) throw new Refusal('invalid', { fields: { toGroupId: ['format'] } })
      return {
        ...request,
        change: { action: 'moveToGroup', fromGroupId: change.groupId, groupId: change.toGroupId },
      }
  }
}
