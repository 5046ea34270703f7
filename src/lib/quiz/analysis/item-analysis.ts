import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { requireQuizReader, requireReviewer } from '../permission.ts'
import { question, questionVersion } from '../question/table.ts'
import { type CountedChoice, countedChoices, itemWarnings } from './item-warnings.ts'
import type { ItemStatistics, ItemWarning } from './schema.ts'
import { quizAnalysis } from './table.ts'

/** The statistics of a question with its text. */
export interface AnalyzedItem extends Omit<ItemStatistics, 'choices'> {
  title: string
  type: QuestionType
  choices: CountedChoice[]
  warnings: ItemWarning[]
}

export interface ItemAnalysis {
  /** Students with a graded attempt: the first of each counts. */
  attempts: number
  computedAt: Date
  items: AnalyzedItem[]
}

/**
 * The item analysis of a test that a job has computed, questions with warnings first; null before the first one. One
 * round trip, whose cost depends on the number of questions only. Refuses with forbidden, not_found.
 */
export async function getItemAnalysis(actor: Actor, { quizId }: { quizId: string }): Promise<ItemAnalysis | null> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [, [row], questions] = await Promise.all([
      requireReviewer(tx, actor, quizId),
      tx.select().from(quizAnalysis).where(eq(quizAnalysis.quizId, quizId)),
      loadQuestions(tx, quizId),
    ])
    if (!row) return null
    const items = row.items.flatMap((item) => {
      const found = questions.get(item.questionId)
      if (!found) return []
      const choices = countedChoices(found.content, item)
      return [{ ...item, title: found.title, type: found.type, choices, warnings: itemWarnings(item, choices) }]
    })
    const { attempts, computedAt } = row
    return { attempts, computedAt, items: items.toSorted(byAttention) }
  })
}

/** Questions with warnings first, then by discrimination. */
function byAttention(a: AnalyzedItem, b: AnalyzedItem): number {
  const rank = ({ warnings }: AnalyzedItem) => (warnings.includes('suspiciousKey') ? 2 : Number(warnings.length > 0))
  return rank(b) - rank(a) || (a.discrimination ?? 1) - (b.discrimination ?? 1) || a.title.localeCompare(b.title)
}

/** The questions of an analysis in their current versions, by their ids. */
async function loadQuestions(tx: Tx, quizId: string) {
  const rows = await tx
    .select({ id: question.id, title: question.title, type: question.type, content: questionVersion.content })
    .from(question)
    .innerJoin(
      questionVersion,
      and(
        eq(questionVersion.tenantId, question.tenantId),
        eq(questionVersion.questionId, question.id),
        eq(questionVersion.version, question.version),
      ),
    )
    .where(
      sql`${question.id} in (
        select (item->>'questionId')::uuid from quiz_analysis a, jsonb_array_elements(a.items) as item
        where a.tenant_id = current_tenant() and a.quiz_id = ${quizId})`,
    )
  return new Map(rows.map((row) => [row.id, row]))
}
