import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { ATTEMPT_STATES, type AttemptState } from '#lib/core/shared/quiz.ts'
import type { Risk } from '#lib/student/card/rules.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'

const PAGE_SIZE = 30
/** Failed attempts at a test, none passed, that are a risk. */
const FAILED_ATTEMPTS = 2
const MAX_FAILED_TESTS = 5

/**
 * The sections of tests in the student card: a tab with the attempts, the times of their submissions and marks, and
 * tests that the student fails.
 */
export const quizCardSection: CardSection = {
  key: 'tests',
  labelKey: 'quizeditor:card.tab',
  list: listAttempts,
  timeline: (studentId) => [
    attemptEntries(studentId, 'submitted_at', 'tested', sql`true`),
    attemptEntries(studentId, 'graded_at', 'marked', sql`a.graded_at > a.submitted_at + interval '1 minute'`),
  ],
  risks: findFailedTests,
}

/** Marks at the time of the submission are automatic. */
function attemptEntries(studentId: string, column: string, kind: string, condition: SQL): SQL {
  return sql`select a.${sql.raw(column)} as at, a.id, ${kind}::text as kind, q.title,
      '/test/' || a.quiz_id || '/' || a.student_id as href
    from quiz_attempt a join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
    where a.tenant_id = current_tenant() and a.student_id = ${studentId} and a.${sql.raw(column)} is not null
      and ${condition}`
}

const Row = z.object({
  id: z.string(),
  quizId: z.string(),
  title: z.string(),
  course: z.string().nullable(),
  number: z.number(),
  state: z.enum(ATTEMPT_STATES),
  passed: z.boolean().nullable(),
  percent: z.number().nullable(),
  at: z.coerce.date(),
  micros: z.string(),
})

async function listAttempts(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const after = readCursor(InstantKey, cursor)
  const older = after ? sql`and (a.started_at, a.id) < ${rowOfKey(after)}` : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select a.id, a.quiz_id as "quizId", q.title, c.title as course, a.number, a.state, a.passed,
      floor(100 * a.score / nullif(a.max_score, 0))::int as percent,
      coalesce(a.submitted_at, a.started_at) as at, ${microsecondsOf(sql`a.started_at`)} as micros
    from quiz_attempt a join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
      left join course c on c.tenant_id = q.tenant_id and c.id = q.course_id
    where a.tenant_id = current_tenant() and a.student_id = ${studentId} ${older}
    order by a.started_at desc, a.id desc limit ${PAGE_SIZE + 1}`)
  const found = rows.map((row) => parseStored(Row, row))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map(({ id, quizId, title, course, state, passed, percent, at }) => ({
      id,
      title,
      context: course,
      percent,
      at,
      href: `/test/${quizId}/${studentId}`,
      stateKey: `quizeditor:attemptState.${attemptCardState(state, passed)}` as const,
      isGood: passed,
      noteKey: null,
    })),
    next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
  }
}

const attemptCardState = (state: AttemptState, passed: boolean | null) =>
  passed === null ? state : passed ? ('passed' as const) : ('failed' as const)

/** Tests that students can take and that this one has failed twice without passing, the latest first. */
async function findFailedTests(tx: Tx, studentId: string): Promise<Risk[]> {
  const { rows } = await tx.execute<{ title: string; failed: number }>(sql`
    select q.title, count(*)::int as failed
    from quiz_attempt a join quiz q on q.tenant_id = a.tenant_id and q.id = a.quiz_id
    where a.tenant_id = current_tenant() and a.student_id = ${studentId} and a.state = 'graded'
      and q.status = 'published' and not q.hidden and q.deleted_at is null
    group by q.id, q.title having count(*) >= ${FAILED_ATTEMPTS} and not bool_or(coalesce(a.passed, false))
    order by max(a.submitted_at) desc limit ${MAX_FAILED_TESTS}`)
  return rows.map(({ title, failed }) => ({ kind: 'failedTest', count: failed, title }))
}
