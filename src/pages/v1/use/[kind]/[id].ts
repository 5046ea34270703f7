import type { APIRoute } from 'astro'
import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listCourses } from '#lib/course/course.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getQuestion } from '#lib/quiz/bank/bank.ts'
import { getQuiz } from '#lib/quiz/quiz.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'

/** Redirects to the page of a file's user: the storage module is below the module of that page. */
export const GET: APIRoute = async ({ locals, params, redirect }) => {
  const { actor } = locals
  if (!actor) throw new Refusal('unauthorized')
  const { success, data: id } = z.uuid().safeParse(params.id)
  if (!success) throw new Refusal('not_found')
  if (params.kind === 'course') return redirect(`/course/edit/${id}`)
  if (params.kind === 'workshop') return redirect(editPath((await getWorkshop(actor, { workshopId: id })).type, id))
  if (params.kind === 'autowebinar') return redirect(`/workshops/auto-webinar/${id}?tab=script`)
  if (params.kind === 'masterclass') return redirect(`/workshops/masterclass/${id}?tab=page`)
  if (params.kind === 'mentoring') return redirect(`/mentoring/program/${id}`)
  if (params.kind === 'quiz') return redirect(`${await findTestsTab(actor, id)}&quiz=${id}`)
  if (params.kind === 'question') {
    const { usedIn } = await getQuestion(actor, { questionId: id })
    return redirect(`${await findTestsTab(actor, usedIn[0]?.quizId)}&question=${id}`)
  }
  if (params.kind !== 'lesson') throw new Refusal('not_found')
  const { courseId } = await getLesson(actor, { lessonId: id })
  return redirect(`/course/edit/${courseId}?lesson=${id}`)
}

/**
 * The tests tab with a test; questions belong to the school, so a question without a test is shown in the most recently
 * changed course.
 */
async function findTestsTab(actor: Actor, quizId: string | undefined): Promise<string> {
  const courseId = quizId
    ? (await getQuiz(actor, { quizId })).courseId
    : (await listCourses(actor, { status: 'all', q: '', cursor: undefined, limit: 1 })).items[0]?.id
  if (!courseId) throw new Refusal('not_found')
  return `/course/edit/${courseId}?tab=tests`
}
