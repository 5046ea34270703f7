import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { QuizRow } from '../../lock-quiz.ts'
import { type GapContent, gapOptionsOf } from '../../question/rules.ts'
import type { QuestionContent } from '../../question/schema.ts'
import { question, questionVersion } from '../../question/table.ts'
import { poolCondition } from '../../sections.ts'
import { quizQuestion, quizSection } from '../../table.ts'
import type { FrozenQuestion } from '../schema.ts'
import { type ShuffleSource, shuffled } from '../shuffle.ts'

interface PickedQuestion {
  questionId: string
  sectionId: string
  sectionTitle: string
  points: number | null
}

/**
 * Chooses the questions of an attempt with their versions and the order of their parts. The same source gives the
 * same order. Questions that were deleted or became incomplete are omitted.
 */
export async function freezeQuestions(tx: Tx, quiz: QuizRow, source: ShuffleSource): Promise<FrozenQuestion[]> {
  const { key, random } = source
  const picked = await pickQuestions(tx, quiz, key)
  const contents = await loadQuestionContents(tx, picked)
  const sections = [...new Set(picked.map(({ sectionId }) => sectionId))]
  const ordered = sections.flatMap((id) => {
    const inSection = picked.filter(({ sectionId }) => sectionId === id)
    return quiz.shuffleQuestions ? shuffled(inSection, random) : inSection
  })
  return ordered.flatMap((entry) => {
    const found = contents.get(entry.questionId)
    if (!found) return []
    const { version, content } = found
    const { questionId, sectionId, sectionTitle, points } = entry
    const order = partOrder(content, quiz.shuffleOptions, random)
    return [{ questionId, version, sectionId, sectionTitle, points: points ?? content.points, order }]
  })
}

async function pickQuestions(tx: Tx, quiz: QuizRow, key: string): Promise<PickedQuestion[]> {
  const [sections, fixed] = await Promise.all([
    tx.select().from(quizSection).where(eq(quizSection.quizId, quiz.id)).orderBy(asc(quizSection.position)),
    tx.select().from(quizQuestion).where(eq(quizQuestion.quizId, quiz.id)).orderBy(asc(quizQuestion.position)),
  ])
  const picked: PickedQuestion[] = []
  for (const section of sections) {
    const { id: sectionId, title: sectionTitle } = section
    if (section.pick === 'fixed') {
      const own = fixed.filter((row) => row.sectionId === sectionId)
      picked.push(...own.map(({ questionId, points }) => ({ questionId, sectionId, sectionTitle, points })))
      continue
    }
    const pickedIds = picked.map(({ questionId }) => questionId)
    const { rows } = await tx.execute<{ id: string }>(sql`
      select q.id from question q where ${poolCondition(section)}
        and not (q.id = any (${sql.param(`{${pickedIds.join(',')}}`)}::uuid[]))
      order by md5(${key} || q.id::text) limit ${section.count ?? 0}`)
    picked.push(...rows.map(({ id }) => ({ questionId: id, sectionId, sectionTitle, points: section.points })))
  }
  return picked
}

async function loadQuestionContents(tx: Tx, picked: readonly PickedQuestion[]) {
  const ids = picked.map(({ questionId }) => questionId)
  if (ids.length === 0) return new Map<string, { version: number; content: QuestionContent }>()
  const rows = await tx
    .select({ id: question.id, version: question.version, content: questionVersion.content })
    .from(question)
    .innerJoin(
      questionVersion,
      and(
        eq(questionVersion.tenantId, question.tenantId),
        eq(questionVersion.questionId, question.id),
        eq(questionVersion.version, question.version),
      ),
    )
    .where(and(inArray(question.id, ids), isNull(question.deletedAt), eq(question.complete, true)))
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

/**
 * The ids of the parts in the order in which a student sees them. The items of an ordering and the choices of a matching
 * are always shuffled: their stored order is the key.
 */
export function partOrder(content: QuestionContent, shuffleOptions: boolean, random: () => number): string[] {
  switch (content.type) {
    case 'single':
    case 'multiple': {
      const ids = content.options.map(({ id }) => id)
      return shuffleOptions && content.shuffle ? shuffled(ids, random) : ids
    }
    case 'matching':
      return shuffled(
        content.choices.map(({ id }) => id),
        random,
      )
    case 'ordering':
      return shuffled(
        content.items.map(({ id }) => id),
        random,
      )
    case 'gapSelect':
    case 'gapMixed':
      return content.gaps.flatMap((gap: GapContent['gaps'][number]) => {
        const ids = gapOptionsOf(gap).map((option) => `${gap.id}/${option.id}`)
        return shuffleOptions ? shuffled(ids, random) : ids
      })
    default:
      return []
  }
}
