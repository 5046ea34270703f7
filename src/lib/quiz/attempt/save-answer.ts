import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { requireQuizStudent } from '../permission.ts'
import { fitsQuestion, isEmptyAnswer } from '../question/answer-rules.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import { lockAttempt } from './attempt.ts'
import { type ShownIdOf, shownIdsOf, toShownAnswer, toStoredAnswer } from './describe/part-ids.ts'
import { requireOwnFiles } from './files/answer-files.ts'
import { publishAttempt, updateAttempt } from './finish.ts'
import { loadForSave, requireOpenQuestion } from './load-for-save.ts'
import { countPages } from './rules.ts'
import type { ReachPage, SaveAnswer } from './schema.ts'
import { quizAnswer } from './table.ts'

/** The acknowledgement of a saved answer. */
export interface SavedAnswer {
  questionId: string
  revision: number
  savedAt: Date
}

/**
 * Saves one answer, with the ids of parts that the student sees, by the server's clock; a repeated save is acknowledged and changes nothing. A refusal leaves the
 * saved answer unchanged: not_found (another student's attempt, a question of another attempt, a file of another user),
 * conflict with the saved revision and value for an older or equal revision, unprocessable: attempt_finished,
 * attempt_over, answer_type, answer_page, answer_closed.
 */
export async function saveAnswer(actor: Actor, input: SaveAnswer, now = new Date()): Promise<SavedAnswer> {
  requireQuizStudent(actor)
  const { attemptId, questionId, revision, baseRevision, value } = input
  return inTenant(actor, async (tx) => {
    const { attempt, content } = await loadForSave(tx, actor, attemptId, questionId)
    requireOpenQuestion(attempt, questionId, now)
    const shownId = shownIdsOf(attempt.partKey, questionId)
    const stored = storedAnswerFor(content, value, shownId)
    if (stored?.type === 'fileUpload') await requireOwnFiles(tx, actor, stored.fileIds)
    const spentMs = timeSince(attempt, now)
    const saved = await storeAnswer(tx, actor, {
      attemptId,
      questionId,
      revision,
      baseRevision,
      value: stored,
      spentMs,
      now,
      shownId,
    })
    await publishAttempt(attemptId, { event: 'saved', questionId, revision })
    return saved
  })
}

/**
 * With forward navigation, closes the pages before this one. Refuses with not_found, unprocessable (attempt_finished,
 * answer_page); nothing changes for a page that was reached before.
 */
export async function reachPage(actor: Actor, input: ReachPage): Promise<{ page: number }> {
  requireQuizStudent(actor)
  const { attemptId, page } = input
  return inTenant(actor, async (tx) => {
    const attempt = await lockAttempt(tx, actor, attemptId)
    if (attempt.state !== 'inProgress') throw formRefusal('attempt_finished')
    if (page >= countPages(attempt.questions.length, attempt.rules.perPage)) throw formRefusal('answer_page')
    if (page <= attempt.page) return { page: attempt.page }
    await updateAttempt(tx, attemptId, { page })
    return { page }
  })
}

/**
 * The answer of a student with the stored ids of parts; null for no answer. Refuses with unprocessable (answer_type) an
 * answer that does not match the question.
 */
export function storedAnswerFor(
  content: QuestionContent,
  value: AnswerValue | null,
  shownId: ShownIdOf,
): AnswerValue | null {
  if (value === null) return null
  const stored = toStoredAnswer(content, value, shownId)
  if (!stored || !fitsQuestion(content, stored)) throw formRefusal('answer_type')
  return isEmptyAnswer(stored) ? null : stored
}

interface AnswerToWrite {
  attemptId: string
  questionId: string
  revision: number
  baseRevision?: number | undefined
  value: AnswerValue | null
  /** Time since the last save of the attempt, added to the time on this question. */
  spentMs: number
  now: Date
  /** For the answer of a conflict. */
  shownId: ShownIdOf
}

/** A longer pause does not count as time on a question. */
const MAX_PAUSE_MS = 30 * MINUTE_MS

/** The time that a save adds to its question: since the last save of any answer, or since the start of the attempt. */
export function timeSince(
  { startedAt, lastSavedAt }: { startedAt: Date; lastSavedAt: string | null },
  now: Date,
): number {
  const since = lastSavedAt === null ? startedAt : new Date(lastSavedAt)
  return Math.min(MAX_PAUSE_MS, Math.max(0, now.getTime() - since.getTime()))
}

/**
 * Writes an answer unless a newer one is stored. Refuses with conflict, and with unprocessable (answer_closed) after its
 * feedback was shown. The caller has checked the attempt.
 */
export async function storeAnswer(tx: Tx, { tenantId }: Actor, answer: AnswerToWrite): Promise<SavedAnswer> {
  const { attemptId, questionId, revision, baseRevision, value, spentMs, now, shownId } = answer
  const [row] = await tx
    .insert(quizAnswer)
    .values({ tenantId, attemptId, questionId, value, revision, spentMs, savedAt: now })
    .onConflictDoUpdate({
      target: [quizAnswer.tenantId, quizAnswer.attemptId, quizAnswer.questionId],
      set: { value, revision, spentMs: addedTime(spentMs), savedAt: now },
      setWhere: and(
        lt(quizAnswer.revision, revision),
        baseRevision === undefined ? undefined : eq(quizAnswer.revision, baseRevision),
        isNull(quizAnswer.closedAt),
      ),
    })
    .returning({ questionId: quizAnswer.questionId, revision: quizAnswer.revision, savedAt: quizAnswer.savedAt })
  if (row) return row
  const [current] = await tx
    .select()
    .from(quizAnswer)
    .where(and(eq(quizAnswer.attemptId, attemptId), eq(quizAnswer.questionId, questionId)))
  if (current?.revision === revision && isDeepStrictEqual(current.value, value))
    return { questionId, revision, savedAt: current.savedAt }
  if (current?.closedAt) throw formRefusal('answer_closed')
  throw new Refusal('conflict', {
    fields: { form: ['answer_older'] },
    data: { revision: current?.revision ?? 0, value: toShownAnswer(current?.value ?? null, shownId) },
  })
}

/** Limited to the range of the column. */
const addedTime = (spentMs: number) => sql`least(${quizAnswer.spentMs}::bigint + ${spentMs}, 2000000000)::int`
