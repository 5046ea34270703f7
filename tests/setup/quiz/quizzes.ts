import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import type { QuestionLabels } from '#lib/quiz/question/schema.ts'
import { createQuiz, getQuiz, publishQuiz } from '#lib/quiz/quiz.ts'
import type { QuizSettings } from '#lib/quiz/schema.ts'
import { publishedCourse } from '../course/groups.ts'
import type { TestTenant } from '../tenants.ts'
import { createQuestion, setSections, updateQuiz } from './parsed.ts'
import { sampleQuestion } from './questions.ts'

/** Adds a complete question of a type to the general bank. */
export async function addQuestion(
  actor: Actor,
  type: QuestionType,
  labels: Partial<QuestionLabels> = {},
): Promise<string> {
  const questionId = newId()
  await createQuestion(actor, { questionId, draft: { ...labels, content: sampleQuestion(type) } })
  return questionId
}

/** A test of fixed questions in a course, as a draft. */
export async function addQuiz(actor: Actor, courseId: string | null, types: readonly QuestionType[]) {
  const quizId = newId()
  await createQuiz(actor, { quizId, courseId, title: 'Тест' })
  const questionIds: string[] = []
  for (const type of types) questionIds.push(await addQuestion(actor, type))
  const section = { id: newId(), pick: 'fixed' as const, questions: questionIds.map((questionId) => ({ questionId })) }
  await setSections(actor, { quizId, revision: 1, sections: [section] })
  return { quizId, questionIds }
}

/** Changes settings of a test on its current revision. */
export async function changeSettings(actor: Actor, quizId: string, settings: Partial<QuizSettings>): Promise<void> {
  const { revision } = await getQuiz(actor, { quizId })
  await updateQuiz(actor, { quizId, revision, settings })
}

const courses = new Map<string, Promise<string>>()

/**
 * A published course with access for the tenant's student; one for all tests of a tenant, since its plan allows few.
 */
function openCourse({ as, tenant }: TestTenant): Promise<string> {
  const known = courses.get(tenant.id)
  if (known) return known
  const opened = publishedCourse(as.OWNER).then(async ({ courseId }) => {
    await grantAccess(as.OWNER, { courseId, studentId: as.STUDENT.membershipId })
    return courseId
  })
  courses.set(tenant.id, opened)
  return opened
}

/** A published test in a published course with access for the tenant's student. */
export async function offerQuiz(
  tenant: TestTenant,
  types: readonly QuestionType[],
  settings: Partial<QuizSettings> = {},
) {
  const { as } = tenant
  const courseId = await openCourse(tenant)
  const { quizId, questionIds } = await addQuiz(as.OWNER, courseId, types)
  await changeSettings(as.OWNER, quizId, settings)
  await publishQuiz(as.OWNER, { quizId })
  return { courseId, quizId, questionIds }
}
