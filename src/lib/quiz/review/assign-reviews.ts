import { and, count, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { membership, user } from '#lib/user/table.ts'
import { quiz } from '../table.ts'
import { quizReview } from './table.ts'

/** The courses of the attempts; null: all of the tenant. */
type Courses = readonly string[] | null

const inCourses = (courses: Courses) => (courses ? inArray(quizReview.courseId, [...courses]) : undefined)

/** The reviews among these attempts in the courses, with names; attempts without a review are omitted. */
export function listReviewsOf(tx: Tx, attemptIds: readonly string[], courses: Courses) {
  return tx
    .select({
      attemptId: quizReview.attemptId,
      state: quizReview.state,
      title: quiz.title,
      student: personName(user),
    })
    .from(quizReview)
    .innerJoin(quiz, and(eq(quiz.tenantId, quizReview.tenantId), eq(quiz.id, quizReview.quizId)))
    .innerJoin(membership, and(eq(membership.tenantId, quizReview.tenantId), eq(membership.id, quizReview.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(inArray(quizReview.attemptId, [...attemptIds]), inCourses(courses)))
    .orderBy(quizReview.submittedAt, quizReview.attemptId)
}

/**
 * Assigns waiting attempts to a reviewer, or to nobody with null; attempts outside the courses are skipped. Returns the
 * assigned ids. The caller has checked that the member is a reviewer.
 */
export async function assignReviews(
  tx: Tx,
  { attemptIds, memberId, courses }: { attemptIds: readonly string[]; memberId: string | null; courses: Courses[] },
): Promise<string[]> {
  const rows = await tx
    .update(quizReview)
    .set({ assignedTo: memberId })
    .where(
      and(inArray(quizReview.attemptId, [...attemptIds]), eq(quizReview.state, 'waiting'), ...courses.map(inCourses)),
    )
    .returning({ attemptId: quizReview.attemptId })
  return rows.map(({ attemptId }) => attemptId)
}

const isWaitingFor = (memberId: string) => and(eq(quizReview.assignedTo, memberId), eq(quizReview.state, 'waiting'))

/** The number of attempts that wait for a member. */
export async function countReviewsOf(tx: Tx, memberId: string): Promise<number> {
  const [row] = await tx.select({ reviews: count() }).from(quizReview).where(isWaitingFor(memberId))
  return row?.reviews ?? 0
}

/** Reassigns the attempts that wait for a member to another one, or to nobody. Returns their courses. */
export async function handOverReviews(tx: Tx, memberId: string, heirId: string | null): Promise<string[]> {
  const rows = await tx
    .update(quizReview)
    .set({ assignedTo: heirId })
    .where(isWaitingFor(memberId))
    .returning({ courseId: quizReview.courseId })
  return rows.map(({ courseId }) => courseId)
}
