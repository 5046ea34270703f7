import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { QuestionContent } from '../../question/schema.ts'
import { questionVersion } from '../../question/table.ts'
import type { FrozenQuestion } from '../schema.ts'
import { quizAnswer, quizAttempt } from '../table.ts'

interface VersionRow {
  questionId: string
  version: number
  content: QuestionContent
}

/** The answers of an attempt, and versions of its questions. */
export interface AttemptContents {
  /** Null: there is no such attempt. */
  attemptId: string | null
  answers: (typeof quizAnswer.$inferSelect)[]
  versions: VersionRow[]
}

const versionColumns = {
  questionId: questionVersion.questionId,
  version: questionVersion.version,
  content: questionVersion.content,
}

/** The content of frozen questions by question id. */
export async function loadFrozenContents(
  tx: Tx,
  questions: readonly FrozenQuestion[],
): Promise<Map<string, QuestionContent>> {
  if (questions.length === 0) return new Map()
  const ids = questions.map(({ questionId }) => questionId)
  const rows = await tx.select(versionColumns).from(questionVersion).where(inArray(questionVersion.questionId, ids))
  return pickFrozen(rows, questions)
}

/** The versions whose keys are used since a regrading. */
export const keyQuestions = (questions: readonly FrozenQuestion[]): FrozenQuestion[] =>
  questions.map((frozen) => ({ ...frozen, version: frozen.keyVersion ?? frozen.version }))

/** The content of frozen questions among the loaded versions, by question id. */
export function pickFrozen(
  rows: readonly VersionRow[],
  questions: readonly FrozenQuestion[],
): Map<string, QuestionContent> {
  const versions = new Map(questions.map(({ questionId, version }) => [questionId, version]))
  return new Map(
    rows
      .filter(({ questionId, version }) => versions.get(questionId) === version)
      .map(({ questionId, content }) => [questionId, content]),
  )
}

/** The id of a student's running attempt as a subquery. */
export const runningAttemptId = (quizId: string, studentId: string): SQL<string> =>
  sql`(select r.id from quiz_attempt r where r.tenant_id = current_tenant() and r.quiz_id = ${quizId}
    and r.student_id = ${studentId} and r.state in ('inProgress', 'overdue'))`

/** The id of a student's last attempt that is not running, as a subquery. */
export const lastFinishedAttemptId = (quizId: string, studentId: string): SQL<string> =>
  sql`(select r.id from quiz_attempt r where r.tenant_id = current_tenant() and r.quiz_id = ${quizId}
    and r.student_id = ${studentId} and r.state not in ('inProgress', 'overdue') order by r.number desc limit 1)`

/**
 * Loads the answers of an attempt and the versions of its questions, those of their keys included, before its row is
 * known: a page needs no round trip of its own for them. `page` (from 0, null: the reached one) restricts the versions to
 * the questions of a page.
 */
export async function loadAttemptContents(
  tx: Tx,
  attemptId: SQL<string> | string,
  only?: { page: number | null },
): Promise<AttemptContents> {
  const onPage = only
    ? sql`and (a.rules->>'perPage' is null or (f.position - 1) / (a.rules->>'perPage')::int =
        case when a.rules->>'navigation' = 'forward' then a.page else coalesce(${only.page}::int, a.page) end)`
    : sql``
  const [[attempt], answers, versions] = await Promise.all([
    tx.select({ id: quizAttempt.id }).from(quizAttempt).where(eq(quizAttempt.id, attemptId)),
    tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, attemptId)),
    tx
      .select(versionColumns)
      .from(questionVersion)
      .where(sql`(${questionVersion.questionId}, ${questionVersion.version}) in (
      select (f.frozen->>'questionId')::uuid, v.version
      from quiz_attempt a, jsonb_array_elements(a.questions) with ordinality as f (frozen, position),
        unnest(array[(f.frozen->>'version')::int, (f.frozen->>'keyVersion')::int]) as v (version)
      where a.tenant_id = current_tenant() and a.id = ${attemptId} ${onPage})`),
  ])
  return { attemptId: attempt?.id ?? null, answers, versions }
}
