import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { course } from '#lib/course/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { isReviewerOf } from '../permission.ts'
import { quiz, quizOverride } from '../table.ts'

/** The test of a review page with its course, and whether the actor belongs to the staff of that course. */
export async function loadPlace(tx: Tx, actor: Actor, quizId: string) {
  const [row] = await tx
    .select({
      quiz: { id: quiz.id, title: quiz.title, passPercent: quiz.passPercent },
      course: { id: course.id, title: course.title },
      isAssigned: isReviewerOf(actor),
    })
    .from(quiz)
    .innerJoin(course, and(eq(course.tenantId, quiz.tenantId), eq(course.id, quiz.courseId)))
    .where(eq(quiz.id, quizId))
  return row ?? null
}

export interface ReviewedStudent {
  id: string
  name: string
  email: string
}

/** A student, and whether they have or had access to the course of the test. */
export async function loadReviewedStudent(
  tx: Tx,
  quizId: string,
  studentId: string,
): Promise<{ view: ReviewedStudent; hasAccess: boolean } | null> {
  const [row] = await tx
    .select({
      view: {
        id: membership.id,
        name: personName(user),
        email: user.email,
      },
      hasAccess: sql<boolean>`exists (select 1 from access_grant g join quiz q on q.tenant_id = g.tenant_id
        and q.course_id = g.course_id where g.tenant_id = current_tenant() and q.id = ${quizId}::uuid
        and g.student_id = ${studentId}::uuid)`,
    })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  return row ?? null
}

/** The allowances of a student in addition to the settings of the test. */
export interface StudentAllowance {
  overrideId: string | null
  openAt: Date | null
  closeAt: Date | null
  timeLimitSec: number | null
  extraAttempts: number
  extraTimeSec: number
}

const NO_ALLOWANCE: StudentAllowance = {
  overrideId: null,
  openAt: null,
  closeAt: null,
  timeLimitSec: null,
  extraAttempts: 0,
  extraTimeSec: 0,
}

/** The exception of the student; those of groups are shown on the page of the test. */
export async function loadAllowance(tx: Tx, quizId: string, studentId: string): Promise<StudentAllowance> {
  const [row] = await tx
    .select({
      overrideId: quizOverride.id,
      openAt: quizOverride.openAt,
      closeAt: quizOverride.closeAt,
      timeLimitSec: quizOverride.timeLimitSec,
      extraAttempts: quizOverride.extraAttempts,
      extraTimeSec: quizOverride.extraTimeSec,
    })
    .from(quizOverride)
    .where(and(eq(quizOverride.quizId, quizId), eq(quizOverride.studentId, studentId)))
  return row ?? NO_ALLOWANCE
}
