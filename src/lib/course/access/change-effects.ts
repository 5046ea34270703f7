import { endOf } from './access.ts'
import type { NewGrant, Plan } from './change-plan.ts'
import { accessOf, grantOf, type Study, type StudyGrant } from './enrolment.ts'
import type { Pupil } from './student-rows.ts'

/** What a change means for one student. */
export interface Effect {
  studentId: string
  name: string
  /** Lessons that open, and that close. */
  opens: string[]
  closes: string[]
  /** Lessons whose day moves. */
  moves: { title: string; from: Date | null; to: Date | null }[]
  /** When the access of the student ends as a whole; null: it has no end. `none`: there is none. */
  ends: { from: Date | null | 'none'; to: Date | null | 'none' }
}

interface Around {
  group: { id: string; name: string; startAt: Date; endAt: Date | null; timeZone: string } | null
  now: Date
}

/** Before and after by the function that enforces access; students for whom nothing changes are left out. */
export function effectsOf(pupils: readonly Pupil[], plan: Plan, around: Around): Effect[] {
  const becomes = new Map(plan.grants.map((one) => [one.id, one.becomes]))
  const ended = new Set(plan.ended)
  const made = Map.groupBy(plan.made, ({ studentId }) => studentId)
  return pupils.flatMap((pupil) => {
    const { study, studentId, name, email } = pupil
    const standing = study.grants.map((grant) => {
      const state = becomes.get(grant.id)
      return state ? regrant(study, grant, state, around) : grant
    })
    const fresh = (made.get(studentId) ?? []).map((grant) => newcomer(study, grant, around))
    const said = plan.said
      .filter((one) => one.studentId === studentId || one.studentId === null)
      .map((one, index) => ({ ...one, id: `new ${index}`, at: around.now, note: '', by: '' }))
    const after: Study = {
      ...study,
      grants: [...standing, ...fresh],
      overrides: [...study.overrides.filter(({ id }) => !ended.has(id)), ...said],
    }
    const effect = { studentId, name: name || email, ...compared(study, after, around.now) }
    return isNothing(effect) ? [] : [effect]
  })
}

function compared(before: Study, after: Study, now: Date): Omit<Effect, 'studentId' | 'name'> {
  const [was, is] = [accessOf(before, now), accessOf(after, now)]
  const pairs = before.lessons.map(({ title }, index) => ({ title, from: was[index], to: is[index] }))
  return {
    opens: pairs.filter(({ from, to }) => !from?.allow && to?.allow).map(({ title }) => title),
    closes: pairs.filter(({ from, to }) => from?.allow && !to?.allow).map(({ title }) => title),
    moves: pairs
      .filter(({ from, to }) => !from?.allow && !to?.allow && from?.at?.getTime() !== to?.at?.getTime())
      .map(({ title, from, to }) => ({ title, from: from?.at ?? null, to: to?.at ?? null })),
    ends: { from: lastEnd(before.grants, now), to: lastEnd(after.grants, now) },
  }
}

/** When the last of a student's grants ends. */
function lastEnd(grants: readonly StudyGrant[], now: Date): Date | null | 'none' {
  const ends = grants.filter(({ revokedAt }) => !revokedAt || revokedAt > now).map((grant) => endOf(grant))
  if (ends.length === 0) return 'none'
  if (ends.includes(null)) return null
  return new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0)))
}

function isNothing({ opens, closes, moves, ends }: Omit<Effect, 'studentId' | 'name'>): boolean {
  const same =
    ends.from instanceof Date && ends.to instanceof Date
      ? ends.from.getTime() === ends.to.getTime()
      : ends.from === ends.to
  return opens.length + closes.length + moves.length === 0 && same
}

/** A grant with another state, in the group that it has. */
function regrant(
  study: Study,
  grant: StudyGrant,
  state: Plan['grants'][number]['becomes'],
  { group }: Around,
): StudyGrant {
  const own = group && grant.groupId === group.id ? group : grant.group
  return grantOf({ ...study, grant: { ...grant, ...state }, group: own, firstOpened: firstOf(study) })
}

function newcomer(study: Study, made: NewGrant, { group }: Around): StudyGrant {
  const own = made.sourceType === 'group' ? group : null
  return grantOf({ ...study, grant: { ...made, id: 'new' }, group: own, firstOpened: firstOf(study) })
}

function firstOf({ lessons }: Study): Date | null {
  const opened = lessons.flatMap(({ openedAt }) => (openedAt ? [openedAt.getTime()] : []))
  return opened.length > 0 ? new Date(Math.min(...opened)) : null
}
