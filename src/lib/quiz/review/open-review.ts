import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { chooseReviewer } from '#lib/course/choose-reviewer.ts'
import { course } from '#lib/course/table.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { quiz } from '../table.ts'
import { quizReview } from './table.ts'

/**
 * Adds a submitted attempt to the review queue, with the response time of its course. The reviewer is chosen as for
 * homework: the one of the student's previous attempt, or the deputy of a member on vacation.
 */
export async function openReview(
  tx: Tx,
  { tenantId, id: attemptId, quizId, studentId }: Pick<QuizAttemptRow, 'tenantId' | 'id' | 'quizId' | 'studentId'>,
  submittedAt: Date,
): Promise<void> {
  const [[place], [previous]] = await Promise.all([
    tx
      .select({ courseId: course.id, hours: course.homeworkSlaHours })
      .from(quiz)
      .innerJoin(course, and(eq(course.tenantId, quiz.tenantId), eq(course.id, quiz.courseId)))
      .where(eq(quiz.id, quizId)),
    tx
      .select({ assignedTo: quizReview.assignedTo })
      .from(quizReview)
      .where(and(eq(quizReview.quizId, quizId), eq(quizReview.studentId, studentId), isNotNull(quizReview.assignedTo)))
      .orderBy(desc(quizReview.submittedAt))
      .limit(1),
  ])
  if (!place) return
  const { courseId, hours } = place
  const assignedTo = await chooseReviewer(tx, { assignedTo: previous?.assignedTo ?? null, courseId })
  const answerBy = hours === null ? null : new Date(submittedAt.getTime() + hours * HOUR_MS)
  await tx
    .insert(quizReview)
    .values({ tenantId, attemptId, quizId, courseId, studentId, state: 'waiting', submittedAt, answerBy, assignedTo })
    .onConflictDoUpdate({ target: [quizReview.tenantId, quizReview.attemptId], set: { state: 'waiting' } })
}
