import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessChange, accessGrant, accessOverride, studyGroup } from '../learning/table.ts'
import { lockCourse } from '../outline/lesson-counts.ts'
import { mustSee, mustWritePlan } from '../permission.ts'
import { course, courseModule, lesson } from '../table.ts'
import { type Effect, effectsOf } from './change-effects.ts'
import { type GrantState, type Plan, planChange, sameState, stateOf } from './change-plan.ts'
import { mustManage } from './grants.ts'
import { AskAccess, ChangeId } from './schema.ts'
import { type ClassRoom, loadClass } from './student-rows.ts'

export interface Preview {
  /** How many students it is about. */
  students: number
  /** For whom something changes; of a big group only the first hundred are looked at. */
  effects: Effect[]
  looked: number
}

/** What a change would do, student by student, without doing it. Refuses as changeAccess. */
export async function previewAccess(actor: Actor, input: AskAccess): Promise<Preview> {
  const ask = AskAccess.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, ask.courseId)
    const { plan, room, studentIds } = await prepare(tx, ask)
    const looked = room.pupils.slice(0, LOOKED_AT)
    const group = ask.change.act === 'addToGroup' ? await findGroup(tx, ask.courseId, ask.change.groupId) : null
    const effects = effectsOf(looked, plan, { group, now: new Date() })
    return { students: studentIds.length, effects, looked: looked.length }
  })
}

const LOOKED_AT = 100

/**
 * Changes the access of students, one or many, and remembers what there was before, so that it can be taken back.
 * Refuses with forbidden, plan_inactive, not_found (a student, lesson or group of elsewhere), unprocessable (archived
 * courses take nobody new).
 */
export async function changeAccess(actor: Actor, input: AskAccess): Promise<{ changeId: string; students: number }> {
  const ask = AskAccess.parse(input)
  return inTenant(actor, async (tx) => {
    await mustManage(tx, actor, ask.courseId)
    const { status } = await lockCourse(tx, ask.courseId)
    const takesNew = ask.change.act === 'give' || ask.change.act === 'addToGroup'
    if (takesNew && status === 'archived') throw new Refusal('unprocessable', { fields: { form: ['course_archived'] } })
    const { plan, studentIds } = await prepare(tx, ask)
    const { made, said } = await write(tx, actor, ask, plan)
    const before: Undoing = { grants: plan.grants, ended: plan.ended, made, said }
    const [change] = await tx
      .insert(accessChange)
      .values({
        tenantId: actor.tenantId,
        courseId: ask.courseId,
        by: actor.membershipId,
        asked: { whom: ask.whom, change: ask.change, note: ask.note, students: studentIds.length },
        before: { ...before },
      })
      .returning({ changeId: accessChange.id })
    if (!change) throw new Refusal('not_found')
    if (plan.made.length > 0 || plan.grants.length > 0) await recountStudents(tx, ask.courseId)
    return { ...change, students: studentIds.length }
  })
}

interface Undoing extends Pick<Plan, 'grants' | 'ended'> {
  made: string[]
  said: string[]
}

/**
 * Takes a change back: grants are as before, what was said by hand no longer holds. Twice is once. Refuses with
 * forbidden, plan_inactive, not_found, and conflict when one of the grants was changed since.
 */
export async function undoAccess(actor: Actor, input: { changeId: string }): Promise<{ changeId: string }> {
  mustSee(actor)
  mustWritePlan(actor)
  const { changeId } = ChangeId.parse(input)
  return inTenant(actor, async (tx) => {
    const [found] = await tx
      .select({ courseId: accessChange.courseId })
      .from(accessChange)
      .where(eq(accessChange.id, changeId))
    if (!found) throw new Refusal('not_found')
    const { courseId } = found
    await mustManage(tx, actor, courseId)
    await lockCourse(tx, courseId)
    const [change] = await tx
      .update(accessChange)
      .set({ undoneAt: new Date() })
      .where(and(eq(accessChange.id, changeId), isNull(accessChange.undoneAt)))
      .returning({ before: accessChange.before })
    if (change) await takeBack(tx, revived(change.before))
    if (change) await recountStudents(tx, courseId)
    return { changeId }
  })
}

async function takeBack(tx: Tx, { grants, ended, made, said }: Undoing): Promise<void> {
  const ids = [...grants.map(({ id }) => id), ...made]
  const present = ids.length === 0 ? [] : await tx.select().from(accessGrant).where(inArray(accessGrant.id, ids))
  const now = new Map(present.map((row) => [row.id, row]))
  for (const { id, becomes } of grants) {
    const row = now.get(id)
    if (!row || !sameState(stateOf(row), becomes)) throw new Refusal('conflict')
  }
  await writeStates(
    tx,
    grants.map(({ id, was }) => ({ id, state: was })),
  )
  if (made.length > 0) await tx.delete(accessGrant).where(inArray(accessGrant.id, made))
  if (said.length > 0) await endOverrides(tx, said)
  if (ended.length > 0) {
    await tx.update(accessOverride).set({ endedAt: null }).where(inArray(accessOverride.id, ended))
  }
}

/** What was written down as JSON, with its instants. */
function revived(before: Record<string, unknown>): Undoing {
  const { grants = [], ended = [], made = [], said = [] } = before as Partial<Undoing>
  const alive = (state: GrantState): GrantState => ({
    ...state,
    startsAt: new Date(state.startsAt),
    endsAt: state.endsAt && new Date(state.endsAt),
    revokedAt: state.revokedAt && new Date(state.revokedAt),
  })
  return {
    ended,
    made,
    said,
    grants: grants.map(({ id, was, becomes }) => ({ id, was: alive(was), becomes: alive(becomes) })),
  }
}

