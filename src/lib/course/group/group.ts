import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { GroupColor } from '#lib/core/shared/learning.ts'
import { requireStudentManager } from '../access/grants.ts'
import { studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { isAssigned, requireAllowed, requireCourseViewer, requireLearningPlan } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { course, courseStaff } from '../table.ts'
import { type GroupStatus, groupStatusOf } from './rules.ts'
import type { CreateGroup, FinishGroup, GroupId, UpdateGroup } from './schema.ts'
import { countMembers } from './seats.ts'
import { studyGroupCurator } from './table.ts'

export interface StudyGroup {
  id: string
  name: string
  startAt: Date
  endAt: Date | null
  timeZone: string
  seats: number | null
  scheduleOffsetDays: number
  color: GroupColor | null
  finishedAt: Date | null
  archivedAt: Date | null
  revision: number
  status: GroupStatus
  members: number
}

/** Study groups of a course, by start, latest first. Refuses with forbidden, not_found. */
export async function listGroups(actor: Actor, input: { courseId: string }): Promise<StudyGroup[]> {
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    return loadGroups(tx, courseId)
  })
}

/** The same inside a transaction. The caller checks the permission. */
export async function loadGroups(tx: Tx, courseId: string): Promise<StudyGroup[]> {
  const rows = await tx
    .select(groupColumns)
    .from(studyGroup)
    .where(eq(studyGroup.courseId, courseId))
    .orderBy(sql`${studyGroup.archivedAt} is not null`, desc(studyGroup.startAt), desc(studyGroup.id))
    .limit(200)
  const now = new Date()
  return rows.map((row) => ({ ...row, status: groupStatusOf(row, now) }))
}

/** Columns of a group with the number of its members. */
const groupColumns = {
  id: studyGroup.id,
  name: studyGroup.name,
  startAt: studyGroup.startAt,
  endAt: studyGroup.endAt,
  timeZone: studyGroup.timeZone,
  seats: studyGroup.seats,
  scheduleOffsetDays: studyGroup.scheduleOffsetDays,
  color: studyGroup.color,
  finishedAt: studyGroup.finishedAt,
  archivedAt: studyGroup.archivedAt,
  revision: studyGroup.revision,
  members: sql<number>`(select count(*) from enrolled_grants() g
    where g.source_type = 'group' and g.source_id = study_group.id)`.mapWith(Number),
}

/**
 * Creates a study group; its members have access from its start to its end. A second call with the same id changes
 * nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable (staff_unknown: a curator who is not on the
 * staff of the course).
 */
export async function createGroup(actor: Actor, input: CreateGroup): Promise<{ groupId: string }> {
  const { courseId, groupId = newId(), curatorIds = [], ...values } = input
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, courseId)
    await lockCourse(tx, courseId)
    const created = await tx
      .insert(studyGroup)
      .values({ tenantId: actor.tenantId, id: groupId, courseId, ...values, ...parseDates(values) })
      .onConflictDoNothing()
      .returning({ id: studyGroup.id })
    if (created.length === 0) {
      if ((await courseIdOfGroup(tx, groupId)) !== courseId) throw new Refusal('not_found')
      return { groupId }
    }
    await setCurators(tx, actor, { courseId, groupId, curatorIds })
    await recordAuditEntry(tx, actor, {
      action: 'group.created',
      objectId: groupId,
      objectName: values.name,
      after: auditValues(values),
    })
    return { groupId }
  })
}

/**
 * Changes a group; the access of its members follows. Refuses as createGroup, with conflict when it was changed since
 * `revision`, and with unprocessable (seats_below_members).
 */
export async function updateGroup(actor: Actor, input: UpdateGroup): Promise<{ groupId: string }> {
  const { groupId, revision, curatorIds, ...values } = input
  return changeGroup(actor, groupId, async (tx, group) => {
    if (revision !== undefined && revision !== group.revision) throw new Refusal('conflict')
    if (values.seats && values.seats < (await countMembers(tx, groupId))) {
      throw new Refusal('unprocessable', { fields: { seats: ['seats_below_members'] } })
    }
    if (curatorIds) await setCurators(tx, actor, { courseId: group.courseId, groupId, curatorIds })
    return { ...values, ...parseDates(values) }
  })
}

/**
 * Finishes a group: it accepts no new students. With `closesAccess` the access of its members ends now, otherwise with
 * the end of the group. Refuses as createGroup, and with unprocessable (group_not_started) when the access of a group
 * that has not started is to be closed.
 */
