import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { requireQuizReader } from '../permission.ts'
import { fitsQuestion } from '../question/answer-rules.ts'
import { isPassed, scoreAnswer, totalScore } from '../scoring/score.ts'
import { quiz as quizTable } from '../table.ts'
import type { AttemptQuestion } from './attempt-page.ts'
import { shownIdsOf, toStoredAnswer } from './describe/part-ids.ts'
import { feedbackFor } from './feedback.ts'
import { readAnswer } from './form-rules.ts'
import { loadFrozenContents } from './frozen/contents.ts'
import { freezeQuestions } from './frozen/freeze.ts'
import { loadQuizRenderContext } from './quiz-render-context.ts'
import { showQuestion } from './show-question.ts'
import { publicSource } from './shuffle.ts'
import { allTexts } from './view.ts'

/** A test as a student takes it, for staff. Nothing of it is stored. */
export interface QuizPreview {
  questions: AttemptQuestion[]
  /** Null before the answers are checked. */
  result: PreviewResult | null
}

interface PreviewResult {
  /** Without answers that a person marks. */
  score: number
  maxScore: number
  /** Null while answers would wait for marks. */
  passed: boolean | null
}

/**
 * The questions that an attempt with this seed would have; with `answers`, their scores and the feedback that the test
 * shows. Only reads. Refuses with forbidden, not_found.
 */
export async function previewQuiz(
  actor: Actor,
  { quizId, seed, answers }: { quizId: string; seed: number; answers: FormData | null },
  { t, locale }: { t: Translate; locale: Locale },
): Promise<QuizPreview> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [quiz] = await tx.select().from(quizTable).where(eq(quizTable.id, quizId))
    if (!quiz || quiz.deletedAt !== null) throw new Refusal('not_found')
    const frozen = await freezeQuestions(tx, quiz, publicSource(seed))
    const contents = await loadFrozenContents(tx, frozen)
    const render = await loadQuizRenderContext(tx, actor, allTexts([...contents.values()]), locale)
    const { negativeMarking, partialCredit } = quiz
    const scores: (number | null)[] = []
    const questions = frozen.flatMap((entry, index): AttemptQuestion[] => {
      const content = contents.get(entry.questionId)
      if (!content) return []
      const { points } = entry
      // Nothing can be uploaded, because nothing is stored.
      const closed = answers !== null || content.type === 'fileUpload'
      const partKey = `preview ${seed}`
      const context = { render, t, disabled: closed, partKey }
      const blank = showQuestion(entry, content, undefined, context)
      const typed = answers && readAnswer(blank, answers)
      const stored = typed && toStoredAnswer(content, typed, shownIdsOf(partKey, entry.questionId))
      const value = stored && fitsQuestion(content, stored) ? stored : null
      const score = scoreAnswer(content, value, { points, rules: { negativeMarking, partialCredit } })
      scores.push(score)
      const shown = showQuestion(entry, content, { value, revision: 0 }, context)
      const feedback = answers ? feedbackFor(content, { value, score, points }, quiz.show, { render, t }) : null
      return [{ ...shown, number: index + 1, flagged: false, closed, feedback, files: [] }]
    })
    return { questions, result: answers ? previewResult(scores, frozen, quiz.passPercent) : null }
  })
}

function previewResult(
  scores: readonly (number | null)[],
  frozen: readonly { points: number }[],
  passPercent: number,
): PreviewResult {
  const maxScore = frozen.reduce((sum, { points }) => sum + Math.round(points * 100), 0) / 100
  const total = totalScore(scores)
  return {
    score: total ?? totalScore(scores.map((score) => score ?? 0)) ?? 0,
    maxScore,
    passed: total === null ? null : isPassed(total, maxScore, passPercent),
  }
}
