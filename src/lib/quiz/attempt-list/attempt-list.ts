import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { matchesSearchText } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { AttemptState } from '#lib/core/shared/quiz.ts'
import { membership, user } from '#lib/user/table.ts'
import { quizAttempt } from '../attempt/table.ts'
import { requireQuizReader, requireReviewer } from '../permission.ts'
import type { AttemptFilter, ListAttempts } from './schema.ts'

/** An attempt of any student at a test. */
export interface AttemptListRow {
  id: string
  studentId: string
  student: string
  email: string
  number: number
  state: AttemptState
  startedAt: Date
  submittedAt: Date | null
  score: number | null
  maxScore: number
  passed: boolean | null
}

/** Of the students who answered. */
export async function listAttempts(
  actor: Actor,
  input: ListAttempts,
): Promise<{ items: AttemptListRow[]; next: string | null }> {
  requireQuizReader(actor)
  const { cursor, limit, ...filter } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const [, rows] = await Promise.all([
      requireReviewer(tx, actor, filter.quizId),
      tx
        .select({
          id: quizAttempt.id,
          studentId: quizAttempt.studentId,
          student: personName(user),
          email: user.email,
          number: quizAttempt.number,
          state: quizAttempt.state,
          startedAt: quizAttempt.startedAt,
          submittedAt: quizAttempt.submittedAt,
          score: quizAttempt.score,
          maxScore: quizAttempt.maxScore,
          passed: quizAttempt.passed,
          at: microsecondsOf(quizAttempt.startedAt),
        })
        .from(quizAttempt)
        .innerJoin(
          membership,
          and(eq(membership.tenantId, quizAttempt.tenantId), eq(membership.id, quizAttempt.studentId)),
        )
        .innerJoin(user, eq(user.id, membership.userId))
        .where(
          and(
            ...filterConditions(actor, filter),
            after ? sql`(${quizAttempt.startedAt}, ${quizAttempt.id}) < ${rowOfKey(after)}` : undefined,
          ),
        )
        .orderBy(desc(quizAttempt.startedAt), desc(quizAttempt.id))
        .limit(limit + 1),
    ])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map(({ at: _, ...row }) => row),
      next: last ? writeCursor(InstantKey, last) : null,
    }
  })
}

function filterConditions(
  { timeZone }: Actor,
  { quizId, state, result, q, groupId, from, to }: AttemptFilter,
): (SQL | undefined)[] {
  return [
    eq(quizAttempt.quizId, quizId),
    state ? eq(quizAttempt.state, state) : undefined,
    result ? eq(quizAttempt.passed, result === 'passed') : undefined,
    q ? matchesSearchText(q, sql`${user}.search`) : undefined,
    groupId
      ? sql`exists (select 1 from enrolled_grants() g where g.student_id = ${quizAttempt.studentId}
          and g.source_type = 'group' and g.source_id = ${groupId}::uuid)`
      : undefined,
    from ? sql`${quizAttempt.startedAt} >= (${from}::date::timestamp at time zone ${timeZone})` : undefined,
    to ? sql`${quizAttempt.startedAt} < ((${to}::date + 1)::timestamp at time zone ${timeZone})` : undefined,
  ]
}
