import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { quiz } from './table.ts'

export type QuizRow = typeof quiz.$inferSelect

/** Locks a test. Refuses with not_found, and with conflict when it has changed since `revision`. */
export async function lockQuiz(tx: Tx, quizId: string, revision?: number): Promise<QuizRow> {
  const [row] = await tx
    .select()
    .from(quiz)
    .where(and(eq(quiz.id, quizId), isNull(quiz.deletedAt)))
    .for('update')
  if (!row) throw new Refusal('not_found')
  if (revision !== undefined && row.revision !== revision)
    throw new Refusal('conflict', { data: { revision: row.revision } })
  return row
}
