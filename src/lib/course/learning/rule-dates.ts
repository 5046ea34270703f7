import { type AccessOverrideFacts, accessOfGrant, type GrantFacts } from '../access/access.ts'
import { evaluateRules, type RuleContext } from '../access/access-rule.ts'
import { type Enrolment, outlineAccessOf } from '../access/enrolment.ts'
import type { AccessRule } from '../schema.ts'

/** The time at which rules open under a grant; null when they name no time. */
export function ruleDateUnderGrant(
  rules: readonly AccessRule[],
  grant: GrantFacts,
  shiftDays: number,
  position: Pick<RuleContext, 'lessons' | 'index'> = { lessons: [], index: 0 },
): Date | null {
  const { start, frozen, zone } = grant
  // Evaluated at the epoch, rules return the time at which they open.
  const now = new Date(0)
  const context = { ...position, now, startsAt: start, frozen, zone, shiftDays, checkedModules: new Map() }
  return evaluateRules(rules, context).at ?? null
}

/** Days by which overrides move the rules: the student's, else the group's, else the course's; the latest counts. */
export function shiftDaysFor(
  overrides: readonly AccessOverrideFacts[],
  { groupId }: Pick<GrantFacts, 'groupId'>,
  lessonId: string,
): number {
  const specificity = (override: AccessOverrideFacts): number => (override.studentId ? 2 : override.groupId ? 1 : 0)
  const [latest] = overrides
    .filter(
      (override) => override.effect === 'shiftDays' && (override.lessonId === null || override.lessonId === lessonId),
    )
    .filter((override) => override.groupId === null || override.groupId === groupId)
    .sort((a, b) => specificity(b) - specificity(a) || b.at.getTime() - a.at.getTime())
  return latest?.days ?? 0
}

/** Days by which the dates of a lesson and of its homework are moved: by the group as a whole, and by overrides. */
export const totalShiftDays = (
  overrides: readonly AccessOverrideFacts[],
  grant: GrantFacts,
  lessonId: string,
): number => (grant.scheduleOffsetDays ?? 0) + shiftDaysFor(overrides, grant, lessonId)

interface LessonOpening {
  lessonId: string
  title: string
  opensAt: Date
}

/**
 * The lessons of an enrolment that open, or have opened, at a time named by their rules. Lessons that are always open,
 * closed, or open after another lesson are not included.
 */
export function lessonOpenings(enrolment: Enrolment, now: Date): LessonOpening[] {
  const { grants, overrides, lessons } = enrolment
  const access = outlineAccessOf(enrolment, now)
  const current = grants.filter((grant) => accessOfGrant(grant, now).allow)
  return lessons.flatMap(({ id: lessonId, title, availability, moduleAvailability }, index) => {
    const result = access[index]
    if (!result?.allow) {
      return result?.reason === 'opens_at' && result.at ? [{ lessonId, title, opensAt: result.at }] : []
    }
    if (result.reason !== 'open') return []
    const dates = current.map((grant) => {
      return ruleDateUnderGrant([moduleAvailability, availability], grant, totalShiftDays(overrides, grant, lessonId))
    })
    const known = dates.flatMap((date) => date ?? [])
    const opensAt = known.length === dates.length ? known.sort((a, b) => a.getTime() - b.getTime())[0] : undefined
    return opensAt && opensAt <= now ? [{ lessonId, title, opensAt }] : []
  })
}
