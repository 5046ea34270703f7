import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { copyTitle } from '#lib/course/outline/duplicate.ts'
import { attachFilesOfMany } from '#lib/storage/file-use.ts'
import { requireQuizEditor } from './permission.ts'
import type { DuplicateQuiz } from './schema.ts'
import { quiz, quizQuestion, quizSection } from './table.ts'

/**
 * Copies a test as a draft of the same course: settings and sections with the same questions, no exceptions or attempts.
 * `newQuizId` is chosen by the form, so that posting it twice makes one copy. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function duplicateQuiz(actor: Actor, input: DuplicateQuiz): Promise<{ quizId: string }> {
  requireQuizEditor(actor)
  const { quizId, newQuizId } = input
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select()
      .from(quiz)
      .where(and(eq(quiz.id, quizId), isNull(quiz.deletedAt)))
    if (!row) throw new Refusal('not_found')
    await insertCopies(tx, actor, [{ ...row, id: newQuizId, title: copyTitle(actor, row.title) }], [quizId])
    return { quizId: newQuizId }
  })
}

/**
 * Copies the tests of a course to another one, without exceptions and attempts; `shift` moves their dates. Runs in the
 * transaction of the course module, which has checked the permission. Returns the new ids by the old ones.
 */
export async function copyTests(
  tx: Tx,
  actor: Actor,
  { from, courseId, shift }: { from: string; courseId: string; shift: (at: Date) => Date },
): Promise<Map<string, string>> {
  const rows = await tx
    .select()
    .from(quiz)
    .where(and(eq(quiz.courseId, from), isNull(quiz.deletedAt)))
    .orderBy(asc(quiz.updatedAt), asc(quiz.id))
  const copies = rows.map((row) => ({
    ...row,
    id: newId(),
    courseId,
    openAt: row.openAt && shift(row.openAt),
    closeAt: row.closeAt && shift(row.closeAt),
  }))
  const ids = rows.map(({ id }) => id)
  await insertCopies(tx, actor, copies, ids)
  return new Map(ids.map((id, index) => [id, copies[index]?.id ?? id]))
}

type QuizRow = typeof quiz.$inferSelect

/** Inserts copies as drafts with the sections of their originals, `from` in the same order: four statements. */
async function insertCopies(tx: Tx, actor: Actor, copies: readonly QuizRow[], from: readonly string[]): Promise<void> {
  if (copies.length === 0) return
  const now = new Date()
  const inserted = await tx
    .insert(quiz)
    .values(
      copies.map((copy) => ({
        ...copy,
        status: 'draft' as const,
        revision: 1,
        authorId: actor.membershipId,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: quiz.id })
  const isNew = new Set(inserted.map(({ id }) => id))
  const copyOf = new Map(
    from.flatMap((id, index) => {
      const copy = copies[index]
      return copy && isNew.has(copy.id) ? [[id, copy.id] as const] : []
    }),
  )
  if (copyOf.size === 0) return
  const [sections, questions] = await Promise.all([
    tx
      .select()
      .from(quizSection)
      .where(inArray(quizSection.quizId, [...copyOf.keys()])),
    tx
      .select()
      .from(quizQuestion)
      .where(inArray(quizQuestion.quizId, [...copyOf.keys()])),
  ])
  const sectionIds = new Map(sections.map(({ id }) => [id, newId()]))
  const newIdOf = (ids: ReadonlyMap<string, string>, id: string) => ids.get(id) ?? id
  const toCopy = <Row extends { quizId: string }>(row: Row) => ({ ...row, quizId: newIdOf(copyOf, row.quizId) })
  if (sections.length > 0)
    await tx.insert(quizSection).values(sections.map((row) => ({ ...toCopy(row), id: newIdOf(sectionIds, row.id) })))
  if (questions.length > 0)
    await tx
      .insert(quizQuestion)
      .values(questions.map((row) => ({ ...toCopy(row), sectionId: newIdOf(sectionIds, row.sectionId) })))
  const withFiles = copies.flatMap(({ id, title, intro }) =>
    isNew.has(id) && intro ? [{ id, title, fileIds: filesOf(intro) }] : [],
  )
  if (withFiles.length > 0) await attachFilesOfMany(actor, 'quiz', withFiles)
}
