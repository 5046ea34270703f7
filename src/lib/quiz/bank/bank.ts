import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { requireQuizEditor, requireQuizReader } from '../permission.ts'
import { type QuestionIssue, questionIssues } from '../question/rules.ts'
import type { QuestionContent, QuestionLabels } from '../question/schema.ts'
import { question, questionBank, questionVersion } from '../question/table.ts'
import { quiz, quizQuestion } from '../table.ts'
import { insertQuestionRows } from './insert-questions.ts'
import { questionFilesOf, titleOf } from './question-facts.ts'
import type { ChangeQuestions, CreateQuestion, DuplicateQuestion, QuestionId, UpdateQuestion } from './schema.ts'

/** The state of a question after it was saved. */
export interface SavedQuestion {
  questionId: string
  version: number
  revision: number
  /** The issues that prevent the question from being given to students. */
  issues: QuestionIssue[]
}

/**
 * Creates a question; a second call with the same id returns the question that exists. Refuses with forbidden,
 * plan_inactive, not_found (bank).
 */
export async function createQuestion(
  actor: Actor,
  { questionId, bankId, draft }: CreateQuestion,
): Promise<SavedQuestion> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await requireBank(tx, bankId)
    await insertQuestionRows(tx, actor, bankId, [{ questionId, draft }])
    return savedQuestion(tx, questionId)
  })
}

/**
 * Changes a question. A change of the content creates a version; started attempts keep theirs. Refuses with forbidden,
 * plan_inactive, not_found, and conflict when the question has changed since `revision`.
 */
export async function updateQuestion(
  actor: Actor,
  { questionId, revision, content, labels }: UpdateQuestion,
): Promise<SavedQuestion> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    const current = await lockQuestion(tx, questionId)
    if (current.revision !== revision) throw new Refusal('conflict', { data: { revision: current.revision } })
    const isNewContent = content !== undefined && !isDeepStrictEqual(content, current.content)
    if (isNewContent) await insertVersion(tx, actor, { questionId, version: current.version + 1, content })
    await tx
      .update(question)
      .set({
        ...definedLabels(labels),
        ...(isNewContent ? { ...contentColumns(content), version: current.version + 1 } : {}),
        revision: revision + 1,
        updatedAt: new Date(),
      })
      .where(eq(question.id, questionId))
    return savedQuestion(tx, questionId)
  })
}

/** A question with its current content. */
export interface QuestionDetails extends QuestionLabels {
  id: string
  bankId: string | null
  version: number
  revision: number
  content: QuestionContent
  issues: QuestionIssue[]
  /** Tests with the question in a fixed section. */
  usedIn: { quizId: string; title: string }[]
  updatedAt: Date
}

/** Refuses with forbidden, not_found. */
export async function getQuestion(actor: Actor, { questionId }: QuestionId): Promise<QuestionDetails> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [[row], usedIn] = await Promise.all([
      selectQuestions(tx).where(and(eq(question.id, questionId), isNull(question.deletedAt))),
      tx
        .select({ quizId: quiz.id, title: quiz.title })
        .from(quizQuestion)
        .innerJoin(quiz, and(eq(quiz.tenantId, quizQuestion.tenantId), eq(quiz.id, quizQuestion.quizId)))
        .where(and(eq(quizQuestion.questionId, questionId), isNull(quiz.deletedAt)))
        .orderBy(quiz.title, quiz.id),
    ])
    if (!row) throw new Refusal('not_found')
    const { id, bankId, version, revision, content, tags, difficulty, locale, updatedAt } = row
    const issues = questionIssues(content)
    return { id, bankId, version, revision, content, tags, difficulty, locale, updatedAt, issues, usedIn }
  })
}

/** Copies the current version of a question; a second call with the same new id returns the copy that exists. */
export async function duplicateQuestion(
  actor: Actor,
  { questionId, newQuestionId }: DuplicateQuestion,
): Promise<SavedQuestion> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    const [source] = await selectQuestions(tx).where(and(eq(question.id, questionId), isNull(question.deletedAt)))
    if (!source) throw new Refusal('not_found')
    const { bankId, content, tags, difficulty, locale } = source
    await insertQuestionRows(tx, actor, bankId, [
      { questionId: newQuestionId, draft: { content, tags, difficulty, locale } },
    ])
    return savedQuestion(tx, newQuestionId)
  })
}

