import { QUIZ_STATUS } from '#lib/core/shared/quiz.ts'
import { ListQuizzes } from '#lib/quiz/schema.ts'

/** The input of the list of a course's tests by the query of its URL; invalid filters are ignored. */
export function quizListInput(courseId: string, params: URLSearchParams): ListQuizzes {
  const status = QUIZ_STATUS.find((name) => name === params.get('status'))
  const q = (params.get('q') ?? '').slice(0, 100)
  return ListQuizzes.parse({ courseId, q, ...(status ? { status } : {}), cursor: params.get('cursor') ?? undefined })
}
