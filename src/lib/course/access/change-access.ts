import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { requestAutomations } from '#lib/core/jobs/automation-request.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { endStreamsOfMembers } from '#lib/user/member.ts'
import { requireSeats, requireSeatsKept } from '../group/seats.ts'
import { isEnrolled } from '../learning/enrolled.ts'
import { type GrantState, grantStateOf, isSameState } from '../learning/grant-state.ts'
import { accessChange, accessGrant, accessOverride, studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { requireCourseViewer, requireLearningPlan } from '../permission.ts'
import { course, courseModule, lesson } from '../table.ts'
import { auditAccess, auditChange } from './audit.ts'
import { type AccessEffect, describeEffects } from './change-effects.ts'
import {
  type AccessPlan,
  type NewGrant,
  parseUndoRecord,
  planChange,
  type StoredUndoRecord,
  type UndoRecord,
} from './change-plan.ts'
import { type CourseRoster, loadCourseRoster } from './course-roster.ts'
import { requireStudentManager } from './grants.ts'
import { countJoining, inBatches, joinedGroupId, requireMembers } from './group-change.ts'
import type { ChangeAccess } from './schema.ts'

export interface AccessPreview {
  /** Number of students that the change applies to. */
  students: number
  /** Students for whom something changes; only the first 100 of a large group are examined. */
  effects: AccessEffect[]
  examined: number
}

/** Previews a change of access, student by student, without applying it. Refuses as changeAccess. */
export async function previewAccess(actor: Actor, request: ChangeAccess): Promise<AccessPreview> {
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, request.courseId)
    const { plan, roster, studentIds } = await preparePlan(tx, request)
    const examined = roster.students.slice(0, MAX_EXAMINED)
    const groupId = joinedGroupId(request.change)
    const group = groupId ? await findGroup(tx, request.courseId, groupId) : null
    if (groupId) await requireSeats(tx, groupId, countJoining(plan, roster, groupId))
    const effects = describeEffects(examined, plan, { group, now: new Date() })
    return { students: studentIds.length, effects, examined: examined.length }
  })
}

const MAX_EXAMINED = 100

/**
 * Changes the access of one or many students and stores the previous state for undoAccess. Refuses with forbidden,
 * plan_inactive, not_found (a student, lesson or group outside the course), unprocessable (archived courses take no new
 * students).
 */
export async function changeAccess(
  actor: Actor,
  request: ChangeAccess,
): Promise<{ changeId: string; students: number }> {
  return inTenant(actor, async (tx) => {
    await requireStudentManager(tx, actor, request.courseId)
    const { status, title } = await lockCourse(tx, request.courseId)
    const addsStudents = request.change.action === 'give' || request.change.action === 'addToGroup'
    if (addsStudents && status === 'archived') throw formRefusal('course_archived')
    const { plan, roster, studentIds } = await preparePlan(tx, request)
    const groupId = joinedGroupId(request.change)
    if (groupId) await requireSeats(tx, groupId, countJoining(plan, roster, groupId))
    const { createdGrantIds, createdOverrideIds } = await applyPlan(tx, actor, request, plan)
    const undoRecord: StoredUndoRecord = {
      grants: plan.grants.map(({ id, before, after }) => ({ id, was: before, becomes: after })),
      endedOverrideIds: plan.endedOverrideIds,
      createdGrantIds,
      createdOverrideIds,
    }
    const [change] = await tx
      .insert(accessChange)
      .values({
        tenantId: actor.tenantId,
        courseId: request.courseId,
        by: actor.membershipId,
        requestedChange: {
          target: request.target,
          change: request.change,
          note: request.note,
          students: studentIds.length,
        },
        before: { ...undoRecord },
      })
      .returning({ changeId: accessChange.id })
    if (!change) throw new Refusal('not_found')
    await auditChange(tx, actor, { title, change: request.change, plan, roster, studentIds })
    // Grants that existed may have ended, and with them what the students receive.
    if (plan.grants.length > 0) await endStreamsOfMembers(tx, studentIds)
    if (plan.newGrants.length > 0 || plan.grants.length > 0) await recountStudents(tx, request.courseId)
    return { ...change, students: studentIds.length }
  })
}

/**
 * Undoes a change: grants return to their previous state and the overrides of the change end. A second call does
 * nothing. Refuses with forbidden, plan_inactive, not_found, and with conflict when one of the grants has changed
 * since.
 */
