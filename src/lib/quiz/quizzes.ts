import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QuizStatus } from '#lib/core/shared/quiz.ts'
import { course } from '#lib/course/table.ts'
import { requireQuizReader } from './permission.ts'
import type { ListQuizzes } from './schema.ts'
import { quiz } from './table.ts'

export interface QuizListRow {
  id: string
  title: string
  courseId: string | null
  courseTitle: string | null
  status: QuizStatus
  hidden: boolean
  /** Number of questions of an attempt. */
  questions: number
  /** Number of submitted attempts. */
  attempts: number
  revision: number
  updatedAt: Date
}

/** Tests of the tenant or of a course, latest change first; one statement. Refuses with forbidden, invalid (cursor). */
export async function listQuizzes(
  actor: Actor,
  { q, courseId, status, cursor, limit }: ListQuizzes,
): Promise<{ items: QuizListRow[]; next: string | null }> {
  requireQuizReader(actor)
  const after = readCursor(InstantKey, cursor)
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        id: quiz.id,
        title: quiz.title,
        courseId: quiz.courseId,
        courseTitle: course.title,
        status: quiz.status,
        hidden: quiz.hidden,
        questions: sql<number>`(
          (select count(*) from quiz_question qq where qq.tenant_id = ${quiz.tenantId} and qq.quiz_id = ${quiz.id})
          + (select coalesce(sum(s.count), 0) from quiz_section s
             where s.tenant_id = ${quiz.tenantId} and s.quiz_id = ${quiz.id} and s.pick = 'random'))::int`,
        attempts: sql<number>`(select count(*)::int from quiz_attempt a where a.tenant_id = ${quiz.tenantId}
          and a.quiz_id = ${quiz.id} and a.state in ('submitted', 'needsReview', 'graded'))`,
        revision: quiz.revision,
        updatedAt: quiz.updatedAt,
        at: microsecondsOf(quiz.updatedAt),
      })
      .from(quiz)
      .leftJoin(course, and(eq(course.tenantId, quiz.tenantId), eq(course.id, quiz.courseId)))
      .where(
        and(
          isNull(quiz.deletedAt),
          courseId ? eq(quiz.courseId, courseId) : undefined,
          status ? eq(quiz.status, status) : undefined,
          matchesSearch(q, quiz.title),
          after ? sql`(${quiz.updatedAt}, ${quiz.id}) < ${rowOfKey(after)}` : undefined,
        ),
      )
      .orderBy(desc(quiz.updatedAt), desc(quiz.id))
      .limit(limit + 1),
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(({ at: _, ...item }) => item),
    next: last ? writeCursor(InstantKey, last) : null,
  }
}
