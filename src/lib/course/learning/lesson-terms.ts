import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { accessOfGrant } from '../access/access.ts'
import type { Access } from '../access/access-reason.ts'
import { type Enrolment, hasCuratorSupport, loadEnrolment, outlineAccessOf } from '../access/enrolment.ts'
import type { AccessRule } from '../schema.ts'
import { ruleDateUnderGrant, totalShiftDays } from './rule-dates.ts'

export interface LessonTerms {
  courseId: string
  access: Access
  /** Curators review the student's homework and answer questions. */
  hasCuratorSupport: boolean
  /** The time at which a rule opens, under the most permissive grant; null when the rule names no time. */
  ruleDateOf: (rule: AccessRule) => Date | null
}

/**
 * Access of a student to a lesson, and the dates of rules for this student: counted from the student's start, with
 * freezes and overrides. Refuses with not_found without a grant.
 */
export async function getLessonTerms(
  tx: Tx,
  { studentId, lessonId }: { studentId: string; lessonId: string },
  now = new Date(),
): Promise<LessonTerms> {
  const courseId = courseOfLesson(lessonId)
  const enrolment = await loadEnrolment(tx, { studentId, courseId })
  const access = outlineAccessOf(enrolment, now)[enrolment.lessons.findIndex(({ id }) => id === lessonId)]
  if (!access || enrolment.grants.every(({ revokedAt }) => revokedAt)) throw new Refusal('not_found')
  return {
    courseId: enrolment.course.id,
    access,
    hasCuratorSupport: hasCuratorSupport(enrolment, now),
    ruleDateOf: (rule) => latestRuleDate(enrolment, lessonId, rule, now),
  }
}

/** The course of a lesson, as a subquery. */
export const courseOfLesson = (lessonId: string): SQL<string> => sql`(select l.course_id from lesson l
  where l.tenant_id = current_tenant() and l.id = ${lessonId})`

/** The time at which a rule opens for an enrolment, under the most permissive current grant; null when there is none. */
export function latestRuleDate(
  { grants, overrides, lessons }: Enrolment,
  lessonId: string,
  rule: AccessRule,
  now: Date,
): Date | null {
  const index = lessons.findIndex(({ id }) => id === lessonId)
  const dates = grants
    .filter((grant) => accessOfGrant(grant, now).allow)
    .flatMap(
      (grant) =>
        ruleDateUnderGrant([rule], grant, totalShiftDays(overrides, grant, lessonId), { lessons, index }) ?? [],
    )
  return dates.length > 0 ? new Date(Math.max(...dates.map((date) => date.getTime()))) : null
}
