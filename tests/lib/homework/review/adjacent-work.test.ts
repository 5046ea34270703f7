import { beforeAll, describe, expect, test } from 'vitest'
import { getAdjacentWork } from '#lib/homework/review/adjacent-work.ts'
import { QueueFilter } from '#lib/homework/review/schema.ts'
import { handedIn, putOnCourse, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { getReviewPage } from '../../../setup/parsed/homework-review.ts'
import { submittedAttempt } from '../../../setup/quiz/attempts.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'
import { offerQuiz } from '../../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

describe('the steps of the review queue', () => {
  const ALL = QueueFilter.parse({})
  let home: TestTenant
  let task: TaskPlace
  let quiz: Awaited<ReturnType<typeof offerQuiz>>
  let submissionId: string
  let attemptIds: string[]
  const stepTo = (attemptId: string) => ({
    id: attemptId,
    kind: 'test',
    href: `/test/${quiz.quizId}/${home.as.STUDENT.membershipId}?attempt=${attemptId}`,
  })
  beforeAll(async () => {
    home = await createTestTenant()
    task = await withTask(home.as.OWNER)
    submissionId = await handedIn(home.as.STUDENT, task, { ago: 1 })
    quiz = await offerQuiz(home, ['essay'])
    await putOnCourse(home.as.CURATOR, quiz.courseId)
    attemptIds = [
      await submittedAttempt(home.as.STUDENT, quiz, [KEYS.essay]),
      await submittedAttempt(home.as.STUDENT, quiz, [KEYS.essay]),
    ]
  })

  test('lead from homework to attempts at tests and back', async () => {
    const [first = '', second = ''] = attemptIds
    const page = await getReviewPage(home.as.OWNER, { submissionId })
    expect(page).toMatchObject({ previous: null, next: stepTo(first) })
    const steps = await getAdjacentWork(home.as.OWNER, { ...ALL, attemptId: first })
    expect(steps).toEqual({
      previous: { id: submissionId, kind: 'homework', href: `/homework/${submissionId}` },
      next: stepTo(second),
    })
    expect(await getAdjacentWork(home.as.OWNER, { ...ALL, attemptId: second })).toEqual({
      previous: stepTo(first),
      next: null,
    })
  })

  test('follow the filter of the queue and the courses of a curator', async () => {
    const [first = ''] = attemptIds
    const page = await getReviewPage(home.as.OWNER, { submissionId, kind: 'homework' })
    expect(page).toMatchObject({ previous: null, next: null })
    expect(await getAdjacentWork(home.as.CURATOR, { ...ALL, attemptId: first })).toMatchObject({ previous: null })
  })

  test('are closed to other schools and roles', async () => {
    const [attemptId = ''] = attemptIds
    const theirs = await createOtherTenant()
    const step = (actor: typeof theirs.as.OWNER) =>
      Promise.resolve().then(() => getAdjacentWork(actor, { ...ALL, attemptId }))
    await expect(step(theirs.as.OWNER)).rejects.toMatchObject({ code: 'not_found' })
    const elsewhere = await addTestMember(home, 'CURATOR', `elsewhere-${attemptId}@steps.test`)
    await expect(step(elsewhere)).rejects.toMatchObject({ code: 'not_found' })
    await expect(step(theirs.as.CURATOR)).rejects.toMatchObject({ code: 'not_found' })
    await expect(step(home.as.STUDENT)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
