import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listGroups } from '#lib/course/group/group.ts'
import { getItemAnalysis } from '#lib/quiz/analysis/item-analysis.ts'
import { listAttempts } from '#lib/quiz/attempt-list/attempt-list.ts'
import { ListAttempts } from '#lib/quiz/attempt-list/schema.ts'
import { getQuestion } from '#lib/quiz/bank/bank.ts'
import { listBanks } from '#lib/quiz/bank/banks.ts'
import { listBankQuestions, listQuestionTags } from '#lib/quiz/bank/list.ts'
import { getQuiz } from '#lib/quiz/quiz.ts'
import { listQuizzes } from '#lib/quiz/quizzes.ts'
import { previewRegrade } from '#lib/quiz/regrade/preview.ts'
import { getLastRegrade } from '#lib/quiz/regrade/start-regrade.ts'
import { isId, parseId } from '../../_request/id-param.ts'
import { bankInput } from './bank-query.ts'
import { quizListInput } from './quiz-list-query.ts'
import { readAttemptFilter } from './results/attempt-filter.ts'

export const QUIZ_PARTS = ['sections', 'settings', 'overrides', 'attempts', 'analysis', 'regrade', 'print'] as const
export type QuizPart = (typeof QUIZ_PARTS)[number]

/** The part of a test that a query selects. */
export const quizPartOf = (params: URLSearchParams): QuizPart =>
  QUIZ_PARTS.find((name) => name === params.get('part')) ?? 'sections'

export type TestsTabData =
  | { view: 'tests'; quizzes: QuizListData }
  | { view: 'bank'; bank: BankData }
  | { view: 'question'; question: QuestionData }
  | ({ view: 'quiz' } & QuizData)

export interface QuizData {
  quiz: Awaited<ReturnType<typeof getQuiz>>
  /** The banks of the part "sections". */
  banks: Awaited<ReturnType<typeof listBanks>>
  /** Null: the actor may not see the results of this test, or another part is shown. */
  results: QuizResultsData | null
}

export type QuizListData = Awaited<ReturnType<typeof listQuizzes>>
export type QuestionData = Awaited<ReturnType<typeof loadQuestion>>
export type BankData = Awaited<ReturnType<typeof loadBank>>
export type QuizResultsData = NonNullable<Awaited<ReturnType<typeof loadResults>>>
export type AttemptListData = Extract<QuizResultsData, { part: 'attempts' }>
export type RegradeData = Extract<QuizResultsData, { part: 'regrade' }>

/**
 * What the tests tab of a course shows by the query of its URL. Its functions run concurrently, so that the page needs one
 * round trip for them and the course. Refuses with forbidden, not_found.
 */
export async function loadTestsTab(
  actor: Actor,
  { courseId, params }: { courseId: string; params: URLSearchParams },
): Promise<TestsTabData> {
  if (params.has('question')) return { view: 'question', question: await loadQuestion(actor, params) }
  if (params.has('quiz')) return { view: 'quiz', ...(await loadQuiz(actor, { courseId, params })) }
  if (params.get('view') === 'bank') return { view: 'bank', bank: await loadBank(actor, params) }
  return { view: 'tests', quizzes: await listQuizzes(actor, quizListInput(courseId, params)) }
}

async function loadQuestion(actor: Actor, params: URLSearchParams) {
  const questionId = parseId(params.get('question'))
  const [question, tags] = await Promise.all([getQuestion(actor, { questionId }), listQuestionTags(actor)])
  return { ...question, allTags: tags.map(({ tag }) => tag) }
}

async function loadBank(actor: Actor, params: URLSearchParams) {
  const [questions, tags, banks] = await Promise.all([
    listBankQuestions(actor, bankInput(params)),
    listQuestionTags(actor),
    listBanks(actor),
  ])
  return { questions, tags, banks }
}

async function loadQuiz(
  actor: Actor,
  { courseId, params }: { courseId: string; params: URLSearchParams },
): Promise<QuizData> {
  const quizId = parseId(params.get('quiz'))
  const part = params.has('preview') ? null : quizPartOf(params)
  const [quiz, banks, results] = await Promise.all([
    getQuiz(actor, { quizId }),
    part === 'sections' ? listBanks(actor) : [],
    loadResults(actor, { quizId, courseId, part, params }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'forbidden') return null
      throw error
    }),
  ])
  return { quiz, banks, results }
}

interface ResultsInput {
  quizId: string
  courseId: string
  part: QuizPart | null
  params: URLSearchParams
}

async function loadResults(actor: Actor, { quizId, courseId, part, params }: ResultsInput) {
  if (part === 'attempts') {
    const filter = readAttemptFilter(params)
    const cursor = params.get('cursor') ?? undefined
    const [attempts, groups] = await Promise.all([
      listAttempts(actor, ListAttempts.parse({ ...filter, cursor })),
      listGroups(actor, { courseId }),
    ])
    return { part, filter, attempts, groups }
  }
  if (part === 'analysis') return { part, analysis: await getItemAnalysis(actor, { quizId }) }
  if (part !== 'regrade') return null
  const chosen = params.has('chosen') ? params.getAll('key').filter(isId) : undefined
  const [preview, last] = await Promise.all([
    previewRegrade(actor, { quizId, questionIds: chosen }),
    getLastRegrade(actor, { quizId }),
  ])
  return { part, chosen, preview, last }
}
