import type { Actor } from '#lib/core/shared/actor.ts'
import { listQuestions } from '#lib/quiz/bank/list.ts'
import { ListQuestions } from '#lib/quiz/bank/schema.ts'
import { type ExportedQuestion, loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import type { QuizDetails } from '#lib/quiz/quiz.ts'

/** The questions of a test that can be given to students; for random sections some matching ones. */
export async function loadPreviewQuestions(
  actor: Actor,
  { id: quizId, sections }: QuizDetails,
): Promise<{ title: string; questions: ExportedQuestion[] }[]> {
  const fixed = new Map(
    (await loadQuestionDrafts(actor, { quizId })).map((question) => [question.questionId, question]),
  )
  const used = new Set(fixed.keys())
  const shown: { title: string; questions: ExportedQuestion[] }[] = []
  for (const section of sections) {
    const questions =
      section.pick === 'fixed'
        ? section.questions.flatMap(({ questionId, complete }) => (complete ? (fixed.get(questionId) ?? []) : []))
        : await drawQuestions(actor, section, used)
    for (const { questionId } of questions) used.add(questionId)
    shown.push({ title: section.title, questions })
  }
  return shown
}

async function drawQuestions(
  actor: Actor,
  { bankId, tags, difficulty, count }: QuizDetails['sections'][number],
  used: ReadonlySet<string>,
): Promise<ExportedQuestion[]> {
  const [tag] = tags
  const { items } = await listQuestions(
    actor,
    ListQuestions.parse({
      complete: 'yes',
      limit: 100,
      ...(bankId ? { bankId } : {}),
      ...(tag ? { tag } : {}),
      ...(difficulty ? { difficulty } : {}),
    }),
  )
  const fitting = items.filter((item) => !used.has(item.id) && tags.every((name) => item.tags.includes(name)))
  return loadQuestionDrafts(actor, { questionIds: fitting.slice(0, count ?? 0).map(({ id }) => id) })
}
