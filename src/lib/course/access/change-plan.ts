import { Refusal } from '#lib/core/http/refusal.ts'
import {
  freezeGrant,
  type GrantState,
  grantStateOf,
  isSameState,
  newGrantState,
  unfreezeGrant,
} from '../learning/grant-state.ts'
import type { AccessAction, AccessTarget } from './schema.ts'

/** The order that has given a membership of a group, and what was bought with it. */
interface OrderTerms {
  orderId: string
  withReview: boolean
  withCertificate: boolean
}

interface StoredGrant extends GrantState {
  id: string
  studentId: string
  sourceType: 'order' | 'invite' | 'manual' | 'group' | 'free'
  sourceId: string | null
  /** The grant's own end or the end of its group. */
  effectiveEndsAt: Date | null
  orderId: string | null
  withReview: boolean
  withCertificate: boolean
}

interface StoredOverride {
  id: string
  studentId: string | null
  groupId: string | null
  lessonId: string | null
  effect: 'open' | 'close' | 'shiftDays'
}

export interface NewGrant extends GrantState {
  studentId: string
  sourceType: 'manual' | 'group'
  sourceId: string | null
  /** Null: given by staff. */
  order: OrderTerms | null
}

interface NewOverride extends Omit<StoredOverride, 'id'> {
  days: number
}

/** A grant that exists, and its new state. */
interface GrantChange {
  id: string
  before: GrantState
  after: GrantState
  /** Of a renewed grant, as for new ones. */
  order?: OrderTerms | null
}

/** The writes of a change. */
export interface AccessPlan {
  grants: GrantChange[]
  newGrants: NewGrant[]
  /** Ids of the overrides that end. */
  endedOverrideIds: string[]
  newOverrides: NewOverride[]
}

interface PlanInput {
  target: AccessTarget
  /** The named students, or the members of the group. */
  studentIds: readonly string[]
  /** All grants of these students in the course. */
  grants: readonly StoredGrant[]
  /** The overrides of the course that are in force. */
  overrides: readonly StoredOverride[]
}

/** Plans the writes of an action without applying them; preview, change and undo use the same plan. */
export function planChange(change: AccessAction, input: PlanInput, now: Date): AccessPlan {
  switch (change.action) {
    case 'open':
    case 'close':
      return planOverrides(input, change.lessonIds, change.action, 0)
    case 'shift':
      return planOverrides(input, change.lessonIds, 'shiftDays', change.days)
    case 'asRules':
      return { ...EMPTY_PLAN, endedOverrideIds: findOverrides(input, change.lessonIds).map(({ id }) => id) }
    case 'freeze':
      return planGrantChanges(input, (grant) =>
        freezeGrant(grant, change.from ? new Date(change.from) : now, change.to),
      )
    case 'unfreeze':
      return planGrantChanges(input, (grant) => unfreezeGrant(grant, now))
    case 'extend':
      return planGrantChanges(input, (grant, { effectiveEndsAt }) =>
        extendGrant(grant, effectiveEndsAt, change.until, input.target),
      )
    case 'revoke':
      return planGrantChanges(input, (grant) => ({ ...grant, revokedAt: now, revokedReason: 'by_staff' }))
    case 'give': {
      const { until, moduleIds } = change
      const given = { ...newGrantState(now), endsAt: until ? new Date(until) : null, moduleIds }
      return planNewGrants(input, 'manual', null, () => ({ state: given, order: null }))
    }
    case 'addToGroup':
      return planNewGrants(input, 'group', change.groupId, () => ({ state: newGrantState(now), order: null }))
    case 'removeFromGroup':
      return planRemoval(input, change.groupId, now)
    case 'moveToGroup': {
      const removal = planRemoval(input, change.fromGroupId, now)
      const left = findMemberships(input, change.fromGroupId)
      const addition = planNewGrants(input, 'group', change.groupId, (studentId) =>
        movedGrant(left.get(studentId), now),
      )
      return { ...addition, grants: [...removal.grants, ...addition.grants] }
    }
  }
}

const EMPTY_PLAN: AccessPlan = { grants: [], newGrants: [], endedOverrideIds: [], newOverrides: [] }

/** Adds overrides for lessons; earlier overrides of the same kind and target end. */
function planOverrides(
  input: PlanInput,
  lessonIds: string[] | null,
  effect: NewOverride['effect'],
  days: number,
): AccessPlan {
  const isShift = (override: { effect: string }) => override.effect === 'shiftDays'
  const replaced = findOverrides(input, lessonIds).filter((override) => isShift(override) === isShift({ effect }))
  const recipients =
    'groupId' in input.target
      ? [{ studentId: null, groupId: input.target.groupId }]
      : input.studentIds.map((studentId) => ({ studentId, groupId: null }))
  const newOverrides = recipients.flatMap((recipient) =>
    (lessonIds ?? [null]).map((lessonId) => ({ ...recipient, lessonId, effect, days })),
  )
  return { ...EMPTY_PLAN, endedOverrideIds: replaced.map(({ id }) => id), newOverrides }
}

/** Overrides in force of exactly these students (or this group) and lessons. */
function findOverrides({ target, studentIds, overrides }: PlanInput, lessonIds: string[] | null): StoredOverride[] {
  const isForTarget = (override: StoredOverride) =>
    'groupId' in target
      ? override.groupId === target.groupId
      : override.studentId !== null && studentIds.includes(override.studentId)
  const lessonIdSet = lessonIds && new Set(lessonIds)
  return overrides.filter(
    (override) =>
      isForTarget(override) && (!lessonIdSet || (override.lessonId !== null && lessonIdSet.has(override.lessonId))),
  )
}

