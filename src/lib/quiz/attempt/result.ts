import { asc, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import { requireQuizStudent } from '../permission.ts'
import { describeAnswer, describeKey, explanationsFor } from './describe-answer.ts'
import { loadFrozenContents } from './finish.ts'
import { renderText } from './show-question.ts'
import { quizAnswer } from './table.ts'
import { allTexts, loadSettled, type OwnAttempt, requireOwnAttempt, toOwn } from './view.ts'

/** A question of a finished attempt. What the test does not show is null. */
export interface QuestionResult {
  questionId: string
  number: number
  stem: string
  /** HTML of what was answered; empty without an answer. */
  answer: string
  points: number
  score: number | null
  isCorrect: boolean | null
  /** HTML of the right answer. */
  key: string | null
  /** HTML. */
  explanations: string[]
  comment: string
}

export interface QuizResult {
  quizId: string
  title: string
  attempts: OwnAttempt[]
  /** The chosen attempt; null before the first one. */
  attempt: OwnAttempt | null
  /** The text of the grade band. */
  bandText: string | null
  /** Empty while feedback is not due. */
  questions: QuestionResult[]
}

/**
 * The results of the student's own attempts, as far as the settings of the test show them now. Refuses with forbidden,
 * not_found.
 */
export async function getQuizResult(
  actor: Actor,
  input: { quizId: string; attemptId: string | null },
  { locale, t }: { locale: Locale; t: Translate },
  now = new Date(),
): Promise<QuizResult> {
  requireQuizStudent(actor)
  const { quizId } = input
  return inTenant(actor, async (tx) => {
    const offer = await loadSettled(tx, actor, quizId, now)
    const { quiz } = offer
    const finished = offer.attempts.filter(({ state }) => !RUNNING_STATES.includes(state))
    const chosen =
      input.attemptId === null ? finished.at(-1) : requireOwnAttempt({ ...offer, attempts: finished }, input.attemptId)
    const attempts = finished.map((row) => toOwn(row, offer, now))
    const base = { quizId, title: quiz.title, attempts, bandText: null, questions: [] }
    const attempt = attempts.find(({ id }) => id === chosen?.id) ?? null
    if (!chosen || !attempt?.isOpen) return { ...base, attempt }
    const [contents, answers] = await Promise.all([
      loadFrozenContents(tx, chosen.questions),
      tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, chosen.id)).orderBy(asc(quizAnswer.questionId)),
    ])
    const render = await loadRenderContext(tx, actor, allTexts([...contents.values()]), locale)
    const percent = attempt.score === null || attempt.maxScore === 0 ? null : (attempt.score / attempt.maxScore) * 100
    const bands = quiz.gradeBands.toSorted((a, b) => b.fromPercent - a.fromPercent)
    return {
      ...base,
      attempt,
      bandText: percent === null ? null : (bands.find(({ fromPercent }) => percent >= fromPercent)?.text ?? null),
      questions: chosen.questions.flatMap(({ questionId, points }, index) => {
        const content = contents.get(questionId)
        if (!content) return []
        const row = answers.find((candidate) => candidate.questionId === questionId)
        const score = scoreOf(row)
        return [
          {
            questionId,
            number: index + 1,
            stem: renderText(content.stem, render),
            answer: describeAnswer(content, row?.value ?? null, { render, t }),
            points,
            score: quiz.show.score ? score : null,
            isCorrect: quiz.show.correctness && score !== null ? score >= points : null,
            key: quiz.show.correctAnswers ? describeKey(content, { render, t }) : null,
            explanations: quiz.show.explanations ? explanationsFor(content, row?.value ?? null, render) : [],
            comment: row?.comment ?? '',
          },
        ]
      }),
    }
  })
}

/** A question without an answer scores 0; null while an answer waits for its mark. */
function scoreOf(row: { score: number | null; manualScore: number | null } | undefined): number | null {
  return row ? (row.manualScore ?? row.score) : 0
}