/** Whom a change means, what there is, and what it would write. */
async function prepare(
  tx: Tx,
  ask: AskAccess & { note: string },
): Promise<{ plan: Plan; room: ClassRoom; studentIds: string[] }> {
  const { courseId, whom, change } = ask
  const studentIds = 'groupId' in whom ? await membersOf(tx, courseId, whom.groupId) : [...new Set(whom.studentIds)]
  if ('lessonIds' in change && change.lessonIds) await mustHold(tx, courseId, change.lessonIds)
  if (change.act === 'addToGroup') await findGroup(tx, courseId, change.groupId)
  if (change.act === 'give' && change.moduleIds) await mustHoldModules(tx, courseId, change.moduleIds)
  const room = await loadClass(tx, courseId, studentIds)
  if (room.pupils.length !== studentIds.length) throw new Refusal('not_found')
  const joins = change.act === 'give' || change.act === 'addToGroup'
  // Those who were never let into the course have no access that could be changed.
  if (!joins && room.pupils.some(({ study }) => study.grants.length === 0)) throw new Refusal('not_found')
  const grants = room.rows.flatMap(({ grant, group }) =>
    grant ? [{ ...grant, ends: grant.endsAt ?? group?.endAt ?? null }] : [],
  )
  const plan = planChange(change, { whom, studentIds, grants, overrides: room.overrides }, new Date())
  return { plan, room, studentIds }
}

async function write(tx: Tx, actor: Actor, { courseId, note }: { courseId: string; note: string }, plan: Plan) {
  const { tenantId } = actor
  await writeStates(
    tx,
    plan.grants.map(({ id, becomes }) => ({ id, state: becomes })),
  )
  if (plan.ended.length > 0) await endOverrides(tx, plan.ended)
  const made: string[] = []
  for (const some of inParts(plan.made)) {
    const rows = await tx
      .insert(accessGrant)
      .values(some.map((grant) => ({ ...grant, tenantId, courseId })))
      .returning({ id: accessGrant.id })
    made.push(...rows.map(({ id }) => id))
  }
  const said: string[] = []
  for (const some of inParts(plan.said)) {
    const rows = await tx
      .insert(accessOverride)
      .values(some.map((one) => ({ ...one, tenantId, courseId, note, by: actor.membershipId, at: new Date() })))
      .returning({ id: accessOverride.id })
    said.push(...rows.map(({ id }) => id))
  }
  return { made, said }
}

/** Many grants in one statement. */
async function writeStates(tx: Tx, states: { id: string; state: GrantState }[]): Promise<void> {
  if (states.length === 0) return
  const rows = states.map(({ id, state }) => ({ id, ...state }))
  await tx.execute(sql`update access_grant g
    set starts_at = s."startsAt", ends_at = s."endsAt", frozen = s.frozen, revoked_at = s."revokedAt",
      revoked_reason = s."revokedReason",
      module_ids = (select array_agg(m::uuid) from jsonb_array_elements_text(nullif(s."moduleIds", 'null'::jsonb)) m)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(id uuid, "startsAt" timestamptz, "endsAt" timestamptz,
      frozen jsonb, "moduleIds" jsonb, "revokedAt" timestamptz, "revokedReason" text)
    where g.tenant_id = current_tenant() and g.id = s.id`)
}

function endOverrides(tx: Tx, ids: string[]) {
  return tx.update(accessOverride).set({ endedAt: new Date() }).where(inArray(accessOverride.id, ids))
}

/** A statement takes 65 535 values. */
function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += 4000) yield all.slice(from, from + 4000)
}

async function membersOf(tx: Tx, courseId: string, groupId: string): Promise<string[]> {
  await findGroup(tx, courseId, groupId)
  const rows = await tx
    .select({ studentId: accessGrant.studentId })
    .from(accessGrant)
    .where(and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId), isNull(accessGrant.revokedAt)))
    .orderBy(accessGrant.studentId)
  return rows.map(({ studentId }) => studentId)
}

async function findGroup(tx: Tx, courseId: string, groupId: string) {
  const { id, name, startAt, endAt, timeZone } = studyGroup
  const [group] = await tx
    .select({ id, name, startAt, endAt, timeZone })
    .from(studyGroup)
    .where(and(eq(id, groupId), eq(studyGroup.courseId, courseId), isNull(studyGroup.archivedAt)))
  if (!group) throw new Refusal('not_found')
  return group
}

async function mustHold(tx: Tx, courseId: string, lessonIds: readonly string[]): Promise<void> {
  const [{ held = 0 } = {}] = await tx
    .select({ held: count() })
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), inArray(lesson.id, [...lessonIds])))
  if (held !== new Set(lessonIds).size) throw new Refusal('not_found')
}

async function mustHoldModules(tx: Tx, courseId: string, moduleIds: readonly string[]): Promise<void> {
  const [{ held = 0 } = {}] = await tx
    .select({ held: count() })
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), inArray(courseModule.id, [...moduleIds])))
  if (held !== new Set(moduleIds).size) throw new Refusal('not_found')
}

async function recountStudents(tx: Tx, courseId: string): Promise<void> {
  const studying = sql`(select count(distinct g.student_id) from access_grant g
    where g.tenant_id = current_tenant() and g.course_id = ${courseId} and g.revoked_at is null)`
  await tx.update(course).set({ studentCount: studying }).where(eq(course.id, courseId))
}
