import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { type Access, mostPermissive } from '#lib/course/access/access-reason.ts'
import { courseAccessOf, type Enrolment, loadEnrolment, outlineAccessOf } from '#lib/course/access/enrolment.ts'
import { lesson } from '#lib/course/table.ts'
import type { QuizRow } from '../lock-quiz.ts'
import { isOffered } from '../rules.ts'
import { quiz, quizOverride } from '../table.ts'
import { type EffectiveSettings, effectiveSettings } from './rules.ts'
import { quizAttempt } from './table.ts'

export type QuizAttemptRow = typeof quizAttempt.$inferSelect

/** A test as one student may take it. */
export interface QuizOffer {
  quiz: QuizRow
  settings: EffectiveSettings
  /** The student's attempts in their order. */
  attempts: QuizAttemptRow[]
  /** Why no attempt can be started now: the lessons that contain the test are closed to the student. */
  closedLesson: Access | null
}

/** A test that a student with a grant cannot open now, and why. */
export interface ClosedQuiz {
  quiz: QuizRow
  closed: Access
}

/**
 * Loads a test for a student with a grant to its course. Refuses with not_found (not offered, no grant), and with
 * forbidden and the reason while the course, or every lesson that contains the test, is closed to the student.
 */
export async function loadOffer(tx: Tx, input: { quizId: string; studentId: string }, now: Date): Promise<QuizOffer> {
  const found = await findOffer(tx, input, now)
  if ('closed' in found) throw new Refusal('forbidden', { data: { reason: found.closed.reason } })
  return found
}

/** As loadOffer, but returns why the test is closed. Refuses with not_found. */
export async function findOffer(
  tx: Tx,
  { quizId, studentId }: { quizId: string; studentId: string },
  now: Date,
): Promise<QuizOffer | ClosedQuiz> {
  const courseId = sql<string>`(select q.course_id from quiz q where q.tenant_id = current_tenant() and q.id = ${quizId})`
  const [[row], enrolment, overrides, lessons, attempts] = await Promise.all([
    tx.select().from(quiz).where(eq(quiz.id, quizId)),
    // Refuses with not_found a test that has no course.
    loadEnrolment(tx, { studentId, courseId }),
    loadOverrides(tx, quizId, studentId),
    tx
      .select({ id: lesson.id })
      .from(lesson)
      .where(and(eq(lesson.courseId, courseId), sql`${lesson.testIds} ? ${quizId}`)),
    tx
      .select()
      .from(quizAttempt)
      .where(and(eq(quizAttempt.quizId, quizId), eq(quizAttempt.studentId, studentId)))
      .orderBy(asc(quizAttempt.number)),
  ])
  if (!row || row.deletedAt !== null) throw new Refusal('not_found')
  // Attempts remain visible when the test is withdrawn.
  if (!isOffered(row) && attempts.length === 0) throw new Refusal('not_found')
  if (enrolment.grants.every(({ revokedAt }) => revokedAt)) throw new Refusal('not_found')
  const access = courseAccessOf(enrolment, now)
  if (!access.allow) return { quiz: row, closed: access }
  const closedLesson = closedLessonOf(enrolment, new Set(lessons.map(({ id }) => id)), now)
  // Attempts may still be viewed when the lesson is closed.
  if (closedLesson && attempts.length === 0) return { quiz: row, closed: closedLesson }
  return { quiz: row, settings: effectiveSettings(row, overrides), attempts, closedLesson }
}

/** A test that no visible lesson contains is open with the course. */
function closedLessonOf(enrolment: Enrolment, lessonIds: ReadonlySet<string>, now: Date): Access | null {
  const access = outlineAccessOf(enrolment, now).filter((_, index) => lessonIds.has(enrolment.lessons[index]?.id ?? ''))
  return access.length === 0 || access.some(({ allow }) => allow) ? null : mostPermissive(access)
}

function loadOverrides(tx: Tx, quizId: string, studentId: string) {
  const ownGroups = sql`(select g.source_id from enrolled_grants() g
    where g.student_id = ${studentId} and g.source_type = 'group')`
  return tx
    .select()
    .from(quizOverride)
    .where(
      and(
        eq(quizOverride.quizId, quizId),
        or(eq(quizOverride.studentId, studentId), inArray(quizOverride.groupId, ownGroups)),
      ),
    )
}
