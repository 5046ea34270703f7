import type { FrozenInterval } from '../schema.ts'
import type { AccessAct, Whom } from './schema.ts'

/** A grant as it is written down. */
export interface GrantState {
  startsAt: Date
  endsAt: Date | null
  frozen: FrozenInterval[]
  moduleIds: string[] | null
  revokedAt: Date | null
  revokedReason: string | null
}

export interface WrittenGrant extends GrantState {
  id: string
  studentId: string
  sourceType: 'order' | 'invite' | 'manual' | 'group' | 'free'
  sourceId: string | null
  /** Its own end, or its group's. */
  ends: Date | null
}

export interface WrittenOverride {
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
}

export interface NewOverride extends Omit<WrittenOverride, 'id'> {
  days: number
}

/** What a change writes; nothing is touched that it does not name. */
export interface Plan {
  grants: { id: string; was: GrantState; becomes: GrantState }[]
  made: NewGrant[]
  /** Overrides that end. */
  ended: string[]
  said: NewOverride[]
}

interface Known {
  whom: Whom
  /** Whom it is about: those named, or the members of the group. */
  studentIds: readonly string[]
  /** All grants of these students in the course. */
  grants: readonly WrittenGrant[]
  /** What was said by hand of the course and still holds. */
  overrides: readonly WrittenOverride[]
}

/** What an act does to grants and overrides, without doing it: the preview, the act and its undoing start from the same plan. */
export function planChange(change: AccessAct, known: Known, now: Date): Plan {
  switch (change.act) {
    case 'open':
    case 'close':
      return say(known, change.lessonIds, change.act, 0)
    case 'shift':
      return say(known, change.lessonIds, 'shiftDays', change.days)
    case 'asRules':
      return { ...NOTHING, ended: spoken(known, change.lessonIds).map(({ id }) => id) }
    case 'freeze':
      return rewrite(known, (grant) => frozenFrom(grant, change.from ? new Date(change.from) : now, change.to))
    case 'unfreeze':
      return rewrite(known, (grant) => thawed(grant, now))
    case 'extend':
      return rewrite(known, (grant, { ends }) => extended(grant, ends, change.until, known.whom))
    case 'revoke':
      return rewrite(known, (grant) => ({ ...grant, revokedAt: now, revokedReason: 'by_staff' }))
    case 'give': {
      const { until, moduleIds } = change
      return give(known, 'manual', null, { ...fresh(now), endsAt: until ? new Date(until) : null, moduleIds })
    }
    case 'addToGroup':
      return give(known, 'group', change.groupId, fresh(now))
  }
}

const NOTHING: Plan = { grants: [], made: [], ended: [], said: [] }

/** Says something by hand of lessons; what was said of the same kind for the same people ends. */
function say(known: Known, lessonIds: string[] | null, effect: NewOverride['effect'], days: number): Plan {
  const kind = (one: { effect: string }) => one.effect === 'shiftDays'
  const ended = spoken(known, lessonIds).filter((one) => kind(one) === kind({ effect }))
  const whose =
    'groupId' in known.whom
      ? [{ studentId: null, groupId: known.whom.groupId }]
      : known.studentIds.map((studentId) => ({ studentId, groupId: null }))
  const said = whose.flatMap((who) => (lessonIds ?? [null]).map((lessonId) => ({ ...who, lessonId, effect, days })))
  return { ...NOTHING, ended: ended.map(({ id }) => id), said }
}

/** What was said by hand for these very people (or this group) of these lessons. */
function spoken({ whom, studentIds, overrides }: Known, lessonIds: string[] | null): WrittenOverride[] {
  const whose = (one: WrittenOverride) =>
    'groupId' in whom ? one.groupId === whom.groupId : one.studentId !== null && studentIds.includes(one.studentId)
  const about = lessonIds && new Set(lessonIds)
  return overrides.filter((one) => whose(one) && (!about || (one.lessonId !== null && about.has(one.lessonId))))
}