/** Plans changes of current grants: those of the group, or of the named students all or the named ones. */
function planGrantChanges(
  { target, grants }: PlanInput,
  change: (state: GrantState, grant: StoredGrant) => GrantState,
): AccessPlan {
  const selected = grants.filter((grant) => {
    if (grant.revokedAt) return false
    if ('groupId' in target) return grant.sourceType === 'group' && grant.sourceId === target.groupId
    return !target.grantIds || target.grantIds.includes(grant.id)
  })
  const changes = selected.map((grant) => ({
    id: grant.id,
    before: grantStateOf(grant),
    after: change(grantStateOf(grant), grant),
  }))
  return { ...EMPTY_PLAN, grants: changes.filter(({ before, after }) => !isSameState(before, after)) }
}

/** Plans the end of the grants that the students have from a group. */
function planRemoval(input: PlanInput, groupId: string, now: Date): AccessPlan {
  const grants = input.grants.filter(({ sourceType, sourceId }) => sourceType === 'group' && sourceId === groupId)
  return planGrantChanges({ ...input, grants }, (grant) => ({
    ...grant,
    revokedAt: now,
    revokedReason: 'left_group',
  }))
}

/** The current memberships of a group by their students. */
function findMemberships({ grants }: PlanInput, groupId: string): Map<string, StoredGrant> {
  const current = grants.filter(
    ({ sourceType, sourceId, revokedAt }) => sourceType === 'group' && sourceId === groupId && revokedAt === null,
  )
  return new Map(current.map((grant) => [grant.studentId, grant]))
}

interface PlannedGrant {
  state: GrantState
  order: OrderTerms | null
}

/** The membership of another group to which a student moves: a bought one keeps its order and what was bought. */
function movedGrant(membership: StoredGrant | undefined, now: Date): PlannedGrant {
  if (!membership?.orderId) return { state: newGrantState(now), order: null }
  const { orderId, withReview, withCertificate, startsAt, endsAt, frozen, moduleIds } = membership
  const startAt = startsAt > now ? startsAt : now
  return {
    state: { ...newGrantState(startAt), endsAt, frozen, moduleIds },
    order: { orderId, withReview, withCertificate },
  }
}

/** Plans a grant from one source for each student. A current grant stays unchanged, a revoked one is renewed. */
function planNewGrants(
  input: PlanInput,
  sourceType: NewGrant['sourceType'],
  sourceId: string | null,
  grantOf: (studentId: string) => PlannedGrant,
): AccessPlan {
  const existing = new Map(
    input.grants
      .filter((grant) => grant.sourceType === sourceType && grant.sourceId === sourceId)
      .map((grant) => [grant.studentId, grant]),
  )
  const renewed = input.studentIds.flatMap((studentId) => {
    const grant = existing.get(studentId)
    if (!grant?.revokedAt) return []
    const { state, order } = grantOf(studentId)
    return [{ id: grant.id, before: grantStateOf(grant), after: state, order }]
  })
  const newGrants = input.studentIds
    .filter((studentId) => !existing.has(studentId))
    .map((studentId) => {
      const { state, order } = grantOf(studentId)
      return { ...state, studentId, sourceType, sourceId, order }
    })
  return { ...EMPTY_PLAN, grants: renewed, newGrants }
}

/** Without named grants an end only moves later; the end of a named grant may also move earlier. */
function extendGrant(
  grant: GrantState,
  effectiveEndsAt: Date | null,
  until: string | null,
  target: AccessTarget,
): GrantState {
  const end = until === null ? null : new Date(until)
  const isNamed = 'grantIds' in target && target.grantIds !== undefined
  const isLonger = effectiveEndsAt !== null && (end === null || end > effectiveEndsAt)
  return isNamed || isLonger ? { ...grant, endsAt: end } : grant
}

/** What an undo needs: the states of the grants, and the ids of what was created or ended. */
export interface UndoRecord extends Pick<AccessPlan, 'endedOverrideIds'> {
  grants: Omit<GrantChange, 'order'>[]
  createdGrantIds: string[]
  createdOverrideIds: string[]
}

/** The undo record in the database, with older names of the states of a grant. */
export type StoredUndoRecord = Omit<UndoRecord, 'grants'> & {
  grants: { id: string; was: GrantState; becomes: GrantState }[]
}

/** Parses the stored undo record and restores its dates. Refuses with conflict when it is incomplete. */
export function parseUndoRecord(stored: Record<string, unknown>): UndoRecord {
  const { grants, endedOverrideIds, createdGrantIds, createdOverrideIds } = stored as Partial<StoredUndoRecord>
  if (!grants || !endedOverrideIds || !createdGrantIds || !createdOverrideIds) throw new Refusal('conflict')
  const parseDates = (state: GrantState): GrantState => ({
    ...state,
    startsAt: new Date(state.startsAt),
    endsAt: state.endsAt && new Date(state.endsAt),
    revokedAt: state.revokedAt && new Date(state.revokedAt),
  })
  return {
    endedOverrideIds,
    createdGrantIds,
    createdOverrideIds,
    grants: grants.map(({ id, was, becomes }) => ({
      id,
      before: parseDates(was),
      after: parseDates(becomes),
    })),
  }
}
