import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { quizAnswer, quizAttempt } from '../attempt/table.ts'
import { requireQuizReader, requireReviewer } from '../permission.ts'
import type { QuestionContent } from '../question/schema.ts'
import { isPassed, scoreAnswer, totalScore } from '../scoring/score.ts'
import { type EditedQuestion, listEditedQuestions, loadCorrectedContents, withCorrectedKeys } from './corrected-keys.ts'

export interface RegradedResult {
  score: number
  passed: boolean
}

/** An attempt whose score or result changes. */
export interface RegradeChange {
  attemptId: string
  studentId: string
  student: string
  number: number
  maxScore: number
  before: RegradedResult
  after: RegradedResult
}

export interface RegradePreview {
  /** Questions that were edited since there were attempts. */
  questions: EditedQuestion[]
  /** The first MAX_SHOWN changes. */
  changes: RegradeChange[]
  /** Number of examined graded attempts, of those that change, and of those that newly pass or no longer pass. */
  checked: number
  changed: number
  nowPassed: number
  nowFailed: number
}

const BATCH = 200
const MAX_SHOWN = 100

/**
 * The changes of a regrading by the current keys of these questions; nothing is written. Without `questionIds`: of all
 * edited questions. Refuses with forbidden, not_found.
 */
export async function previewRegrade(
  actor: Actor,
  { quizId, questionIds }: { quizId: string; questionIds?: readonly string[] | undefined },
): Promise<RegradePreview> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [, questions] = await Promise.all([requireReviewer(tx, actor, quizId), listEditedQuestions(tx, quizId)])
    const chosen = questions.filter(({ questionId }) => !questionIds || questionIds.includes(questionId))
    const preview: RegradePreview = { questions, changes: [], checked: 0, changed: 0, nowPassed: 0, nowFailed: 0 }
    if (chosen.length === 0) return preview
    const contents = await loadCorrectedContents(tx, chosen)
    const keys = new Map(chosen.map(({ questionId, version }) => [questionId, version]))
    for (let after = ''; ; ) {
      const attempts = await loadGraded(tx, quizId, after)
      const last = attempts.at(-1)
      if (!last) return preview
      const answers = await loadAnswers(
        tx,
        attempts.map(({ id }) => id),
        [...keys.keys()],
      )
      for (const attempt of attempts) addChange(preview, attempt, answers, { contents, keys })
      after = last.id
    }
  })
}

type GradedAttempt = Awaited<ReturnType<typeof loadGraded>>[number]
type AnswerScores = Awaited<ReturnType<typeof loadAnswers>>

function addChange(
  preview: RegradePreview,
  attempt: GradedAttempt,
  answers: AnswerScores,
  { contents, keys }: { contents: ReadonlyMap<string, QuestionContent>; keys: ReadonlyMap<string, number> },
): void {
  preview.checked += 1
  const questions = withCorrectedKeys(attempt.questions, keys)
  if (!questions || attempt.score === null || attempt.passed === null) return
  const scores = questions.map(({ questionId, points, keyVersion }) => {
    const answer = answers.get(`${attempt.id} ${questionId}`)
    const content = contents.get(questionId)
    if (!answer) return 0
    if (answer.manualScore !== null) return answer.manualScore
    const isCorrected = content !== undefined && keyVersion === keys.get(questionId)
    return isCorrected ? scoreAnswer(content, answer.value, { points, rules: attempt.rules }) : answer.score
  })
  const score = totalScore(scores)
  if (score === null) return
  const before = { score: attempt.score, passed: attempt.passed }
  const after = { score, passed: isPassed(score, attempt.maxScore, attempt.rules.passPercent) }
  if (before.score === after.score && before.passed === after.passed) return
  preview.changed += 1
  if (after.passed && !before.passed) preview.nowPassed += 1
  if (before.passed && !after.passed) preview.nowFailed += 1
  if (preview.changes.length >= MAX_SHOWN) return
  const { id: attemptId, studentId, student, number, maxScore } = attempt
  preview.changes.push({ attemptId, studentId, student, number, maxScore, before, after })
}

function loadGraded(tx: Tx, quizId: string, after: string) {
  return tx
    .select({
      id: quizAttempt.id,
      studentId: quizAttempt.studentId,
      number: quizAttempt.number,
      questions: quizAttempt.questions,
      rules: quizAttempt.rules,
      score: quizAttempt.score,
      maxScore: quizAttempt.maxScore,
      passed: quizAttempt.passed,
      student: personName(user),
    })
    .from(quizAttempt)
    .innerJoin(membership, and(eq(membership.tenantId, quizAttempt.tenantId), eq(membership.id, quizAttempt.studentId)))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        eq(quizAttempt.quizId, quizId),
        eq(quizAttempt.state, 'graded'),
        after ? gt(quizAttempt.id, after) : undefined,
      ),
    )
    .orderBy(asc(quizAttempt.id))
    .limit(BATCH)
}

/** Scores by attempt and question; the answers only of the corrected questions. */
async function loadAnswers(tx: Tx, attemptIds: readonly string[], questionIds: readonly string[]) {
  const rows = await tx
    .select({
      attemptId: quizAnswer.attemptId,
      questionId: quizAnswer.questionId,
      score: quizAnswer.score,
      manualScore: quizAnswer.manualScore,
      value: sql<typeof quizAnswer.$inferSelect.value>`case when ${inArray(quizAnswer.questionId, [...questionIds])}
        then ${quizAnswer.value} end`,
    })
    .from(quizAnswer)
    .where(inArray(quizAnswer.attemptId, [...attemptIds]))
  return new Map(rows.map((row) => [`${row.attemptId} ${row.questionId}`, row]))
}
