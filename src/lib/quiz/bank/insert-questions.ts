import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { attachFilesOfMany } from '#lib/storage/file-use.ts'
import { questionIssues } from '../question/rules.ts'
import type { QuestionDraft } from '../question/schema.ts'
import { question, questionVersion } from '../question/table.ts'
import { questionFilesOf, titleOf } from './question-facts.ts'

export interface NewQuestion {
  questionId: string
  draft: QuestionDraft
}

/**
 * Inserts questions with their first version. Existing ids are skipped, so that a repeated call inserts nothing twice.
 * Returns the ids that were inserted. The caller has checked the permission and the bank.
 */
export async function insertQuestionRows(
  tx: Tx,
  actor: Actor,
  bankId: string | null,
  questions: readonly NewQuestion[],
): Promise<string[]> {
  if (questions.length === 0) return []
  const { tenantId, membershipId } = actor
  const rows = questions.map(({ questionId, draft: { content, tags, difficulty, locale } }, index) => ({
    tenantId,
    id: questionId,
    bankId,
    type: content.type,
    title: titleOf(content),
    points: content.points,
    tags: [...new Set(tags)],
    difficulty,
    locale,
    complete: questionIssues(content).length === 0,
    authorId: membershipId,
    // Lists and exports keep the order in which questions arrived.
    createdAt: sql`clock_timestamp() + ${index} * interval '1 microsecond'`,
  }))
  const inserted = await tx.insert(question).values(rows).onConflictDoNothing().returning({ id: question.id })
  const ids = new Set(inserted.map(({ id }) => id))
  const added = questions.filter(({ questionId }) => ids.has(questionId))
  if (added.length === 0) return []
  await tx.insert(questionVersion).values(
    added.map(({ questionId, draft }) => ({
      tenantId,
      questionId,
      version: 1,
      content: draft.content,
      by: membershipId,
    })),
  )
  await attachFilesOfMany(
    actor,
    'question',
    added.map(({ questionId, draft: { content } }) => ({
      id: questionId,
      title: titleOf(content),
      fileIds: questionFilesOf(content),
    })),
  )
  return added.map(({ questionId }) => questionId)
}
