import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireQuizReader } from '../permission.ts'
import type { QuestionDraft } from '../question/schema.ts'
import { question } from '../question/table.ts'
import { quizQuestion, quizSection } from '../table.ts'
import { selectQuestions } from './bank.ts'

/** Questions by their ids, of a bank (null: the general one), or of a test. */
export type QuestionSelection = { questionIds: string[] } | { bankId: string | null } | { quizId: string }

/** A question as exports write it. */
export interface ExportedQuestion {
  questionId: string
  version: number
  draft: QuestionDraft
}

/**
 * The current versions of selected questions: of a test in the order of its fixed sections, otherwise in the order of
 * creation. Deleted questions are omitted. At most 5000. Refuses with forbidden.
 */
export async function loadQuestionDrafts(actor: Actor, selection: QuestionSelection): Promise<ExportedQuestion[]> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const rows = await ('quizId' in selection
      ? selectQuestions(tx)
          .innerJoin(
            quizQuestion,
            and(eq(quizQuestion.tenantId, question.tenantId), eq(quizQuestion.questionId, question.id)),
          )
          .innerJoin(
            quizSection,
            and(eq(quizSection.tenantId, quizQuestion.tenantId), eq(quizSection.id, quizQuestion.sectionId)),
          )
          .where(and(eq(quizQuestion.quizId, selection.quizId), isNull(question.deletedAt)))
          .orderBy(asc(quizSection.position), asc(quizQuestion.position))
      : selectQuestions(tx)
          .where(and(isSelected(selection), isNull(question.deletedAt)))
          .orderBy(asc(question.createdAt), asc(question.id))
          .limit(5000))
    return rows.map(({ id: questionId, version, content, tags, difficulty, locale }) => ({
      questionId,
      version,
      draft: { content, tags, difficulty, locale },
    }))
  })
}

function isSelected(selection: Exclude<QuestionSelection, { quizId: string }>) {
  if ('bankId' in selection)
    return selection.bankId === null ? isNull(question.bankId) : eq(question.bankId, selection.bankId)
  return selection.questionIds.length === 0 ? sql`false` : inArray(question.id, selection.questionIds)
}
