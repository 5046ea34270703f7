import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listGrants } from '#lib/course/access/explain-access.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { listQueue } from '#lib/homework/review/queue.ts'
import { ListQueue } from '#lib/homework/review/schema.ts'
import { sendHomeworkMessage } from '#lib/homework/submission/messages.ts'
import { getHomework } from '#lib/homework/submission/submission.ts'
import { submitAnswer } from '#lib/homework/submission/submit.ts'
import { putOnCourse, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { answerBank, createSoldOffer, newBuyer, order } from '../../../setup/offer/orders.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let place: TaskPlace
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
})
beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

async function buyer(change: object): Promise<Actor> {
  const student = await addTestMember(home, 'STUDENT', newBuyer())
  const offerId = await createSoldOffer(home.as.OWNER, place.courseId, change)
  await answerBank(await order(home, offerId, { email: student.email }), 'success')
  return student
}
const submit = (student: Actor) => submitAnswer(student, { taskId: place.taskId, attempt: 1, text: 'Моя відповідь' })
const taskOf = async (student: Actor) => (await getHomework(student, { lessonId: place.lessonId }))[0]
const waiting = async ({ membershipId: studentId }: Actor) =>
  (await listQueue(home.as.CURATOR, ListQueue.parse({ tab: 'toCheck', studentId }))).items.length
const write = async (student: Actor) => sendHomeworkMessage(student, { taskId: place.taskId, body: 'Чи можна відео?' })

test('work of a student with curator support waits for a review, and the student may write to the curator', async () => {
  const student = await buyer({})
  expect((await submit(student)).state).toBe('submitted')
  expect(await waiting(student)).toBe(1)
  await write(student)
})

test('without curator support work is accepted at once without a review, and messages are refused', async () => {
  const student = await buyer({ withReview: false })
  expect(await taskOf(student)).toMatchObject({ hasCuratorSupport: false })
  expect((await submit(student)).state).toBe('accepted')
  expect((await submit(student)).state).toBe('accepted')
  expect(await waiting(student)).toBe(0)
  expect(await taskOf(student)).toMatchObject({ draft: null, attempts: [{ state: 'accepted', verdict: null }] })
  await expect(write(student)).rejects.toMatchObject({ details: { fields: { form: ['homework_no_support'] } } })
  const { grants } = await listGrants(home.as.OWNER, { courseId: place.courseId, studentId: student.membershipId })
  expect(grants).toMatchObject([{ sourceType: 'order', withReview: false }])
})

test('another grant gives the support that an order does not include', async () => {
  const student = await buyer({ withReview: false })
  const { courseId } = place
  await grantAccess(home.as.OWNER, { courseId, studentId: student.membershipId })
  expect(await taskOf(student)).toMatchObject({ hasCuratorSupport: true })
  expect((await submit(student)).state).toBe('submitted')
})
