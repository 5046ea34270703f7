import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type FeedbackTime, RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { requireQuizStudent } from '../permission.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import { scoreAnswer } from '../scoring/score.ts'
import { shownIdsOf, toStoredAnswer } from './describe/part-ids.ts'
import { type AnswerFeedback, feedbackFor } from './feedback.ts'
import { type AnswerFile, answerFileIdsOf, loadAttemptFiles } from './files/answer-files.ts'
import { loadAttemptContents, loadFrozenContents, pickFrozen, runningAttemptId } from './frozen/contents.ts'
import type { QuizAttemptRow } from './offer.ts'
import { loadQuizRenderContext } from './quiz-render-context.ts'
import { attemptPhase, countPages, pageOfQuestion } from './rules.ts'
import type { AttemptRules } from './schema.ts'
import { type ShownQuestion, showQuestion } from './show-question.ts'
import type { quizAnswer } from './table.ts'
import { allTexts, findCourse, loadSettled } from './view.ts'

/** A question of the running attempt in the overview. */
export interface QuestionMark {
  questionId: string
  /** From 1. */
  number: number
  page: number
  answered: boolean
  flagged: boolean
  /** Whether its page can be opened. */
  isReachable: boolean
}

export interface AttemptQuestion extends ShownQuestion {
  number: number
  flagged: boolean
  /** The answer is final: its feedback has been shown. */
  closed: boolean
  feedback: AnswerFeedback | null
  files: AnswerFile[]
}

export interface AttemptPage {
  attemptId: string
  quizId: string
  title: string
  course: { id: string; title: string } | null
  number: number
  state: QuizAttemptRow['state']
  /** Whether answers can be changed. */
  isOpen: boolean
  deadlineAt: Date | null
  /** The server's clock. */
  now: Date
  page: number
  pages: number
  navigation: AttemptRules['navigation']
  onExpiry: AttemptRules['onExpiry']
  graceSec: number
  feedback: FeedbackTime
  questions: AttemptQuestion[]
  /** All questions of the attempt. */
  overview: QuestionMark[]
  /** Number of questions of the whole attempt. */
  questionCount: number
  answeredCount: number
}

type Answer = typeof quizAnswer.$inferSelect

/**
 * A page of the running attempt; null when none is running. A page that is closed or does not exist is replaced by the
 * nearest one; with forward navigation only the reached page is shown. `typed` are the answers of a refused form, shown
 * instead of the saved ones. Refuses with forbidden, not_found.
 */
export async function getAttemptPage(
  actor: Actor,
  input: { quizId: string; page: number | null; typed?: ReadonlyMap<string, AnswerValue | null> },
  words: { t: Translate; locale: Locale },
  now = new Date(),
): Promise<AttemptPage | null> {
  requireQuizStudent(actor)
  const { quizId } = input
  return inTenant(actor, async (tx) => {
    const [{ quiz, attempts }, course, { answers, versions }] = await Promise.all([
      loadSettled(tx, actor, quizId, now),
      findCourse(tx, quizId),
      loadAttemptContents(tx, runningAttemptId(quizId, actor.membershipId), { page: input.page }),
    ])
    const attempt = attempts.find(({ state }) => RUNNING_STATES.includes(state))
    if (!attempt) return null
    const { rules, questions: frozen, state } = attempt
    const pages = countPages(frozen.length, rules.perPage)
    const isForward = rules.navigation === 'forward'
    const page = isForward ? attempt.page : Math.min(pages - 1, Math.max(0, input.page ?? attempt.page))
    const isOpen = state === 'inProgress' && attemptPhase(attempt, now) === 'open'
    const frozenOnPage = frozen.filter((_, index) => pageOfQuestion(index, rules.perPage) === page)
    const loaded = pickFrozen(versions, frozenOnPage)
    // The nearest page was chosen instead of the requested one.
    const contents = loaded.size < frozenOnPage.length ? await loadFrozenContents(tx, frozenOnPage) : loaded
    const overview = frozen.map(({ questionId }, index): QuestionMark => {
      const questionPage = pageOfQuestion(index, rules.perPage)
      const answered = answers.some((row) => row.questionId === questionId && row.value !== null)
      const flagged = attempt.flagged.includes(questionId)
      return {
        questionId,
        number: index + 1,
        page: questionPage,
        answered,
        flagged,
        isReachable: !isForward || questionPage === page,
      }
    })
    const shown = overview.filter((mark) => mark.page === page)
    return {
      attemptId: attempt.id,
      quizId,
      title: quiz.title,
      course,
      number: attempt.number,
      state,
      isOpen,
      deadlineAt: attempt.deadlineAt,
      now,
      page,
      pages,
      navigation: rules.navigation,
      onExpiry: rules.onExpiry,
      graceSec: rules.graceSec,
      feedback: rules.feedback,
      overview,
      questionCount: frozen.length,
      answeredCount: overview.filter(({ answered }) => answered).length,
      questions: await showQuestions(
        tx,
        actor,
        { attempt, shown, contents, answers, show: quiz.show, isOpen, typed: input.typed },
        words,
      ),
    }
  })
}

interface ShownPage {
  attempt: QuizAttemptRow
  shown: readonly QuestionMark[]
  /** By question. */
  contents: ReadonlyMap<string, QuestionContent>
  answers: readonly Answer[]
  show: Parameters<typeof feedbackFor>[2]
  isOpen: boolean
  typed: ReadonlyMap<string, AnswerValue | null> | undefined
}

async function showQuestions(
  tx: Tx,
  actor: Actor,
  { attempt, shown, contents, answers, show, isOpen, typed }: ShownPage,
  { t, locale }: { t: Translate; locale: Locale },
): Promise<AttemptQuestion[]> {
  const frozen = shown.flatMap(({ number }) => attempt.questions[number - 1] ?? [])
  const savedValueOf = (questionId: string) => answers.find((row) => row.questionId === questionId)?.value ?? null
  const [files, render] = await Promise.all([
    loadAttemptFiles(
      tx,
      actor,
      shown.flatMap(({ questionId }) => answerFileIdsOf(savedValueOf(questionId))),
    ),
    loadQuizRenderContext(tx, actor, allTexts([...contents.values()]), locale),
  ])
  return shown.flatMap(({ questionId, number, flagged }, index) => {
    const entry = frozen[index]
    const content = contents.get(questionId)
    if (!entry || !content) return []
    const answer = answers.find((row) => row.questionId === questionId)
    const closed = answer?.closedAt != null
    const typedValue = typed?.get(questionId)
    const shownId = shownIdsOf(attempt.partKey, questionId)
    const stored = typedValue ? toStoredAnswer(content, typedValue, shownId) : typedValue
    const value = stored === undefined ? (answer?.value ?? null) : stored
    const shownAnswer = { value, revision: answer?.revision ?? 0 }
    const view = showQuestion(entry, content, shownAnswer, {
      render,
      t,
      disabled: !isOpen || closed,
      partKey: attempt.partKey,
    })
    const { points } = entry
    const score = scoreAnswer(content, value, { points, rules: attempt.rules })
    const feedback = closed ? feedbackFor(content, { value, score, points }, show, { render, t }) : null
    const own = answerFileIdsOf(value).flatMap((id) => files.get(id) ?? [])
    return [{ ...view, number, flagged, closed, feedback, files: own }]
  })
}