export async function undoAccess(actor: Actor, { changeId }: { changeId: string }): Promise<{ changeId: string }> {
  requireCourseViewer(actor)
  requireLearningPlan(actor)
  return inTenant(actor, async (tx) => {
    const [changeRow] = await tx
      .select({ courseId: accessChange.courseId })
      .from(accessChange)
      .where(eq(accessChange.id, changeId))
    if (!changeRow) throw new Refusal('not_found')
    const { courseId } = changeRow
    await requireStudentManager(tx, actor, courseId)
    const { title } = await lockCourse(tx, courseId)
    const [change] = await tx
      .update(accessChange)
      .set({ undoneAt: new Date() })
      .where(and(eq(accessChange.id, changeId), isNull(accessChange.undoneAt)))
      .returning({ before: accessChange.before })
    if (change) {
      const studentIds = await restoreBefore(tx, parseUndoRecord(change.before))
      await auditAccess(tx, actor, studentIds, { course: title, change: 'undo' })
      await endStreamsOfMembers(tx, studentIds)
      await requireSeatsKept(tx, courseId)
      await recountStudents(tx, courseId)
    }
    return { changeId }
  })
}

/** Returns the students whose grants or own exceptions are as before. */
async function restoreBefore(
  tx: Tx,
  { grants, endedOverrideIds, createdGrantIds, createdOverrideIds }: UndoRecord,
): Promise<string[]> {
  const ids = [...grants.map(({ id }) => id), ...createdGrantIds]
  const present = ids.length === 0 ? [] : await tx.select().from(accessGrant).where(inArray(accessGrant.id, ids))
  const currentRows = new Map(present.map((row) => [row.id, row]))
  for (const { id, after } of grants) {
    const row = currentRows.get(id)
    if (!row || !isSameState(grantStateOf(row), after)) throw new Refusal('conflict')
  }
  await writeStates(
    tx,
    grants.map(({ id, before }) => ({ id, state: before })),
  )
  if (createdGrantIds.length > 0) await tx.delete(accessGrant).where(inArray(accessGrant.id, createdGrantIds))
  if (createdOverrideIds.length > 0) await endOverrides(tx, createdOverrideIds)
  if (endedOverrideIds.length > 0) {
    await tx.update(accessOverride).set({ endedAt: null }).where(inArray(accessOverride.id, endedOverrideIds))
  }
  const overrideIds = [...createdOverrideIds, ...endedOverrideIds]
  const overrides =
    overrideIds.length === 0
      ? []
      : await tx
          .select({ studentId: accessOverride.studentId })
          .from(accessOverride)
          .where(inArray(accessOverride.id, overrideIds))
  return [...present, ...overrides].flatMap(({ studentId }) => studentId ?? [])
}

/** Resolves the target of a change and plans its writes. */
async function preparePlan(
  tx: Tx,
  request: ChangeAccess & { note: string },
): Promise<{ plan: AccessPlan; roster: CourseRoster; studentIds: string[] }> {
  const { courseId, target, change } = request
  const studentIds =
    'groupId' in target ? await listGroupMemberIds(tx, courseId, target.groupId) : [...new Set(target.studentIds)]
  if ('lessonIds' in change && change.lessonIds) await requireLessons(tx, courseId, change.lessonIds)
  const groupId = joinedGroupId(change)
  if (groupId) await findGroup(tx, courseId, groupId)
  const leftGroupId =
    change.action === 'moveToGroup' ? change.fromGroupId : change.action === 'removeFromGroup' ? change.groupId : null
  if (leftGroupId && leftGroupId === groupId) throw new Refusal('invalid', { fields: { groupId: ['format'] } })
  if (change.action === 'give' && change.moduleIds) await requireModules(tx, courseId, change.moduleIds)
  const roster = await loadCourseRoster(tx, courseId, studentIds)
  if (roster.students.length !== studentIds.length) throw new Refusal('not_found')
  const addsStudents = change.action === 'give' || change.action === 'addToGroup'
  // Students without any grant in the course have no access to change.
  if (!addsStudents && roster.students.some(({ enrolment }) => enrolment.grants.length === 0))
    throw new Refusal('not_found')
  if (leftGroupId) requireMembers(roster, leftGroupId)
  const grants = roster.rows.flatMap(({ grant, group }) =>
    grant ? [{ ...grant, effectiveEndsAt: grant.endsAt ?? group?.endAt ?? null }] : [],
  )
  const plan = planChange(change, { target: target, studentIds, grants, overrides: roster.overrides }, new Date())
  return { plan, roster, studentIds }
}

