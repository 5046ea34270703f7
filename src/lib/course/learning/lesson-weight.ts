import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type GrantFacts, grantAccess, type OverrideFacts } from '../access/access.ts'
import type { Access } from '../access/access-reason.ts'
import { ruleAccess, type View } from '../access/access-rule.ts'
import { accessOf, loadStudy, type Study } from '../access/enrolment.ts'
import type { AccessRule } from '../schema.ts'
import { lesson } from '../table.ts'

export interface WeighedLesson {
  courseId: string
  access: Access
  /** The moment at which a rule would let something in, under the most generous grant; null when it names no moment. */
  termOf: (rule: AccessRule) => Date | null
}

/**
 * Whether a lesson is open to a student, and when terms that are set by its rules fall for them: counted from their own
 * start, past their freezes, moved by what was said by hand. Refuses with not_found without a grant.
 */
export async function weighLesson(
  tx: Tx,
  { studentId, lessonId }: { studentId: string; lessonId: string },
  now = new Date(),
): Promise<WeighedLesson> {
  const [found] = await tx.select({ courseId: lesson.courseId }).from(lesson).where(eq(lesson.id, lessonId))
  if (!found) throw new Refusal('not_found')
  const study = await loadStudy(tx, { studentId, courseId: found.courseId })
  const access = accessOf(study, now)[study.lessons.findIndex(({ id }) => id === lessonId)]
  if (!access || study.grants.every(({ revokedAt }) => revokedAt)) throw new Refusal('not_found')
  return { courseId: found.courseId, access, termOf: (rule) => latestTerm(study, lessonId, rule, now) }
}

function latestTerm({ grants, overrides, lessons }: Study, lessonId: string, rule: AccessRule, now: Date): Date | null {
  const index = lessons.findIndex(({ id }) => id === lessonId)
  const terms = grants
    .filter((grant) => grantAccess(grant, now).allow)
    .flatMap((grant) => termUnder(rule, grant, shiftFor(overrides, grant, lessonId), { lessons, index }) ?? [])
  return terms.length > 0 ? new Date(Math.max(...terms.map((one) => one.getTime()))) : null
}

function termUnder(rule: AccessRule, grant: GrantFacts, shift: number, place: Pick<View, 'lessons' | 'index'>) {
  const { start, frozen, zone } = grant
  // Asked at the beginning of time, a rule says when it will let somebody in.
  return ruleAccess([rule], { ...place, now: new Date(0), start, frozen, zone, shift, past: new Map() }).at ?? null
}

/** Days by which the student's, else the group's, else everybody's rules are moved; the last word counts. */
function shiftFor(overrides: readonly OverrideFacts[], { groupId }: GrantFacts, lessonId: string): number {
  const weight = (one: OverrideFacts): number => (one.studentId ? 2 : one.groupId ? 1 : 0)
  const [said] = overrides
    .filter((one) => one.effect === 'shiftDays' && (one.lessonId === null || one.lessonId === lessonId))
    .filter((one) => one.groupId === null || one.groupId === groupId)
    .sort((a, b) => weight(b) - weight(a) || b.at.getTime() - a.at.getTime())
  return said?.days ?? 0
}