/**
 * Tags, moves, deletes or restores questions; ids of other tenants are ignored. A deleted question remains in attempts
 * and is reported by the tests that contain it. Refuses with forbidden, plan_inactive, not_found (bank).
 */
export async function changeQuestions(actor: Actor, change: ChangeQuestions): Promise<{ changed: number }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    if (change.action === 'move') await requireBank(tx, change.bankId)
    const isDeleted = change.action === 'restore' ? isNotNull(question.deletedAt) : isNull(question.deletedAt)
    const rows = await tx
      .update(question)
      .set({ ...changedColumns(change), revision: sql`${question.revision} + 1`, updatedAt: new Date() })
      .where(and(inArray(question.id, change.questionIds), isDeleted))
      .returning({ id: question.id })
    return { changed: rows.length }
  })
}

function changedColumns(change: ChangeQuestions) {
  switch (change.action) {
    case 'tag': {
      const added = sql`array[${sql.join(
        change.tags.map((tag) => sql`${tag}`),
        sql`, `,
      )}]::text[]`
      // At most 20 tags, as in the schema; the earliest are kept.
      return { tags: sql`(array(select distinct on (t) t from unnest(${question.tags} || ${added}) t))[1:20]` }
    }
    case 'untag': {
      const removed = sql`array[${sql.join(
        change.tags.map((tag) => sql`${tag}`),
        sql`, `,
      )}]::text[]`
      return { tags: sql`array(select t from unnest(${question.tags}) t where t <> all (${removed}))` }
    }
    case 'move':
      return { bankId: change.bankId }
    case 'delete':
      return { deletedAt: new Date() }
    case 'restore':
      return { deletedAt: null }
  }
}

/** The questions with the content of their current version. */
export function selectQuestions(tx: Tx) {
  return tx
    .select({
      id: question.id,
      bankId: question.bankId,
      version: question.version,
      revision: question.revision,
      tags: question.tags,
      difficulty: question.difficulty,
      locale: question.locale,
      updatedAt: question.updatedAt,
      content: questionVersion.content,
    })
    .from(question)
    .innerJoin(
      questionVersion,
      and(
        eq(questionVersion.tenantId, question.tenantId),
        eq(questionVersion.questionId, question.id),
        eq(questionVersion.version, question.version),
      ),
    )
    .$dynamic()
}

async function lockQuestion(tx: Tx, questionId: string) {
  const isCurrentQuestion = and(eq(question.id, questionId), isNull(question.deletedAt))
  // Locked before it is joined with its version, because a change that held the lock may have created a newer version.
  await tx.select({ id: question.id }).from(question).where(isCurrentQuestion).for('update')
  const [row] = await selectQuestions(tx).where(isCurrentQuestion)
  if (!row) throw new Refusal('not_found')
  return row
}

async function savedQuestion(tx: Tx, questionId: string): Promise<SavedQuestion> {
  const [row] = await selectQuestions(tx).where(eq(question.id, questionId))
  if (!row) throw new Refusal('not_found')
  return { questionId, version: row.version, revision: row.revision, issues: questionIssues(row.content) }
}

async function insertVersion(
  tx: Tx,
  actor: Actor,
  { questionId, version, content }: { questionId: string; version: number; content: QuestionContent },
): Promise<void> {
  await tx
    .insert(questionVersion)
    .values({ tenantId: actor.tenantId, questionId, version, content, by: actor.membershipId })
  await attachFiles(actor, { kind: 'question', id: questionId, title: titleOf(content) }, questionFilesOf(content))
}

const contentColumns = (content: QuestionContent) => ({
  type: content.type,
  title: titleOf(content),
  points: content.points,
  complete: questionIssues(content).length === 0,
})

/** Labels without those that are undefined. */
const definedLabels = (labels: { [Label in keyof QuestionLabels]?: QuestionLabels[Label] | undefined } = {}) => ({
  ...(labels.tags ? { tags: [...new Set(labels.tags)] } : {}),
  ...(labels.difficulty ? { difficulty: labels.difficulty } : {}),
  ...(labels.locale ? { locale: labels.locale } : {}),
})

/** Refuses with not_found for a bank of another tenant; null is the general bank. */
export async function requireBank(tx: Tx, bankId: string | null): Promise<void> {
  if (bankId === null) return
  const [row] = await tx.select({ id: questionBank.id }).from(questionBank).where(eq(questionBank.id, bankId))
  if (!row) throw new Refusal('not_found')
}
