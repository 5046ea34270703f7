import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { FrozenQuestion } from '../attempt/schema.ts'
import type { QuestionContent } from '../question/schema.ts'
import { question, questionVersion } from '../question/table.ts'
import type { CorrectedKey } from './schema.ts'

/** A question that was edited after there were attempts at the test. */
export interface EditedQuestion {
  questionId: string
  title: string
  /** The current version. */
  version: number
  /** Number of attempts that were scored by an earlier version. */
  attempts: number
}

/** The questions of attempts at a test that have a newer version of the same type than the one that scored them. */
export async function listEditedQuestions(tx: Tx, quizId: string): Promise<EditedQuestion[]> {
  const { rows } = await tx.execute<EditedQuestion & Record<string, unknown>>(sql`
    select q.id as "questionId", q.title, q.version, count(*)::int as attempts
      from quiz_attempt a
      cross join lateral jsonb_to_recordset(a.questions) as f("questionId" uuid, version int, "keyVersion" int)
      join question q on q.tenant_id = a.tenant_id and q.id = f."questionId"
      join question_version v on v.tenant_id = q.tenant_id and v.question_id = q.id and v.version = f.version
     where a.tenant_id = current_tenant() and a.quiz_id = ${quizId}::uuid and a.state <> 'abandoned'
       and q.version > coalesce(f."keyVersion", f.version) and q.type = v.content ->> 'type' and q.deleted_at is null
     group by q.id, q.title, q.version
     order by q.title, q.id`)
  return rows
}

/** The contents of these versions by question id. */
export async function loadCorrectedContents(
  tx: Tx,
  keys: readonly CorrectedKey[],
): Promise<Map<string, QuestionContent>> {
  if (keys.length === 0) return new Map()
  const rows = await tx
    .select({ id: questionVersion.questionId, version: questionVersion.version, content: questionVersion.content })
    .from(questionVersion)
    .where(
      inArray(
        questionVersion.questionId,
        keys.map(({ questionId }) => questionId),
      ),
    )
  const versions = new Map(keys.map(({ questionId, version }) => [questionId, version]))
  return new Map(rows.filter(({ id, version }) => versions.get(id) === version).map(({ id, content }) => [id, content]))
}

/** Whether these are still the current versions: a key that was corrected again needs a new preview. */
export async function areCurrent(tx: Tx, keys: readonly CorrectedKey[]): Promise<boolean> {
  const rows = await tx
    .select({ id: question.id, version: question.version })
    .from(question)
    .where(
      and(
        inArray(
          question.id,
          keys.map(({ questionId }) => questionId),
        ),
        isNull(question.deletedAt),
      ),
    )
  return keys.every(({ questionId, version }) => rows.some((row) => row.id === questionId && row.version === version))
}

/** The questions of an attempt with the corrected keys; null when nothing changes. */
export function withCorrectedKeys(
  questions: readonly FrozenQuestion[],
  keys: ReadonlyMap<string, number>,
): FrozenQuestion[] | null {
  const next = questions.map((frozen) => {
    const version = keys.get(frozen.questionId)
    return version !== undefined && version > (frozen.keyVersion ?? frozen.version)
      ? { ...frozen, keyVersion: version }
      : frozen
  })
  return next.some((frozen, index) => frozen !== questions[index]) ? next : null
}
