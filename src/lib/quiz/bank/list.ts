import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesSearchText } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { requireQuizReader } from '../permission.ts'
import { question, questionBank } from '../question/table.ts'
import type { ListBankQuestions } from './schema.ts'

export interface QuestionListRow {
  id: string
  title: string
  type: QuestionType
  points: number
  tags: string[]
  difficulty: number
  locale: Locale
  complete: boolean
  bankId: string | null
  bankTitle: string | null
  version: number
  revision: number
  updatedAt: Date
}

/** Questions of the tenant's banks, latest change first; one statement. Refuses with forbidden, invalid (cursor). */
export async function listBankQuestions(
  actor: Actor,
  { q, type, tag, difficulty, bankId, complete, cursor, limit }: ListBankQuestions,
): Promise<{ items: QuestionListRow[]; next: string | null }> {
  requireQuizReader(actor)
  const after = readCursor(InstantKey, cursor)
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        id: question.id,
        title: question.title,
        type: question.type,
        points: question.points,
        tags: question.tags,
        difficulty: question.difficulty,
        locale: question.locale,
        complete: question.complete,
        bankId: question.bankId,
        bankTitle: questionBank.title,
        version: question.version,
        revision: question.revision,
        updatedAt: question.updatedAt,
        at: microsecondsOf(question.updatedAt),
      })
      .from(question)
      .leftJoin(questionBank, and(eq(questionBank.tenantId, question.tenantId), eq(questionBank.id, question.bankId)))
      .where(
        and(
          isNull(question.deletedAt),
          type ? eq(question.type, type) : undefined,
          tag ? sql`${question.tags} @> array[${tag}]::text[]` : undefined,
          difficulty ? eq(question.difficulty, difficulty) : undefined,
          bankId === 'none' ? isNull(question.bankId) : bankId ? eq(question.bankId, bankId) : undefined,
          complete ? eq(question.complete, complete === 'yes') : undefined,
          matchesSearchText(q, question.search),
          after ? sql`(${question.updatedAt}, ${question.id}) < ${rowOfKey(after)}` : undefined,
        ),
      )
      .orderBy(desc(question.updatedAt), desc(question.id))
      .limit(limit + 1),
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    items: rows.slice(0, limit).map(({ at: _, ...item }) => item),
    next: last ? writeCursor(InstantKey, last) : null,
  }
}

/** The tags of all questions by name, with the number of questions; at most 500. Refuses with forbidden. */
export async function listQuestionTags(actor: Actor): Promise<{ tag: string; count: number }[]> {
  requireQuizReader(actor)
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ tag: string; count: number }>(sql`
      select t.tag, count(*)::int as count from question q cross join unnest(q.tags) as t(tag)
      where q.tenant_id = current_tenant() and q.deleted_at is null and q.tags <> '{}' group by t.tag order by t.tag limit 500`),
  )
  return rows
}
