import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessGrant, studyGroup } from '../learning/table.ts'
import { isAssigned, requireAllowed, requireCourseViewer, requireLearningPlan } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { CourseId } from '../schema.ts'
import { course } from '../table.ts'
import { changeAccess } from './change-access.ts'
import { requireStudentManager } from './grants.ts'
import { CreateGroup, GroupId, GroupMember, UpdateGroup } from './schema.ts'

type GroupStatus = 'planned' | 'running' | 'finished' | 'archived'

export interface StudyGroup {
  id: string
  name: string
  startAt: Date
  endAt: Date | null
  timeZone: string
  archivedAt: Date | null
  status: GroupStatus
  members: number
}

/** Study groups of a course, by start, latest first. Refuses with forbidden, not_found. */
export async function listGroups(actor: Actor, input: { courseId: string }): Promise<StudyGroup[]> {
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    return loadGroups(tx, courseId)
  })
}

/** The same inside a transaction. The caller checks the permission. */
export async function loadGroups(tx: Tx, courseId: string): Promise<StudyGroup[]> {
  const { id, name, startAt, endAt, timeZone, archivedAt } = studyGroup
  const rows = await tx
    .select({
      id,
      name,
      startAt,
      endAt,
      timeZone,
      archivedAt,
      members: sql<number>`(select count(*) from access_grant g where g.tenant_id = study_group.tenant_id
        and g.course_id = ${courseId} and g.source_type = 'group' and g.source_id = study_group.id
        and g.revoked_at is null)`.mapWith(Number),
    })
    .from(studyGroup)
    .where(eq(studyGroup.courseId, courseId))
    .orderBy(sql`${archivedAt} is not null`, desc(startAt), desc(id))
    .limit(200)
  const now = new Date()
  return rows.map((row) => ({ ...row, status: groupStatusOf(row, now) }))
}

/**
 * Creates a study group; its members have access from its start to its end. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function createGroup(actor: Actor, input: CreateGroup): Promise<{ groupId: string }> {
  const { courseId, name, ...dates } = CreateGroup.parse(input)
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, courseId)
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    const [created] = await tx
      .insert(studyGroup)
      .values({ tenantId: actor.tenantId, courseId, name, ...parseDates(dates) })
      .returning({ groupId: studyGroup.id })
    if (!created) throw new Refusal('not_found')
    return created
  })
}

/** Changes the name and dates of a group; the access of its members follows. Refuses as createGroup. */
export async function updateGroup(actor: Actor, input: UpdateGroup): Promise<{ groupId: string }> {
  const { groupId, name, ...dates } = UpdateGroup.parse(input)
  return changeGroup(actor, groupId, { name, ...parseDates(dates) })
}

/** Archives a group: nobody can join it, its members keep their access. Refuses as createGroup. */
export async function archiveGroup(actor: Actor, input: { groupId: string }): Promise<{ groupId: string }> {
  return changeGroup(actor, GroupId.parse(input).groupId, { archivedAt: new Date() })
}

/** Restores an archived group. Refuses as createGroup. */
export async function restoreGroup(actor: Actor, input: { groupId: string }): Promise<{ groupId: string }> {
  return changeGroup(actor, GroupId.parse(input).groupId, { archivedAt: null })
}

/**
 * Adds a student to a group by a grant whose source is the group. A second call does nothing. Refuses as changeAccess.
 */
export async function addToGroup(actor: Actor, input: { groupId: string; studentId: string }) {
  requireStaffWriter(actor)
  const { groupId, studentId } = GroupMember.parse(input)
  return inTenant(actor, async (tx) => {
    const courseId = await courseIdOfGroup(tx, groupId)
    const change = { act: 'addToGroup', groupId } as const
    return changeAccess(actor, { courseId, target: { studentIds: [studentId] }, change })
  })
}

/** Revokes the group's grant of a student; other grants stay. Refuses as changeAccess. */
export async function removeFromGroup(actor: Actor, input: { groupId: string; studentId: string }) {
  requireStaffWriter(actor)
  const { groupId, studentId } = GroupMember.parse(input)
  return inTenant(actor, async (tx) => {
    const courseId = await courseIdOfGroup(tx, groupId)
    await requireStudentManager(tx, actor, courseId)
    const [grant] = await tx
      .select({ id: accessGrant.id })
      .from(accessGrant)
      .where(
        and(
          eq(accessGrant.studentId, studentId),
          eq(accessGrant.sourceType, 'group'),
          eq(accessGrant.sourceId, groupId),
          isNull(accessGrant.revokedAt),
        ),
      )
    if (!grant) throw new Refusal('not_found')
    const target = { studentIds: [studentId], grantIds: [grant.id] }
    return changeAccess(actor, { courseId, target, change: { act: 'revoke' } })
  })
}

async function changeGroup(actor: Actor, groupId: string, change: Partial<typeof studyGroup.$inferInsert>) {
  requireStaffWriter(actor)
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, await courseIdOfGroup(tx, groupId))
    await tx.update(studyGroup).set(change).where(eq(studyGroup.id, groupId))
    return { groupId }
  })
}

/** Checked before the group is looked up, so that only staff learn whether it exists. */
function requireStaffWriter(actor: Actor): void {
  requireCourseViewer(actor)
  requireLearningPlan(actor)
}

async function courseIdOfGroup(tx: Tx, groupId: string): Promise<string> {
  const [row] = await tx.select({ courseId: studyGroup.courseId }).from(studyGroup).where(eq(studyGroup.id, groupId))
  if (!row) throw new Refusal('not_found')
  return row.courseId
}

function parseDates({ startAt, endAt, timeZone }: { startAt: string; endAt: string | null; timeZone: string }) {
  return { startAt: new Date(startAt), endAt: endAt === null ? null : new Date(endAt), timeZone }
}

function groupStatusOf({ startAt, endAt, archivedAt }: Omit<StudyGroup, 'status' | 'members'>, now: Date): GroupStatus {
  if (archivedAt) return 'archived'
  if (startAt > now) return 'planned'
  return endAt && endAt <= now ? 'finished' : 'running'
}
