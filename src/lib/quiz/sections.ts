import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { requireBank } from './bank/bank.ts'
import { lockQuiz } from './lock-quiz.ts'
import { requireQuizEditor } from './permission.ts'
import { question } from './question/table.ts'
import { type QuizIssue, quizIssues } from './rules.ts'
import type { Section, SetSections } from './schema.ts'
import { quiz, quizQuestion, quizSection } from './table.ts'

export interface SectionQuestion {
  questionId: string
  title: string
  type: QuestionType
  /** Points in this test. */
  points: number
  /** Null: the points of the question. */
  ownPoints: number | null
  complete: boolean
  deleted: boolean
}

export interface SectionView {
  id: string
  title: string
  pick: 'fixed' | 'random'
  bankId: string | null
  tags: string[]
  difficulty: number | null
  count: number | null
  points: number | null
  /** Of a fixed section, in order. */
  questions: SectionQuestion[]
  /** Of a random section: complete matching questions that are in no fixed section of the test. */
  available: number
}

/**
 * Replaces the sections of a test. A section whose id belongs to another test is refused with conflict, an unknown
 * question or bank with not_found, a question that occurs twice with unprocessable (question_twice).
 */
export async function setSections(
  actor: Actor,
  { quizId, revision, sections }: SetSections,
): Promise<{ revision: number; issues: QuizIssue[] }> {
  requireQuizEditor(actor)
  return inTenant(actor, async (tx) => {
    await lockQuiz(tx, quizId, revision)
    await requireQuestions(tx, sections)
    for (const section of sections) if (section.pick === 'random') await requireBank(tx, section.bankId)
    await tx.delete(quizQuestion).where(eq(quizQuestion.quizId, quizId))
    await tx.delete(quizSection).where(eq(quizSection.quizId, quizId))
    await insertSections(tx, actor, quizId, sections)
    await tx
      .update(quiz)
      .set({ revision: revision + 1, updatedAt: new Date() })
      .where(eq(quiz.id, quizId))
    const { issues } = await loadSections(tx, quizId)
    return { revision: revision + 1, issues }
  })
}

async function requireQuestions(tx: Tx, sections: readonly Section[]): Promise<void> {
  const ids = sections.flatMap((section) =>
    section.pick === 'fixed' ? section.questions.map(({ questionId }) => questionId) : [],
  )
  if (ids.length === 0) return
  if (new Set(ids).size < ids.length) throw new Refusal('unprocessable', { fields: { sections: ['question_twice'] } })
  const rows = await tx.select({ id: question.id }).from(question).where(inArray(question.id, ids))
  if (rows.length < ids.length) throw new Refusal('not_found')
}

/** Inserts the sections of a test that has none. Refuses with conflict for the id of a section that exists. */
export async function insertSections(tx: Tx, { tenantId }: Actor, quizId: string, sections: readonly Section[]) {
  if (sections.length === 0) return
  const inserted = await tx
    .insert(quizSection)
    .values(
      sections.map((section, position) => ({
        tenantId,
        quizId,
        position,
        id: section.id,
        title: section.title,
        pick: section.pick,
        ...(section.pick === 'random'
          ? {
              bankId: section.bankId,
              tags: [...new Set(section.tags)],
              difficulty: section.difficulty,
              count: section.count,
              points: section.points,
            }
          : {}),
      })),
    )
    .onConflictDoNothing()
    .returning({ id: quizSection.id })
  if (inserted.length < sections.length) throw new Refusal('conflict')
  const questions = sections.flatMap((section) =>
    section.pick === 'fixed'
      ? section.questions.map((entry, position) => ({ ...entry, tenantId, quizId, sectionId: section.id, position }))
      : [],
  )
  if (questions.length > 0) await tx.insert(quizQuestion).values(questions)
}

/** The sections of a test with their questions and issues, in two statements. */
export async function loadSections(tx: Tx, quizId: string): Promise<{ sections: SectionView[]; issues: QuizIssue[] }> {
  const [sectionRows, questionRows] = await Promise.all([
    tx
      .select({ section: quizSection, available: sql<number>`(${poolSize})` })
      .from(quizSection)
      .where(eq(quizSection.quizId, quizId))
      .orderBy(asc(quizSection.position)),
    tx
      .select({
        sectionId: quizQuestion.sectionId,
        questionId: question.id,
        title: question.title,
        type: question.type,
        ownPoints: quizQuestion.points,
        questionPoints: question.points,
        complete: question.complete,
        deletedAt: question.deletedAt,
      })
      .from(quizQuestion)
      .innerJoin(question, and(eq(question.tenantId, quizQuestion.tenantId), eq(question.id, quizQuestion.questionId)))
      .where(eq(quizQuestion.quizId, quizId))
      .orderBy(asc(quizQuestion.position)),
  ])
  const sections = sectionRows.map(
    ({ section: { tenantId: _, quizId: __, position: ___, ...section }, available }) => ({
      ...section,
      available: section.pick === 'random' ? available : 0,
      questions: questionRows
        .filter(({ sectionId }) => sectionId === section.id)
        .map(({ sectionId: _, questionPoints, deletedAt, ...row }) => ({
          ...row,
          points: row.ownPoints ?? questionPoints,
          deleted: deletedAt !== null,
        })),
    }),
  )
  return {
    sections,
    issues: quizIssues(sections.map((section) => ({ ...section, sharedNeed: neededFor(section, sections) }))),
  }
}

/** Conditions on `q` for the pool of a random section, given as columns or values. */
export function poolCondition(section: {
  bankId: SQL | string | null
  tags: SQL | string[]
  difficulty: SQL | number | null
  quizId: SQL | string
}): SQL {
  const tags = Array.isArray(section.tags) ? textArray(section.tags) : section.tags
  return sql`q.tenant_id = current_tenant() and q.deleted_at is null and q.complete
    and (${section.bankId}::uuid is null or q.bank_id = ${section.bankId}::uuid)
    and (${tags} = '{}' or q.tags @> ${tags})
    and (${section.difficulty}::int is null or q.difficulty = ${section.difficulty}::int)
    and q.id <> all (array(select f.question_id from quiz_question f where f.tenant_id = current_tenant()
      and f.quiz_id = ${section.quizId}))`
}

const textArray = (texts: readonly string[]): SQL =>
  texts.length === 0
    ? sql`'{}'::text[]`
    : sql`array[${sql.join(
        texts.map((text) => sql`${text}`),
        sql`, `,
      )}]::text[]`

const poolSize = sql`select count(*)::int from question q where ${poolCondition({
  bankId: sql`${quizSection.bankId}`,
  tags: sql`${quizSection.tags}`,
  difficulty: sql`${quizSection.difficulty}`,
  quizId: sql`${quizSection.quizId}`,
})}`

/** The number of questions that this section and earlier ones with the same conditions draw together. */
function neededFor(section: SectionView, sections: readonly SectionView[]): number {
  const keyOf = ({ bankId, tags, difficulty }: SectionView) => JSON.stringify([bankId, tags.toSorted(), difficulty])
  return sections
    .slice(0, sections.indexOf(section) + 1)
    .filter((other) => other.pick === 'random' && keyOf(other) === keyOf(section))
    .reduce((sum, { count }) => sum + (count ?? 0), 0)
}
