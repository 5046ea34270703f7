import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { queueTestCheck } from '#lib/course/learning/test-check.ts'
import { course } from '#lib/course/table.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { lockQuiz, type QuizRow } from './lock-quiz.ts'
import { listOverrides, type OverrideView } from './overrides.ts'
import { requireQuizEditor, requireQuizReader } from './permission.ts'
import type { QuizIssue } from './rules.ts'
import { type CreateQuiz, type HideQuiz, type QuizId, ShowSettings, type UpdateQuiz } from './schema.ts'
import { loadSections, type SectionView } from './sections.ts'
import { quiz } from './table.ts'

/** A test with everything that its editor shows. */
export interface QuizDetails extends Omit<QuizRow, 'tenantId' | 'authorId' | 'deletedAt'> {
  courseTitle: string | null
  sections: SectionView[]
  overrides: OverrideView[]
  /** Issues that prevent the publication, or make a published test unusable. */
  issues: QuizIssue[]
}

/**
 * Creates a draft test; a second call with the same id does nothing. Refuses with forbidden, plan_inactive, not_found
 * (course).
 */
export async function createQuiz(actor: Actor, { quizId, courseId, title }: CreateQuiz): Promise<{ quizId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await requireQuizCourse(tx, courseId)
    const { tenantId, membershipId } = actor
    await tx
      .insert(quiz)
      .values({ tenantId, id: quizId, courseId, title, show: ShowSettings.parse({}), authorId: membershipId })
      .onConflictDoNothing()
    return { quizId }
  })
}

/** Refuses with forbidden, not_found. */
export async function getQuiz(actor: Actor, { quizId }: QuizId): Promise<QuizDetails> {
  requireQuizReader(actor)
  return inTenant(actor, async (tx) => {
    const [[row], { sections, issues }, overrides] = await Promise.all([
      tx
        .select({ quiz, courseTitle: course.title })
        .from(quiz)
        .leftJoin(course, and(eq(course.tenantId, quiz.tenantId), eq(course.id, quiz.courseId)))
        .where(and(eq(quiz.id, quizId), isNull(quiz.deletedAt))),
      loadSections(tx, quizId),
      listOverrides(tx, quizId),
    ])
    if (!row) throw new Refusal('not_found')
    const { tenantId: _, authorId: __, deletedAt: ___, ...settings } = row.quiz
    return { ...settings, courseTitle: row.courseTitle, sections, overrides, issues }
  })
}

/**
 * Changes settings. Attempts that have started keep theirs. Refuses with forbidden, plan_inactive, not_found, conflict
 * (the test has changed since `revision`), unprocessable (end_before_start).
 */
export async function updateQuiz(
  actor: Actor,
  { quizId, revision, settings }: UpdateQuiz,
): Promise<{ revision: number }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    const row = await lockQuiz(tx, quizId, revision)
    const { openAt, closeAt, ...others } = settings
    const dates = {
      openAt: openAt === undefined ? row.openAt : parseDate(openAt),
      closeAt: closeAt === undefined ? row.closeAt : parseDate(closeAt),
    }
    if (dates.openAt && dates.closeAt && dates.openAt >= dates.closeAt)
      throw new Refusal('unprocessable', { fields: { closeAt: ['end_before_start'] } })
    const changed = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
    await tx
      .update(quiz)
      .set({ ...changed, ...dates, revision: revision + 1, updatedAt: new Date() })
      .where(eq(quiz.id, quizId))
    const intro = others.intro === undefined ? row.intro : others.intro
    await attachFiles(
      actor,
      { kind: 'quiz', id: quizId, title: others.title ?? row.title },
      intro === null ? [] : filesOf(intro),
    )
    const isRegraded = others.gradeOf !== undefined || others.passPercent !== undefined
    if (isRegraded && row.courseId) await queueTestCheck(actor, row.courseId)
    return { revision: revision + 1 }
  })
}

/**
 * Makes the test available to the students of its course. Refuses with not_ready while it has issues; a repeated call
 * does nothing.
 */
export async function publishQuiz(actor: Actor, { quizId }: QuizId): Promise<{ quizId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await lockQuiz(tx, quizId)
    const { issues } = await loadSections(tx, quizId)
    if (issues.length > 0) throw new Refusal('not_ready', { data: { issues } })
    await setColumns(tx, actor, quizId, { status: 'published' })
    return { quizId }
  })
}

/** Withdraws the test from students; running attempts continue. A repeated call does nothing. */
export async function unpublishQuiz(actor: Actor, input: QuizId): Promise<{ quizId: string }> {
  return changeQuiz(actor, input, { status: 'draft' })
}

/** Moves the test to the trash; its attempts and results are kept. A repeated call does nothing. */
export async function deleteQuiz(actor: Actor, input: QuizId): Promise<{ quizId: string }> {
  return changeQuiz(actor, input, { deletedAt: new Date() })
}

export async function restoreQuiz(actor: Actor, input: QuizId): Promise<{ quizId: string }> {
  return changeQuiz(actor, input, { deletedAt: null })
}

/** Hides a published test from students, or shows it again. */
export async function setQuizHidden(actor: Actor, { quizId, hidden }: HideQuiz): Promise<{ quizId: string }> {
  return changeQuiz(actor, { quizId }, { hidden })
}

async function changeQuiz(
  actor: Actor,
  { quizId }: QuizId,
  columns: Partial<typeof quiz.$inferInsert>,
): Promise<{ quizId: string }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await setColumns(tx, actor, quizId, columns)
    return { quizId }
  })
}

/** Changes whether students can take a test; after the transaction it is evaluated again who has passed its lessons. */
async function setColumns(tx: Tx, actor: Actor, quizId: string, columns: Partial<typeof quiz.$inferInsert>) {
  const [row] = await tx
    .update(quiz)
    .set({ ...columns, revision: sql`${quiz.revision} + 1`, updatedAt: new Date() })
    .where(eq(quiz.id, quizId))
    .returning({ courseId: quiz.courseId })
  if (!row) throw new Refusal('not_found')
  if (row.courseId) await queueTestCheck(actor, row.courseId)
}

async function requireQuizCourse(tx: Tx, courseId: string | null): Promise<void> {
  if (courseId === null) return
  const [row] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
  if (!row) throw new Refusal('not_found')
}

const parseDate = (text: string | null): Date | null => (text === null ? null : new Date(text))
