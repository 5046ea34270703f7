import { asc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { describeAnswer } from '../attempt/describe/describe-answer.ts'
import { type AnswerFile, answerFileIdsOf, loadAttemptFiles } from '../attempt/files/answer-files.ts'
import { loadFrozenContents } from '../attempt/frozen/contents.ts'
import { loadQuizRenderContext } from '../attempt/quiz-render-context.ts'
import { quizAttempt } from '../attempt/table.ts'
import { allTexts } from '../attempt/view.ts'
import { requireReviewer } from '../permission.ts'
import { quizLateAnswer } from './table.ts'

/** An answer that arrived too late to be scored. */
export interface LateAnswerView {
  questionId: string
  revision: number
  /** Of the question, from 1. */
  number: number
  /** HTML. */
  answer: string
  files: AnswerFile[]
  receivedAt: Date
  accepted: boolean
}

/** The late answers of an attempt for its student and its reviewers; none for other people. */
export async function listLateAnswers(
  actor: Actor,
  { attemptId }: { attemptId: string },
  { t, locale }: { t: Translate; locale: Locale },
): Promise<LateAnswerView[]> {
  return inTenant(actor, async (tx) => {
    const rows = await tx
      .select()
      .from(quizLateAnswer)
      .where(eq(quizLateAnswer.attemptId, attemptId))
      .orderBy(asc(quizLateAnswer.receivedAt), asc(quizLateAnswer.revision))
    if (rows.length === 0) return []
    const [attempt] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId))
    if (!attempt) return []
    if (attempt.studentId !== actor.membershipId) await requireReviewer(tx, actor, attempt.quizId)
    const contents = await loadFrozenContents(tx, attempt.questions)
    const render = await loadQuizRenderContext(tx, actor, allTexts([...contents.values()]), locale)
    const files = await loadAttemptFiles(
      tx,
      actor,
      rows.flatMap(({ value }) => answerFileIdsOf(value)),
    )
    return rows.flatMap(({ questionId, revision, value, receivedAt, acceptedAt }) => {
      const content = contents.get(questionId)
      if (!content) return []
      const number = attempt.questions.findIndex((frozen) => frozen.questionId === questionId) + 1
      const answer = describeAnswer(content, value, { render, t })
      const ownFiles = answerFileIdsOf(value).flatMap((id) => files.get(id) ?? [])
      return [{ questionId, revision, number, answer, files: ownFiles, receivedAt, accepted: acceptedAt !== null }]
    })
  })
}