/** Changes grants that stand: of a group those it gives, of named students those named or all. */
function rewrite({ whom, grants }: Known, change: (state: GrantState, grant: WrittenGrant) => GrantState): Plan {
  const meant = grants.filter((grant) => {
    if (grant.revokedAt) return false
    if ('groupId' in whom) return grant.sourceType === 'group' && grant.sourceId === whom.groupId
    return !whom.grantIds || whom.grantIds.includes(grant.id)
  })
  const written = meant.map((grant) => ({ id: grant.id, was: stateOf(grant), becomes: change(stateOf(grant), grant) }))
  return { ...NOTHING, grants: written.filter(({ was, becomes }) => !sameState(was, becomes)) }
}

/** Gives a grant from one source to each student; who holds it keeps it as it is, who held it gets it anew. */
function give(known: Known, sourceType: NewGrant['sourceType'], sourceId: string | null, state: GrantState): Plan {
  const held = new Map(
    known.grants
      .filter((grant) => grant.sourceType === sourceType && grant.sourceId === sourceId)
      .map((grant) => [grant.studentId, grant]),
  )
  const again = known.studentIds.flatMap((studentId) => {
    const grant = held.get(studentId)
    return grant?.revokedAt ? [{ id: grant.id, was: stateOf(grant), becomes: state }] : []
  })
  const made = known.studentIds
    .filter((studentId) => !held.has(studentId))
    .map((studentId) => ({ ...state, studentId, sourceType, sourceId }))
  return { ...NOTHING, grants: again, made }
}

const fresh = (now: Date): GrantState => ({
  startsAt: now,
  endsAt: null,
  frozen: [],
  moduleIds: null,
  revokedAt: null,
  revokedReason: null,
})

/** Many at once are only ever given more time; the end of a grant that is named may also come earlier. */
function extended(grant: GrantState, ends: Date | null, until: string | null, whom: Whom): GrantState {
  const end = until === null ? null : new Date(until)
  const named = 'grantIds' in whom && whom.grantIds !== undefined
  const longer = ends !== null && (end === null || end > ends)
  return named || longer ? { ...grant, endsAt: end } : grant
}

/** Freezes from one moment to another; freezes that touch become one, so that the clock stops once. */
export function frozenFrom(grant: GrantState, from: Date, to: string | null): GrantState {
  const all = [...grant.frozen, { from: from.toISOString(), to }].sort(
    (a, b) => Date.parse(a.from) - Date.parse(b.from),
  )
  const frozen: FrozenInterval[] = []
  for (const next of all) {
    const last = frozen.at(-1)
    if (!last || (last.to !== null && Date.parse(last.to) < Date.parse(next.from))) frozen.push({ ...next })
    else if (last.to !== null)
      last.to = next.to === null || Date.parse(next.to) > Date.parse(last.to) ? next.to : last.to
  }
  return { ...grant, frozen }
}

/** Ends the freeze that lasts, and calls off those to come. */
export function thawed(grant: GrantState, now: Date): GrantState {
  const frozen = grant.frozen
    .filter(({ from }) => Date.parse(from) < now.getTime())
    .map(({ from, to }) => ({ from, to: to === null || Date.parse(to) > now.getTime() ? now.toISOString() : to }))
  return { ...grant, frozen }
}

/** The part of a grant that changes can touch. */
export function stateOf({ startsAt, endsAt, frozen, moduleIds, revokedAt, revokedReason }: GrantState): GrantState {
  return { startsAt, endsAt, frozen, moduleIds, revokedAt, revokedReason }
}

/** Whether a grant is written the same; instants are compared as instants, also after JSON. */
export function sameState(one: GrantState, other: GrantState): boolean {
  return writing(one) === writing(other)
}

function writing(state: GrantState): string {
  const { startsAt, endsAt, frozen, moduleIds, revokedAt, revokedReason } = state
  const at = (moment: Date | null) => moment && new Date(moment).toISOString()
  const cold = frozen.map(({ from, to }) => [Date.parse(from), to && Date.parse(to)])
  return JSON.stringify([at(startsAt), at(endsAt), cold, moduleIds, at(revokedAt), revokedReason])
}