export async function finishGroup(actor: Actor, input: FinishGroup): Promise<{ groupId: string }> {
  const { groupId, closesAccess } = input
  return changeGroup(actor, groupId, async (_tx, group) => {
    const now = new Date()
    const finished = { finishedAt: group.finishedAt ?? now }
    if (!closesAccess || (group.endAt && group.endAt <= now)) return finished
    if (group.startAt >= now) throw formRefusal('group_not_started')
    return { ...finished, endAt: now }
  })
}

/** Reverts finishing a group; an end in the past is moved by updateGroup. Refuses as createGroup. */
export async function reopenGroup(actor: Actor, input: GroupId): Promise<{ groupId: string }> {
  return changeGroup(actor, input.groupId, async () => ({ finishedAt: null }))
}

/** Archives a group: nobody can join it, its members keep their access. Refuses as createGroup. */
export async function archiveGroup(actor: Actor, input: GroupId): Promise<{ groupId: string }> {
  return changeGroup(actor, input.groupId, async () => ({ archivedAt: new Date() }))
}

/** Restores an archived group. Refuses as createGroup. */
export async function restoreGroup(actor: Actor, input: GroupId): Promise<{ groupId: string }> {
  return changeGroup(actor, input.groupId, async () => ({ archivedAt: null }))
}

/** Checked before a group is looked up, so that only staff can see whether it exists. */
export function requireGroupWriter(actor: Actor): void {
  requireCourseViewer(actor)
  requireLearningPlan(actor)
}

/** The course of a group. Refuses with not_found. */
export async function courseIdOfGroup(tx: Tx, groupId: string): Promise<string> {
  const [row] = await tx.select({ courseId: studyGroup.courseId }).from(studyGroup).where(eq(studyGroup.id, groupId))
  if (!row) throw new Refusal('not_found')
  return row.courseId
}

/** Replaces the curators of a group. Refuses with unprocessable (staff_unknown). */
export async function setCurators(
  tx: Tx,
  { tenantId }: Pick<Actor, 'tenantId'>,
  { courseId, groupId, curatorIds }: { courseId: string; groupId: string; curatorIds: readonly string[] },
): Promise<void> {
  const memberIds = [...new Set(curatorIds)]
  await tx.delete(studyGroupCurator).where(eq(studyGroupCurator.groupId, groupId))
  if (memberIds.length === 0) return
  const staff = await tx
    .selectDistinct({ memberId: courseStaff.memberId })
    .from(courseStaff)
    .where(and(eq(courseStaff.courseId, courseId), inArray(courseStaff.memberId, memberIds)))
  if (staff.length < memberIds.length) throw new Refusal('unprocessable', { fields: { curatorIds: ['staff_unknown'] } })
  await tx.insert(studyGroupCurator).values(memberIds.map((memberId) => ({ tenantId, groupId, memberId })))
}

type GroupRow = typeof studyGroup.$inferSelect
type GroupChange = Partial<typeof studyGroup.$inferInsert>

/** Locks the course and the group, applies the change and audits it where something has changed. */
async function changeGroup(
  actor: Actor,
  groupId: string,
  plan: (tx: Tx, group: GroupRow) => Promise<GroupChange>,
): Promise<{ groupId: string }> {
  requireGroupWriter(actor)
  return inTenant(actor, async (tx) => {
    const courseId = await courseIdOfGroup(tx, groupId)
    await requireStudentManager(tx, actor, courseId)
    await lockCourse(tx, courseId)
    const [group] = await tx.select().from(studyGroup).where(eq(studyGroup.id, groupId)).for('update')
    if (!group) throw new Refusal('not_found')
    const change = await plan(tx, group)
    const [updated] = await tx
      .update(studyGroup)
      .set({ ...change, revision: group.revision + 1 })
      .where(eq(studyGroup.id, groupId))
      .returning()
    if (!updated) throw new Refusal('not_found')
    await recordAuditEntry(tx, actor, {
      action: 'group.changed',
      objectId: groupId,
      objectName: updated.name,
      before: auditValues(group),
      after: auditValues(updated),
    })
    return { groupId }
  })
}

const AUDITED = [
  'name',
  'startAt',
  'endAt',
  'timeZone',
  'seats',
  'scheduleOffsetDays',
  'finishedAt',
  'archivedAt',
] as const

function auditValues(group: Partial<Record<(typeof AUDITED)[number], unknown>>): AuditValues {
  const entries = AUDITED.flatMap((field) => (group[field] === undefined ? [] : [[field, group[field]] as const]))
  return JSON.parse(JSON.stringify(Object.fromEntries(entries)))
}

function parseDates({ startAt, endAt }: { startAt: string; endAt: string | null }) {
  return { startAt: new Date(startAt), endAt: endAt === null ? null : new Date(endAt) }
}
