import { and, desc, eq, isNull, max } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { answerFileIdsOf } from '../attempt/files/answer-files.ts'
import { quizLateAnswer } from './table.ts'

interface LateQuestion {
  attemptId: string
  questionId: string
}

const isOfQuestion = ({ attemptId, questionId }: LateQuestion) =>
  and(eq(quizLateAnswer.attemptId, attemptId), eq(quizLateAnswer.questionId, questionId))

/** The late answer of a question with files that no reviewer has accepted; undefined when there is none. */
export async function findLateFiles(
  tx: Tx,
  question: LateQuestion,
): Promise<{ revision: number; fileIds: string[] } | undefined> {
  const [row] = await tx
    .select({ revision: quizLateAnswer.revision, value: quizLateAnswer.value })
    .from(quizLateAnswer)
    .where(and(isOfQuestion(question), isNull(quizLateAnswer.acceptedAt)))
    .orderBy(desc(quizLateAnswer.revision))
    .limit(1)
  return row && { revision: row.revision, fileIds: answerFileIdsOf(row.value) }
}

/**
 * Stores the files of an answer that arrived after the end. The caller has locked the attempt. `revision` is that of a
 * first late answer.
 */
export async function writeLateFiles(
  tx: Tx,
  { tenantId }: Actor,
  answer: LateQuestion & { revision: number; fileIds: string[] },
): Promise<void> {
  const value = { type: 'fileUpload' as const, fileIds: answer.fileIds }
  const { attemptId, questionId } = answer
  const known = await findLateFiles(tx, answer)
  if (known) {
    await tx
      .update(quizLateAnswer)
      .set({ value, receivedAt: new Date() })
      .where(and(isOfQuestion(answer), eq(quizLateAnswer.revision, known.revision)))
    return
  }
  const [last] = await tx
    .select({ revision: max(quizLateAnswer.revision) })
    .from(quizLateAnswer)
    .where(isOfQuestion(answer))
  const revision = Math.max(answer.revision, (last?.revision ?? 0) + 1)
  await tx.insert(quizLateAnswer).values({ tenantId, attemptId, questionId, revision, value })
}
