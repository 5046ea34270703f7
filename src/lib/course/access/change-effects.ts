import type { GrantState } from '../learning/grant-state.ts'
import { grantEndsAt } from './access.ts'
import type { AccessPlan, NewGrant } from './change-plan.ts'
import type { RosterStudent } from './course-roster.ts'
import { buildGrant, type Enrolment, type EnrolmentGrant, type GroupOfGrant, outlineAccessOf } from './enrolment.ts'

/** Effects of a change on one student. */
export interface AccessEffect {
  studentId: string
  name: string
  /** Titles of the lessons that open and that close. */
  opens: string[]
  closes: string[]
  /** Lessons whose opening date moves. */
  moves: { title: string; from: Date | null; to: Date | null }[]
  /** End of the student's access to the course; null: no end, `none`: no access. */
  endsAt: { from: Date | null | 'none'; to: Date | null | 'none' }
}

interface EffectContext {
  group: (GroupOfGrant & { id: string }) | null
  now: Date
}

/** Compares the access before and after a plan; students without a change are omitted. */
export function describeEffects(
  students: readonly RosterStudent[],
  plan: AccessPlan,
  context: EffectContext,
): AccessEffect[] {
  const stateByGrant = new Map(plan.grants.map((item) => [item.id, item.after]))
  const ended = new Set(plan.endedOverrideIds)
  const newGrantsByStudent = Map.groupBy(plan.newGrants, ({ studentId }) => studentId)
  return students.flatMap((student) => {
    const { enrolment, studentId, name, email } = student
    const currentGrants = enrolment.grants.map((grant) => {
      const state = stateByGrant.get(grant.id)
      return state ? grantWithState(enrolment, grant, state, context) : grant
    })
    const addedGrants = (newGrantsByStudent.get(studentId) ?? []).map((grant) =>
      grantFromPlan(enrolment, grant, context),
    )
    const addedOverrides = plan.newOverrides
      .filter((item) => item.studentId === studentId || item.studentId === null)
      .map((item, index) => ({ ...item, id: `new ${index}`, at: context.now, note: '', by: '' }))
    const after: Enrolment = {
      ...enrolment,
      grants: [...currentGrants, ...addedGrants],
      overrides: [...enrolment.overrides.filter(({ id }) => !ended.has(id)), ...addedOverrides],
    }
    const effect = { studentId, name: name || email, ...compareAccess(enrolment, after, context.now) }
    return isUnchanged(effect) ? [] : [effect]
  })
}

function compareAccess(before: Enrolment, after: Enrolment, now: Date): Omit<AccessEffect, 'studentId' | 'name'> {
  const [accessBefore, accessAfter] = [outlineAccessOf(before, now), outlineAccessOf(after, now)]
  const pairs = before.lessons.map(({ title }, index) => ({
    title,
    from: accessBefore[index],
    to: accessAfter[index],
  }))
  return {
    opens: pairs.filter(({ from, to }) => !from?.allow && to?.allow).map(({ title }) => title),
    closes: pairs.filter(({ from, to }) => from?.allow && !to?.allow).map(({ title }) => title),
    moves: pairs
      .filter(({ from, to }) => !from?.allow && !to?.allow && from?.at?.getTime() !== to?.at?.getTime())
      .map(({ title, from, to }) => ({ title, from: from?.at ?? null, to: to?.at ?? null })),
    endsAt: { from: latestEnd(before.grants, now), to: latestEnd(after.grants, now) },
  }
}

/** End of the grant that ends last. */
function latestEnd(grants: readonly EnrolmentGrant[], now: Date): Date | null | 'none' {
  const endDates = grants.filter(({ revokedAt }) => !revokedAt || revokedAt > now).map((grant) => grantEndsAt(grant))
  if (endDates.length === 0) return 'none'
  if (endDates.includes(null)) return null
  return new Date(Math.max(...endDates.map((end) => end?.getTime() ?? 0)))
}

function isUnchanged({ opens, closes, moves, endsAt }: Omit<AccessEffect, 'studentId' | 'name'>): boolean {
  const hasSameEnd =
    endsAt.from instanceof Date && endsAt.to instanceof Date
      ? endsAt.from.getTime() === endsAt.to.getTime()
      : endsAt.from === endsAt.to
  return opens.length + closes.length + moves.length === 0 && hasSameEnd
}

/** The grant with a new state, in its own group. */
function grantWithState(
  enrolment: Enrolment,
  grant: EnrolmentGrant,
  state: GrantState,
  { group }: EffectContext,
): EnrolmentGrant {
  const ownGroup = group && grant.groupId === group.id ? group : grant.group
  return buildGrant({
    ...enrolment,
    grant: { ...grant, ...state },
    group: ownGroup,
    firstOpened: firstOpenedAt(enrolment),
  })
}

function grantFromPlan(enrolment: Enrolment, newGrant: NewGrant, { group }: EffectContext): EnrolmentGrant {
  const ownGroup = newGrant.sourceType === 'group' ? group : null
  return buildGrant({
    ...enrolment,
    grant: { ...newGrant, id: 'new' },
    group: ownGroup,
    firstOpened: firstOpenedAt(enrolment),
  })
}

function firstOpenedAt({ lessons }: Enrolment): Date | null {
  const opened = lessons.flatMap(({ openedAt }) => (openedAt ? [openedAt.getTime()] : []))
  return opened.length > 0 ? new Date(Math.min(...opened)) : null
}