async function applyPlan(
  tx: Tx,
  actor: Actor,
  { courseId, note }: { courseId: string; note: string },
  plan: AccessPlan,
) {
  const { tenantId } = actor
  await writeStates(
    tx,
    plan.grants.map(({ id, after, order }) => ({ id, state: after, order })),
  )
  if (plan.endedOverrideIds.length > 0) await endOverrides(tx, plan.endedOverrideIds)
  const createdGrantIds: string[] = []
  for (const batch of inBatches(plan.newGrants)) {
    const rows = await tx
      .insert(accessGrant)
      .values(batch.map(({ order, ...grant }) => ({ ...grant, ...order, tenantId, courseId })))
      .returning({ id: accessGrant.id })
    createdGrantIds.push(...rows.map(({ id }) => id))
  }
  if (createdGrantIds.length > 0) {
    const [first, ...others] = new Set(plan.newGrants.map(({ studentId }) => studentId))
    const studentId = first && others.length === 0 ? first : null
    await requestAutomations(tenantId, 'courseJoined', { studentId, subjectId: courseId })
  }
  const createdOverrideIds: string[] = []
  for (const batch of inBatches(plan.newOverrides)) {
    const rows = await tx
      .insert(accessOverride)
      .values(
        batch.map((override) => ({ ...override, tenantId, courseId, note, by: actor.membershipId, at: new Date() })),
      )
      .returning({ id: accessOverride.id })
    createdOverrideIds.push(...rows.map(({ id }) => id))
  }
  return { createdGrantIds, createdOverrideIds }
}

/**
 * Updates many grants in one statement. Where `order` is given, the membership becomes that of the order, or of no order:
 * one that staff renew is theirs.
 */
async function writeStates(
  tx: Tx,
  states: { id: string; state: GrantState; order?: NewGrant['order'] | undefined }[],
): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ id, state, order }) => ({ id, ...state, isRenewed: order !== undefined, ...order }))
  await tx.execute(sql`update access_grant g
    set order_id = case when s."isRenewed" then s."orderId" else g.order_id end,
      with_review = case when s."isRenewed" then coalesce(s."withReview", true) else g.with_review end,
      with_certificate = case when s."isRenewed" then coalesce(s."withCertificate", true) else g.with_certificate end,
      starts_at = s."startsAt", ends_at = s."endsAt", frozen = s.frozen, revoked_at = s."revokedAt",
      revoked_reason = s."revokedReason",
      module_ids = (select array_agg(m::uuid) from jsonb_array_elements_text(nullif(s."moduleIds", 'null'::jsonb)) m)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(id uuid, "startsAt" timestamptz, "endsAt" timestamptz,
      frozen jsonb, "moduleIds" jsonb, "revokedAt" timestamptz, "revokedReason" text, "isRenewed" boolean,
      "orderId" uuid, "withReview" boolean, "withCertificate" boolean)
    where g.tenant_id = current_tenant() and g.id = s.id`)
}

function endOverrides(tx: Tx, ids: string[]) {
  return tx.update(accessOverride).set({ endedAt: new Date() }).where(inArray(accessOverride.id, ids))
}

async function listGroupMemberIds(tx: Tx, courseId: string, groupId: string): Promise<string[]> {
  await findGroup(tx, courseId, groupId)
  const rows = await tx
    .select({ studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId), isEnrolled))
    .orderBy(accessGrant.studentId)
  return rows.map(({ studentId }) => studentId)
}

async function findGroup(tx: Tx, courseId: string, groupId: string) {
  const { id, name, startAt, endAt, timeZone, scheduleOffsetDays } = studyGroup
  const [group] = await tx
    .select({ id, name, startAt, endAt, timeZone, scheduleOffsetDays })
    .from(studyGroup)
    .where(and(eq(id, groupId), eq(studyGroup.courseId, courseId), isNull(studyGroup.archivedAt)))
  if (!group) throw new Refusal('not_found')
  return group
}

async function requireLessons(tx: Tx, courseId: string, lessonIds: readonly string[]): Promise<void> {
  const [{ present = 0 } = {}] = await tx
    .select({ present: count() })
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), inArray(lesson.id, [...lessonIds])))
  if (present !== new Set(lessonIds).size) throw new Refusal('not_found')
}

async function requireModules(tx: Tx, courseId: string, moduleIds: readonly string[]): Promise<void> {
  const [{ present = 0 } = {}] = await tx
    .select({ present: count() })
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), inArray(courseModule.id, [...moduleIds])))
  if (present !== new Set(moduleIds).size) throw new Refusal('not_found')
}

async function recountStudents(tx: Tx, courseId: string): Promise<void> {
  const studentCount = sql`(select count(distinct g.student_id) from enrolled_grants() g
    where g.course_id = ${courseId})`
  await tx.update(course).set({ studentCount }).where(eq(course.id, courseId))
}
