import { expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { quizChannels } from '#lib/quiz/live.ts'
import { putOnCourse } from '../../setup/course/works.ts'
import { startAttempt } from '../../setup/quiz/parsed.ts'
import { offerQuiz } from '../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant } from '../../setup/tenants.ts'

test('live updates of an attempt reach its student and its reviewers only', async () => {
  const ours = await createTestTenant()
  const other = await createOtherTenant()
  const { quizId, courseId } = await offerQuiz(ours, ['single'])
  const { attemptId } = await startAttempt(ours.as.STUDENT, { quizId })
  await putOnCourse(ours.as.CURATOR, courseId)
  const classmate = await addTestMember(ours, 'STUDENT', `classmate-${attemptId}@live.test`)
  const stranger = await addTestMember(ours, 'CURATOR', `stranger-${attemptId}@live.test`)
  const outcomeFor = async (actor: Actor, id = attemptId): Promise<string> => {
    try {
      return (await quizChannels.attempt?.canSubscribe(actor, [id]))?.allow ? 'allowed' : 'denied'
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : 'broken'
    }
  }
  for (const actor of [ours.as.STUDENT, ours.as.OWNER, ours.as.EXPERT, ours.as.CURATOR])
    expect(await outcomeFor(actor)).toBe('allowed')
  for (const actor of [stranger, ours.as.MENTOR, ours.as.PRESENTER]) expect(await outcomeFor(actor)).toBe('forbidden')
  for (const actor of [classmate, other.as.STUDENT, other.as.OWNER]) expect(await outcomeFor(actor)).toBe('not_found')
  expect(await outcomeFor(ours.as.STUDENT, 'no-id')).toBe('not_found')
})
