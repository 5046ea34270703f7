import { eq, type SQL } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { QuizRow } from '../lock-quiz.ts'
import { requireQuizStudent, requireReviewer } from '../permission.ts'
import { hasGaps } from '../question/rules.ts'
import type { QuestionContent } from '../question/schema.ts'
import { quizReview } from '../review/table.ts'
import type { ShowSettings } from '../schema.ts'
import { quiz as quizTable } from '../table.ts'
import { describeAnswer } from './describe/describe-answer.ts'
import { type AnswerFeedback, feedbackFor } from './feedback.ts'
import { type AnswerFile, answerFileIdsOf, loadAttemptFiles } from './files/answer-files.ts'
import {
  type AttemptContents,
  keyQuestions,
  lastFinishedAttemptId,
  loadAttemptContents,
  pickFrozen,
} from './frozen/contents.ts'
import type { QuizAttemptRow } from './offer.ts'
import { loadQuizRenderContext } from './quiz-render-context.ts'
import { fillGaps, renderText } from './show-question.ts'
import { quizAttempt } from './table.ts'
import { allTexts, findCourse, loadSettled, type OwnQuizAttempt, requireOwnAttempt, toOwn } from './view.ts'

/** A question of a finished attempt. Fields that the test does not disclose are null. */
export interface QuestionResult extends AnswerFeedback {
  questionId: string
  number: number
  sectionTitle: string
  stem: string
  /** The answer as HTML; empty without an answer. */
  answer: string
  files: AnswerFile[]
  points: number
  /** The answer waits for a mark. */
  waits: boolean
  comment: string
}

export interface QuizResult {
  quizId: string
  title: string
  course: { id: string; title: string } | null
  passPercent: number
  attempts: OwnQuizAttempt[]
  /** The chosen attempt; null before the first one. */
  attempt: OwnQuizAttempt | null
  /** Results are shown after this time; null when they are shown already, or never. */
  feedbackAt: Date | null
  /** The text of the grade band. */
  bandText: string | null
  /** The reviewer's comment on the whole attempt; empty while feedback is not due. */
  reviewComment: string
  /** Empty while feedback is not due. */
  questions: QuestionResult[]
}

interface Words {
  locale: Locale
  t: Translate
}

/**
 * The results of the student's own attempts, as far as the settings of the test disclose them now. Refuses with
 * forbidden, not_found.
 */
export async function getQuizResult(
  actor: Actor,
  input: { quizId: string; attemptId: string | null },
  words: Words,
  now = new Date(),
): Promise<QuizResult> {
  requireQuizStudent(actor)
  const { quizId } = input
  return inTenant(actor, async (tx) => {
    const ownId = input.attemptId ?? lastFinishedAttemptId(quizId, actor.membershipId)
    const [offer, course, loaded, loadedComment] = await Promise.all([
      loadSettled(tx, actor, quizId, now),
      findCourse(tx, quizId),
      loadAttemptContents(tx, ownId),
      loadReviewComment(tx, ownId),
    ])
    const { quiz, settings } = offer
    const finished = offer.attempts.filter(({ state }) => !RUNNING_STATES.includes(state))
    const chosen =
      input.attemptId === null ? finished.at(-1) : requireOwnAttempt({ ...offer, attempts: finished }, input.attemptId)
    const attempts = finished.map((row) => toOwn(row, offer, now))
    const attempt = attempts.find(({ id }) => id === chosen?.id) ?? null
    const isLater = quiz.feedback === 'afterClose' && attempt !== null && !attempt.isOpen
    const shown = attempt?.isOpen ? chosen : undefined
    // An attempt that has ended with this request was not the last finished one before.
    const contents = !shown || loaded.attemptId === shown.id ? loaded : await loadAttemptContents(tx, shown.id)
    const questions = shown ? await describeQuestions(tx, actor, shown, contents, { ...words, show: quiz.show }) : []
    return {
      ...describeQuiz(quiz, course),
      attempts,
      attempt,
      feedbackAt: isLater ? settings.closeAt : null,
      bandText: attempt ? bandTextFor(quiz, attempt) : null,
      reviewComment: shown && loaded.attemptId === shown.id ? loadedComment : '',
      questions,
    }
  })
}

/** Reviewers see everything. */
const SHOW_ALL: ShowSettings = { score: true, correctness: true, correctAnswers: true, explanations: true }

