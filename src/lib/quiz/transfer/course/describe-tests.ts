import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { selectQuestions } from '../../bank/bank.ts'
import { questionFilesOf } from '../../bank/question-facts.ts'
import { question, questionBank } from '../../question/table.ts'
import { poolCondition } from '../../sections.ts'
import { quiz, quizQuestion, quizSection } from '../../table.ts'
import type { BundleQuestion, BundleQuiz, BundleSection, BundleTests } from './bundle-schema.ts'

/**
 * The tests of a course for a bundle: settings, sections, the questions of fixed sections and of the pools that random
 * sections draw from, with their banks. Deleted tests and questions are omitted. The caller has checked the permission.
 */
export async function describeTests(tx: Tx, courseId: string): Promise<BundleTests> {
  const ofCourse = and(eq(quiz.courseId, courseId), isNull(quiz.deletedAt))
  const [quizzes, sections, entries, pool] = await Promise.all([
    tx.select().from(quiz).where(ofCourse).orderBy(asc(quiz.updatedAt), asc(quiz.id)),
    tx
      .select({ section: quizSection })
      .from(quizSection)
      .innerJoin(quiz, and(eq(quiz.tenantId, quizSection.tenantId), eq(quiz.id, quizSection.quizId)))
      .where(ofCourse)
      .orderBy(asc(quizSection.position)),
    tx
      .select({
        sectionId: quizQuestion.sectionId,
        questionId: quizQuestion.questionId,
        points: quizQuestion.points,
      })
      .from(quizQuestion)
      .innerJoin(quiz, and(eq(quiz.tenantId, quizQuestion.tenantId), eq(quiz.id, quizQuestion.quizId)))
      .innerJoin(question, and(eq(question.tenantId, quizQuestion.tenantId), eq(question.id, quizQuestion.questionId)))
      .where(and(ofCourse, isNull(question.deletedAt)))
      .orderBy(asc(quizQuestion.position)),
    tx.execute<{ id: string }>(sql`select distinct q.id from quiz_section s
      join quiz t on t.tenant_id = s.tenant_id and t.id = s.quiz_id
      join question q on ${poolCondition(POOL)}
      where s.tenant_id = current_tenant() and s.pick = 'random' and t.course_id = ${courseId} and t.deleted_at is null`),
  ])
  const questions = await loadQuestions(tx, [
    ...entries.map(({ questionId }) => questionId),
    ...pool.rows.map(({ id }) => id),
  ])
  const questionBanks = await loadBanks(tx, [
    ...questions.map(({ bankId }) => bankId),
    ...sections.map(({ section }) => section.bankId),
  ])
  const bySection = Map.groupBy(entries, ({ sectionId }) => sectionId)
  const byQuiz = Map.groupBy(sections, ({ section }) => section.quizId)
  return {
    quizzes: quizzes.map((row) =>
      toBundleQuiz(
        row,
        (byQuiz.get(row.id) ?? []).map(({ section }) => toBundleSection(section, bySection.get(section.id) ?? [])),
      ),
    ),
    questions,
    questionBanks,
  }
}

/** The ids of the files that tests and their questions show. */
export function filesOfTests({ quizzes, questions }: BundleTests): string[] {
  return [
    ...quizzes.flatMap(({ intro }) => (intro ? filesOf(intro) : [])),
    ...questions.flatMap(({ content }) => questionFilesOf(content)),
  ]
}

const POOL = { bankId: sql`s.bank_id`, tags: sql`s.tags`, difficulty: sql`s.difficulty`, quizId: sql`s.quiz_id` }

async function loadQuestions(tx: Tx, ids: readonly string[]): Promise<BundleQuestion[]> {
  if (ids.length === 0) return []
  const rows = await selectQuestions(tx)
    .where(inArray(question.id, [...new Set(ids)]))
    .orderBy(asc(question.createdAt), asc(question.id))
  return rows.map(({ id, bankId, content, tags, difficulty, locale }) => ({
    id,
    bankId,
    content,
    tags,
    difficulty,
    locale,
  }))
}

async function loadBanks(tx: Tx, ids: readonly (string | null)[]): Promise<BundleTests['questionBanks']> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  if (known.length === 0) return []
  return tx
    .select({ id: questionBank.id, title: questionBank.title })
    .from(questionBank)
    .where(inArray(questionBank.id, known))
    .orderBy(asc(questionBank.title), asc(questionBank.id))
}

function toBundleQuiz(row: typeof quiz.$inferSelect, sections: BundleSection[]): BundleQuiz {
  const {
    tenantId: _,
    courseId: _1,
    revision: _2,
    authorId: _3,
    createdAt: _4,
    updatedAt: _5,
    deletedAt: _6,
    ...own
  } = row
  return {
    ...own,
    openAt: own.openAt?.toISOString() ?? null,
    closeAt: own.closeAt?.toISOString() ?? null,
    sections,
  }
}

function toBundleSection(
  { pick, title, bankId, tags, difficulty, count, points }: typeof quizSection.$inferSelect,
  entries: readonly { questionId: string; points: number | null }[],
): BundleSection {
  if (pick === 'random') return { pick, title, bankId, tags, difficulty, count: count ?? 1, points }
  return { pick, title, questions: entries.map(({ questionId, points }) => ({ questionId, points })) }
}
