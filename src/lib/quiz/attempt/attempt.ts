import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { clearAttempts, countAttempt } from '#lib/core/http/throttle.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type AttemptState, RUNNING_STATES } from '#lib/core/shared/quiz.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'
import { requireQuizStudent } from '../permission.ts'
import { isOffered } from '../rules.ts'
import { finishAttempt, recordAttemptEvent, settleAttempt } from './finish.ts'
import { freezeQuestions } from './frozen/freeze.ts'
import { loadOffer, type QuizAttemptRow, type QuizOffer } from './offer.ts'
import { attemptPhase, deadlineOf, startVerdict } from './rules.ts'
import type { StartAttempt, SubmitAttempt } from './schema.ts'
import { secretSource } from './shuffle.ts'
import { quizAttempt } from './table.ts'

/** Wrong passwords of a student for a test: then one a minute, in 2, 4, 8, 15 minutes. */
const PASSWORD_LIMIT = { limit: 5, windowSeconds: HOUR_SECONDS, maxWaitSeconds: 15 * 60 }

/** An attempt after it was started or continued. */
export interface RunningAttempt {
  attemptId: string
  number: number
  deadlineAt: Date | null
  /** The attempt was already running. */
  resumed: boolean
}

/**
 * Starts an attempt, or returns the running one: there is never a second one. Refuses with forbidden, not_found,
 * unprocessable: quiz_not_open, quiz_closed, quiz_no_attempts, quiz_delay, quiz_password, quiz_empty. Refuses with
 * too_many after five wrong passwords.
 */
export async function startAttempt(
  actor: Actor,
  { quizId, attemptId = newId(), password }: StartAttempt,
  now = new Date(),
): Promise<RunningAttempt> {
  requireQuizStudent(actor)
  const studentId = actor.membershipId
  // Counted before it is compared, so that simultaneous guesses are limited too.
  const guesses = `quiz-password:${actor.tenantId}:${quizId}:${studentId}`
  if (password) await countAttempt(guesses, PASSWORD_LIMIT)
  const started = await inTenant(actor, async (tx) => {
    await lockStudent(tx, quizId, studentId)
    const offer = await settleOffer(tx, await loadOffer(tx, { quizId, studentId }, now), now)
    const running = offer.attempts.find(({ state }) => RUNNING_STATES.includes(state))
    if (running) {
      await recordAttemptEvent(tx, running, 'resumed', { by: studentId })
      return toRunning(running, true)
    }
    if (!isOffered(offer.quiz)) throw new Refusal('not_found')
    if (offer.closedLesson) throw new Refusal('forbidden', { data: { reason: offer.closedLesson.reason } })
    requireStart(offer, password, now)
    return toRunning(await insertAttempt(tx, actor, offer, attemptId, now), false)
  })
  if (password) await clearAttempts(guesses)
  return started
}

/** The attempt as shown to the student after the submission. */
export interface AttemptReceipt {
  attemptId: string
  state: AttemptState
  submittedAt: Date | null
}

/**
 * Submits an attempt with its saved answers; a second call returns the same receipt. After the deadline the attempt has
 * been submitted already. Refuses with forbidden, not_found.
 */
export async function submitAttempt(
  actor: Actor,
  { attemptId }: SubmitAttempt,
  now = new Date(),
): Promise<AttemptReceipt> {
  requireQuizStudent(actor)
  return inTenant(actor, async (tx) => {
    const locked = await settleAttempt(tx, await lockAttempt(tx, actor, attemptId), now)
    const { state, deadlineAt, rules } = locked
    const isRunning = RUNNING_STATES.includes(state) && attemptPhase({ deadlineAt, rules }, now) !== 'over'
    const at = deadlineAt && deadlineAt < now ? deadlineAt : now
    const attempt = isRunning ? await finishAttempt(tx, locked, at, actor.membershipId) : locked
    return { attemptId, state: attempt.state, submittedAt: attempt.submittedAt }
  })
}

/** The student's own attempt, locked until the end of the transaction. Refuses with not_found. */
export async function lockAttempt(tx: Tx, actor: Actor, attemptId: string): Promise<QuizAttemptRow> {
  const [row] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attemptId)).for('update')
  if (row?.studentId !== actor.membershipId) throw new Refusal('not_found')
  return row
}

/** Ends the attempts whose time is over, so that the current state is shown. */
export async function settleOffer(tx: Tx, offer: QuizOffer, now: Date): Promise<QuizOffer> {
  const attempts: QuizAttemptRow[] = []
  for (const attempt of offer.attempts) {
    const isDue = RUNNING_STATES.includes(attempt.state) && attemptPhase(attempt, now) !== 'open'
    if (!isDue) {
      attempts.push(attempt)
      continue
    }
    const [locked] = await tx.select().from(quizAttempt).where(eq(quizAttempt.id, attempt.id)).for('update')
    attempts.push(await settleAttempt(tx, locked ?? attempt, now))
  }
  return { ...offer, attempts }
}

function requireStart({ quiz, settings, attempts }: QuizOffer, password: string, now: Date): void {
  const verdict = startVerdict(settings, attempts, now)
  if (!verdict.allow) {
    throw new Refusal('unprocessable', {
      fields: { form: [START_REFUSALS[verdict.reason]] },
      data: { reason: verdict.reason, at: verdict.at },
    })
  }
  if (quiz.password !== null && quiz.password !== password)
    throw new Refusal('unprocessable', { fields: { password: ['quiz_password'] } })
}

const START_REFUSALS = {
  notOpen: 'quiz_not_open',
  closed: 'quiz_closed',
  exhausted: 'quiz_no_attempts',
  delay: 'quiz_delay',
} as const

async function insertAttempt(
  tx: Tx,
  actor: Actor,
  { quiz, settings, attempts }: QuizOffer,
  id: string,
  now: Date,
): Promise<QuizAttemptRow> {
  const partKey = randomUUID()
  const questions = await freezeQuestions(tx, quiz, secretSource(partKey))
  if (questions.length === 0) throw formRefusal('quiz_empty')
  const { onExpiry, graceSec, networkGraceSec, passPercent, perPage, navigation, feedback } = quiz
  const { negativeMarking, partialCredit } = quiz
  const hundredths = questions.reduce((sum, { points }) => sum + Math.round(points * 100), 0)
  const [row] = await tx
    .insert(quizAttempt)
    .values({
      tenantId: actor.tenantId,
      id,
      quizId: quiz.id,
      studentId: actor.membershipId,
      number: (attempts.at(-1)?.number ?? 0) + 1,
      partKey,
      questions,
      rules: {
        onExpiry,
        graceSec,
        networkGraceSec,
        passPercent,
        perPage,
        navigation,
        feedback,
        negativeMarking,
        partialCredit,
      },
      startedAt: now,
      deadlineAt: deadlineOf(now, settings),
      maxScore: hundredths / 100,
    })
    .onConflictDoNothing()
    .returning()
  // The id belongs to another attempt.
  if (!row) throw new Refusal('conflict')
  await recordAttemptEvent(tx, row, 'started', { by: actor.membershipId, at: now })
  return row
}

const toRunning = ({ id, number, deadlineAt }: QuizAttemptRow, resumed: boolean): RunningAttempt => ({
  attemptId: id,
  number,
  deadlineAt,
  resumed,
})

/** Concurrent starts of the same student in two tabs are serialized; the unique index is the guarantee. */
async function lockStudent(tx: Tx, quizId: string, studentId: string): Promise<void> {
  await lockUntilCommit(tx, 'quiz', `${quizId} ${studentId}`)
}