/**
 * A student's finished attempt for reviewers: complete, regardless of the settings for students. Refuses with
 * forbidden, not_found.
 */
export async function getStudentResult(
  actor: Actor,
  input: { quizId: string; attemptId: string },
  words: Words,
): Promise<QuizResult & { studentId: string }> {
  const { quizId, attemptId } = input
  return inTenant(actor, async (tx) => {
    const [, course, [quiz], [chosen], contents, reviewComment] = await Promise.all([
      requireReviewer(tx, actor, quizId),
      findCourse(tx, quizId),
      tx.select().from(quizTable).where(eq(quizTable.id, quizId)),
      tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)),
      loadAttemptContents(tx, attemptId),
      loadReviewComment(tx, attemptId),
    ])
    if (!quiz || chosen?.quizId !== quizId || RUNNING_STATES.includes(chosen.state)) throw new Refusal('not_found')
    const { id, number, state, submittedAt, maxScore, score, passed, studentId } = chosen
    const attempt = { id, number, state, submittedAt, maxScore, score, passed, isOpen: true }
    const questions = await describeQuestions(tx, actor, chosen, contents, { ...words, show: SHOW_ALL })
    return {
      ...describeQuiz(quiz, course),
      studentId,
      attempts: [attempt],
      attempt,
      feedbackAt: null,
      bandText: bandTextFor(quiz, attempt),
      reviewComment,
      questions,
    }
  })
}

const describeQuiz = ({ id: quizId, title, passPercent }: QuizRow, course: QuizResult['course']) => ({
  quizId,
  title,
  course,
  passPercent,
})

function bandTextFor({ gradeBands }: QuizRow, { score, maxScore }: OwnQuizAttempt): string | null {
  if (score === null || maxScore === 0) return null
  const percent = (score / maxScore) * 100
  const bands = gradeBands.toSorted((a, b) => b.fromPercent - a.fromPercent)
  return bands.find(({ fromPercent }) => percent >= fromPercent)?.text ?? null
}

async function describeQuestions(
  tx: Tx,
  actor: Actor,
  attempt: QuizAttemptRow,
  { answers, versions }: AttemptContents,
  { locale, t, show }: Words & { show: ShowSettings },
): Promise<QuestionResult[]> {
  const contents = pickFrozen(versions, attempt.questions)
  const keys = pickFrozen(versions, keyQuestions(attempt.questions))
  const [render, files] = await Promise.all([
    loadQuizRenderContext(tx, actor, allTexts([...contents.values(), ...keys.values()]), locale),
    loadAttemptFiles(
      tx,
      actor,
      answers.flatMap(({ value }) => answerFileIdsOf(value)),
    ),
  ])
  return attempt.questions.flatMap(({ questionId, points, sectionTitle }, index) => {
    const content = contents.get(questionId)
    if (!content) return []
    const row = answers.find((candidate) => candidate.questionId === questionId)
    const value = row?.value ?? null
    const score = scoreOf(row)
    return [
      {
        questionId,
        number: index + 1,
        sectionTitle,
        stem: stemWithBlanks(content, renderText(content.stem, render)),
        answer: describeAnswer(content, value, { render, t }),
        files: answerFileIdsOf(value).flatMap((id) => files.get(id) ?? []),
        points,
        waits: score === null && attempt.state === 'needsReview',
        ...feedbackFor(keys.get(questionId) ?? content, { value, score, points }, show, { render, t }),
        comment: row?.comment ?? '',
      },
    ]
  })
}

/** The comment that the last review has released; drafts are excluded. */
async function loadReviewComment(tx: Tx, attemptId: SQL<string> | string): Promise<string> {
  const [row] = await tx
    .select({ comment: quizReview.comment })
    .from(quizReview)
    .where(eq(quizReview.attemptId, attemptId))
  return row?.comment ?? ''
}

/** Gaps as numbered blanks. */
function stemWithBlanks(content: QuestionContent, html: string): string {
  if (!hasGaps(content)) return html
  return fillGaps(html, (gapId) => `<b>(${content.gaps.findIndex(({ id }) => id === gapId) + 1}) …</b>`)
}

/** A question without an answer has the score 0; null while the answer waits for a mark. */
function scoreOf(row: { score: number | null; manualScore: number | null } | undefined): number | null {
  return row ? (row.manualScore ?? row.score) : 0
}
