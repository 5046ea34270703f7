import { asc, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import { course } from '#lib/course/table.ts'
import type { QuizRow } from '../lock-quiz.ts'
import { requireQuizStudent, requireReviewer } from '../permission.ts'
import type { QuestionContent } from '../question/schema.ts'
import { quizReview } from '../review/table.ts'
import type { ShowSettings } from '../schema.ts'
import { quiz as quizTable } from '../table.ts'
import { describeAnswer } from './describe/describe-answer.ts'
import { type AnswerFeedback, feedbackFor } from './feedback.ts'
import { type AnswerFile, fileIdsOf, loadAnswerFiles } from './files/answer-files.ts'
import { loadFrozenContents, loadKeyContents } from './finish.ts'
import type { AttemptRow } from './offer.ts'
import { fillGaps, renderText } from './show-question.ts'
import { quizAnswer, quizAttempt } from './table.ts'
import { allTexts, loadSettled, type OwnAttempt, requireOwnAttempt, toOwn } from './view.ts'

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
  attempts: OwnAttempt[]
  /** The chosen attempt; null before the first one. */
  attempt: OwnAttempt | null
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
    const offer = await loadSettled(tx, actor, quizId, now)
    const { quiz, settings } = offer
    const finished = offer.attempts.filter(({ state }) => !RUNNING_STATES.includes(state))
    const chosen =
      input.attemptId === null ? finished.at(-1) : requireOwnAttempt({ ...offer, attempts: finished }, input.attemptId)
    const attempts = finished.map((row) => toOwn(row, offer, now))
    const attempt = attempts.find(({ id }) => id === chosen?.id) ?? null
    const isLater = quiz.feedback === 'afterClose' && attempt !== null && !attempt.isOpen
    const shown = attempt?.isOpen ? chosen : undefined
    const [facts, reviewComment, questions] = await Promise.all([
      loadFacts(tx, quiz),
      shown ? loadReviewComment(tx, shown.id) : '',
      shown ? describeQuestions(tx, actor, shown, quiz.show, words) : [],
    ])
    return {
      ...facts,
      attempts,
      attempt,
      feedbackAt: isLater ? settings.closeAt : null,
      bandText: attempt ? bandTextFor(quiz, attempt) : null,
      reviewComment,
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
    await requireReviewer(tx, actor, quizId)
    const [[quiz], [chosen]] = await Promise.all([
      tx.select().from(quizTable).where(eq(quizTable.id, quizId)),
      tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)),
    ])
    if (!quiz || chosen?.quizId !== quizId || RUNNING_STATES.includes(chosen.state)) throw new Refusal('not_found')
    const { id, number, state, submittedAt, maxScore, score, passed, studentId } = chosen
    const attempt = { id, number, state, submittedAt, maxScore, score, passed, isOpen: true }
    const [facts, reviewComment, questions] = await Promise.all([
      loadFacts(tx, quiz),
      loadReviewComment(tx, id),
      describeQuestions(tx, actor, chosen, SHOW_ALL, words),
    ])
    return {
      ...facts,
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

async function loadFacts(tx: Tx, quiz: QuizRow) {
  const [row] = await tx
    .select({ id: course.id, title: course.title })
    .from(course)
    .where(eq(course.id, quiz.courseId ?? ''))
  return { quizId: quiz.id, title: quiz.title, course: row ?? null, passPercent: quiz.passPercent }
}

function bandTextFor({ gradeBands }: QuizRow, { score, maxScore }: OwnAttempt): string | null {
  if (score === null || maxScore === 0) return null
  const percent = (score / maxScore) * 100
  const bands = gradeBands.toSorted((a, b) => b.fromPercent - a.fromPercent)
  return bands.find(({ fromPercent }) => percent >= fromPercent)?.text ?? null
}

async function describeQuestions(
  tx: Tx,
  actor: Actor,
  attempt: AttemptRow,
  show: ShowSettings,
  { locale, t }: Words,
): Promise<QuestionResult[]> {
  const [contents, keys, answers] = await Promise.all([
    loadFrozenContents(tx, attempt.questions),
    loadKeyContents(tx, attempt.questions),
    tx.select().from(quizAnswer).where(eq(quizAnswer.attemptId, attempt.id)).orderBy(asc(quizAnswer.questionId)),
  ])
  const [render, files] = await Promise.all([
    loadRenderContext(tx, actor, allTexts([...contents.values(), ...keys.values()]), locale),
    loadAnswerFiles(
      tx,
      actor,
      answers.flatMap(({ value }) => fileIdsOf(value)),
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
        files: fileIdsOf(value).flatMap((id) => files.get(id) ?? []),
        points,
        waits: score === null && attempt.state === 'needsReview',
        ...feedbackFor(keys.get(questionId) ?? content, { value, score, points }, show, { render, t }),
        comment: row?.comment ?? '',
      },
    ]
  })
}

/** The comment that the last review has released; drafts are excluded. */
async function loadReviewComment(tx: Tx, attemptId: string): Promise<string> {
  const [row] = await tx
    .select({ comment: quizReview.comment })
    .from(quizReview)
    .where(eq(quizReview.attemptId, attemptId))
  return row?.comment ?? ''
}

/** Gaps as numbered blanks. */
function stemWithBlanks(content: QuestionContent, html: string): string {
  if (content.type !== 'gapText' && content.type !== 'gapSelect') return html
  return fillGaps(
    html,
    (gapId) => `<b class="attempt-blank">(${content.gaps.findIndex(({ id }) => id === gapId) + 1}) …</b>`,
  )
}

/** A question without an answer has the score 0; null while the answer waits for a mark. */
function scoreOf(row: { score: number | null; manualScore: number | null } | undefined): number | null {
  return row ? (row.manualScore ?? row.score) : 0
}
