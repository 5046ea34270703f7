import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays } from '#lib/core/shared/time-zone.ts'
import { changeAccess } from '../access/change-access.ts'
import { requireStudentManager } from '../access/grants.ts'
import { accessOverride, studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { courseIdOfGroup, requireGroupWriter, setCurators } from './group.ts'
import { requireGroup } from './list.ts'
import type { CopyGroup } from './schema.ts'

/**
 * Copies a group for the next cohort: dates moved by calendar days at the same local time, zone, seats, schedule offset,
 * color, curators and the overrides of the group; members only with `withMembers`. A second call with the same id
 * changes nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable (course_archived).
 */
export async function copyGroup(actor: Actor, input: CopyGroup): Promise<{ groupId: string }> {
  requireGroupWriter(actor)
  const { groupId, newGroupId, name, offsetDays, withMembers } = input
  return inTenant(actor, async (tx) => {
    const group = await requireGroup(tx, actor, groupId)
    const { courseId, timeZone, seats, scheduleOffsetDays, color } = group
    await requireStudentManager(tx, actor, courseId)
    await lockCourse(tx, courseId)
    const startAt = addDays(group.startAt, offsetDays, timeZone)
    const endAt = group.endAt && addDays(group.endAt, offsetDays, timeZone)
    const copy = { id: newGroupId, courseId, name, startAt, endAt, timeZone, seats, scheduleOffsetDays, color }
    const created = await tx
      .insert(studyGroup)
      .values({ ...copy, tenantId: actor.tenantId })
      .onConflictDoNothing()
      .returning({ id: studyGroup.id })
    if (created.length === 0) {
      await courseIdOfGroup(tx, newGroupId)
      return { groupId: newGroupId }
    }
    const curatorIds = group.curators.map(({ memberId }) => memberId)
    await setCurators(tx, actor, { courseId, groupId: newGroupId, curatorIds })
    await copyOverrides(tx, actor, { groupId, newGroupId })
    const studentIds = withMembers ? await listMemberIds(tx, groupId) : []
    for (let from = 0; from < studentIds.length; from += MAX_STUDENTS) {
      const target = { studentIds: studentIds.slice(from, from + MAX_STUDENTS) }
      await changeAccess(actor, { courseId, target, change: { action: 'addToGroup', groupId: newGroupId }, note: '' })
    }
    await recordAuditEntry(tx, actor, {
      action: 'group.created',
      objectId: newGroupId,
      objectName: name,
      after: { copyOf: group.name, offsetDays, students: studentIds.length },
    })
    return { groupId: newGroupId }
  })
}

/** Maximum number of students in one change of access. */
const MAX_STUDENTS = 200

async function copyOverrides(
  tx: Tx,
  actor: Actor,
  { groupId, newGroupId }: { groupId: string; newGroupId: string },
): Promise<void> {
  const { courseId, lessonId, effect, days, note } = accessOverride
  const rows = await tx
    .select({ courseId, lessonId, effect, days, note })
    .from(accessOverride)
    .where(and(eq(accessOverride.groupId, groupId), isNull(accessOverride.endedAt)))
  if (rows.length === 0) return
  const { tenantId, membershipId: by } = actor
  await tx.insert(accessOverride).values(rows.map((row) => ({ ...row, tenantId, by, groupId: newGroupId })))
}

async function listMemberIds(tx: Tx, groupId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ student_id: string }>(sql`select student_id from enrolled_grants()
    where source_type = 'group' and source_id = ${groupId} order by student_id`)
  return rows.map(({ student_id }) => student_id)
}
