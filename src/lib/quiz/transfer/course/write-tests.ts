import { eq } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { type NewIds, replaceIds } from '#lib/course/transfer/replace-ids.ts'
import { attachFilesOfMany } from '#lib/storage/file-use.ts'
import { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { Section } from '../../schema.ts'
import { insertSections, loadSections } from '../../sections.ts'
import { quiz } from '../../table.ts'
import type { BundleQuiz, BundleSection, BundleTests } from './bundle-schema.ts'
import { type WrittenQuestions, writeQuestions } from './write-questions.ts'

/**
 * Writes the tests of an imported course, whose ids `ids.tests` has chosen, with their questions and banks. A published
 * test that has become incomplete is a draft. Runs in the transaction that writes the course; its caller has checked the
 * permission. Returns the number of tests.
 */
export async function writeTests(
  tx: Tx,
  actor: Actor,
  { courseId, tests, ids }: { courseId: string; tests: BundleTests; ids: NewIds },
): Promise<number> {
  const written = await writeQuestions(tx, actor, tests, ids)
  for (const entry of tests.quizzes) await writeQuiz(tx, actor, { courseId, ids, written }, entry)
  return tests.quizzes.length
}

interface WriteContext {
  courseId: string
  ids: NewIds
  written: WrittenQuestions
}

async function writeQuiz(
  tx: Tx,
  actor: Actor,
  { courseId, ids, written }: WriteContext,
  { id, sections, intro, openAt, closeAt, ...settings }: BundleQuiz,
): Promise<void> {
  const quizId = ids.tests.get(id) ?? newId()
  const replaced = intro && replaceIds(intro, ids)
  const isValidIntro = replaced !== null && QuestionDoc.safeParse(replaced).success
  await tx.insert(quiz).values({
    ...settings,
    intro: isValidIntro ? replaced : null,
    openAt: openAt === null ? null : new Date(openAt),
    closeAt: closeAt === null ? null : new Date(closeAt),
    tenantId: actor.tenantId,
    id: quizId,
    courseId,
    authorId: actor.membershipId,
  })
  await insertSections(tx, actor, quizId, toSections(sections, written))
  if (isValidIntro)
    await attachFilesOfMany(actor, 'quiz', [{ id: quizId, title: settings.title, fileIds: filesOf(replaced) }])
  if (settings.status === 'draft') return
  const { issues } = await loadSections(tx, quizId)
  if (issues.length > 0) await tx.update(quiz).set({ status: 'draft' }).where(eq(quiz.id, quizId))
}

/** Sections with new ids; a question occurs in a test once. */
function toSections(sections: readonly BundleSection[], { questions, banks }: WrittenQuestions): Section[] {
  const used = new Set<string>()
  return sections.map((section): Section => {
    if (section.pick === 'random')
      return { ...section, id: newId(), bankId: section.bankId && (banks.get(section.bankId) ?? null) }
    const entries = section.questions.flatMap(({ questionId, points }) => {
      const id = questions.get(questionId)
      if (!id || used.has(id)) return []
      used.add(id)
      return [{ questionId: id, points }]
    })
    return { ...section, id: newId(), questions: entries }
  })
}
