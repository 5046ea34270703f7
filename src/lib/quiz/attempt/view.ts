import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type LessonDoc, srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import type { Access } from '#lib/course/access/access-reason.ts'
import { course } from '#lib/course/table.ts'
import { richTextsOf } from '../bank/question-facts.ts'
import { requireQuizStudent } from '../permission.ts'
import type { QuestionContent } from '../question/schema.ts'
import type { QuizId } from '../schema.ts'
import { gradeOfAttempts } from '../scoring/score.ts'
import { settleOffer } from './attempt.ts'
import { findOffer, loadOffer, type QuizAttemptRow, type QuizOffer } from './offer.ts'
import { loadQuizRenderContext } from './quiz-render-context.ts'
import { isFeedbackDue, type StartVerdict, startVerdict } from './rules.ts'
import type { AttemptRules } from './schema.ts'
import { renderText } from './show-question.ts'

/** An attempt in the list of a student's attempts; score and result are null while they are not shown. */
export interface OwnQuizAttempt {
  id: string
  number: number
  state: QuizAttemptRow['state']
  submittedAt: Date | null
  score: number | null
  maxScore: number
  passed: boolean | null
  /** Questions with answers may be viewed. */
  isOpen: boolean
}

export interface QuizStart {
  title: string
  intro: string
  course: { id: string; title: string } | null
  settings: QuizOffer['settings']
  passPercent: number
  gradeOf: QuizOffer['quiz']['gradeOf']
  needsPassword: boolean
  onExpiry: QuizOffer['quiz']['onExpiry']
  navigation: QuizOffer['quiz']['navigation']
  negativeMarking: boolean
  /** Questions of an attempt. */
  questionCount: number
  running: { id: string; deadlineAt: Date | null; isOver: boolean; onExpiry: AttemptRules['onExpiry'] } | null
  verdict: StartVerdict
  /** Why no attempt can be started although there are earlier ones: the lessons of the test are closed. */
  closedLesson: Access | null
  attempts: OwnQuizAttempt[]
  /** By the grading method; null without a shown score. */
  grade: number | null
}

/** A test that is closed to the student, with what they know from the outline of the course. */
export interface ClosedQuizView {
  title: string
  course: { id: string; title: string } | null
  closed: Access
}

/** The rules of a test and the student's attempts, or why it is closed. Refuses with forbidden, not_found. */
export async function getQuizStart(
  actor: Actor,
  input: QuizId,
  locale: Locale = actor.locale,
  now = new Date(),
): Promise<QuizStart | ClosedQuizView> {
  requireQuizStudent(actor)
  const { quizId } = input
  return inTenant(actor, async (tx) => {
    const [found, course, questionCount] = await Promise.all([
      findOffer(tx, { quizId, studentId: actor.membershipId }, now),
      findCourse(tx, quizId),
      countQuestions(tx, quizId),
    ])
    if ('closed' in found) return { title: found.quiz.title, course, closed: found.closed }
    const offer = actor.impersonation ? found : await settleOffer(tx, found, now)
    const { quiz, settings, attempts, closedLesson } = offer
    const intro = quiz.intro ? renderText(quiz.intro, await loadQuizRenderContext(tx, actor, quiz.intro, locale)) : ''
    const running = attempts.find(({ state }) => RUNNING_STATES.includes(state))
    const own = attempts.filter(({ state }) => !RUNNING_STATES.includes(state)).map((row) => toOwn(row, offer, now))
    return {
      title: quiz.title,
      intro,
      course,
      settings,
      passPercent: quiz.passPercent,
      gradeOf: quiz.gradeOf,
      needsPassword: quiz.password !== null,
      onExpiry: quiz.onExpiry,
      navigation: quiz.navigation,
      negativeMarking: quiz.negativeMarking,
      questionCount,
      running: running ? toRunning(running, now) : null,
      verdict: startVerdict(settings, attempts, now),
      closedLesson,
      attempts: own,
      grade: gradeOfAttempts(
        own.flatMap(({ score }) => score ?? []),
        quiz.gradeOf,
      ),
    }
  })
}

const toRunning = ({ id, deadlineAt, rules }: QuizAttemptRow, now: Date) => ({
  id,
  deadlineAt,
  isOver: deadlineAt !== null && deadlineAt <= now,
  onExpiry: rules.onExpiry,
})

/** The course of a test, without knowing its row; null when it has none. */
export async function findCourse(tx: Tx, quizId: string): Promise<{ id: string; title: string } | null> {
  const [row] = await tx
    .select({ id: course.id, title: course.title })
    .from(course)
    .where(
      sql`${course.id} = (select q.course_id from quiz q where q.tenant_id = current_tenant() and q.id = ${quizId})`,
    )
  return row ?? null
}

/** The number of questions of an attempt: those of fixed sections and those that are drawn. */
async function countQuestions(tx: Tx, quizId: string): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(sql`
    select ((select count(*) from quiz_question q where q.tenant_id = current_tenant() and q.quiz_id = ${quizId})
      + (select coalesce(sum(s.count), 0) from quiz_section s
         where s.tenant_id = current_tenant() and s.quiz_id = ${quizId} and s.pick = 'random'))::int as count`)
  return rows[0]?.count ?? 0
}

/** The texts and images of several questions as one document, so that their files are loaded at once. */
export function allTexts(contents: readonly QuestionContent[]): LessonDoc {
  return {
    type: 'doc',
    content: contents.flatMap((content) => [
      ...richTextsOf(content).flatMap((doc) => doc.content),
      ...(content.type === 'hotspot' && content.imageFileId
        ? [{ type: 'image', attrs: { src: srcOf(content.imageFileId) } }]
        : []),
    ]),
  }
}

/** The offer of a test to the acting student, with attempts ended whose time is over. */
export async function loadSettled(tx: Tx, actor: Actor, quizId: string, now: Date): Promise<QuizOffer> {
  const offer = await loadOffer(tx, { quizId, studentId: actor.membershipId }, now)
  if (actor.impersonation) return offer
  return settleOffer(tx, offer, now)
}

export function toOwn(attempt: QuizAttemptRow, { quiz, settings }: QuizOffer, now: Date): OwnQuizAttempt {
  const { id, number, state, submittedAt, maxScore } = attempt
  const isOpen = isFeedbackDue({ feedback: quiz.feedback, closeAt: settings.closeAt }, state, now)
  const isShown = isOpen && quiz.show.score
  return {
    id,
    number,
    state,
    submittedAt,
    maxScore,
    score: isShown ? attempt.score : null,
    passed: isShown ? attempt.passed : null,
    isOpen,
  }
}

/** Refuses with not_found unless the attempt is one of the offer. */
export function requireOwnAttempt({ attempts }: QuizOffer, attemptId: string): QuizAttemptRow {
  const attempt = attempts.find(({ id }) => id === attemptId)
  if (!attempt) throw new Refusal('not_found')
  return attempt
}
