import { beforeAll, expect, test } from 'vitest'
import { handedIn, putOnCourse, withTask } from '../setup/course/works.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let home: TestTenant
let submissionId: string
beforeAll(async () => {
  home = await createTestTenant()
  const place = await withTask(home.as.OWNER)
  await putOnCourse(home.as.CURATOR, place.courseId)
  submissionId = await handedIn(home.as.STUDENT, place)
})

const post = (call: string, body: object, actor = home.as.CURATOR) =>
  requestApi('POST', `homework/${call}`, { body, actor })

test('a visitor gets 401, a student 403, an unknown id 404', async () => {
  expect(await requestApi('GET', 'homework/listQueue')).toMatchObject({ status: 401 })
  expect(await requestApi('GET', 'homework/listQueue', { actor: home.as.STUDENT })).toMatchObject({ status: 403 })
  expect(await post('open', { submissionId: home.tenant.id })).toMatchObject({ status: 404 })
  expect(await post('open', { submissionId: 'x' })).toMatchObject({ status: 400 })
})

test('a submission is processed from the queue to its verdict, with the reviewer’s text', async () => {
  const { body } = await requestApi('GET', 'homework/listQueue', { actor: home.as.CURATOR })
  expect(body).toMatchObject({ items: [{ id: submissionId, state: 'submitted' }] })
  expect(await post('review', { submissionId, verdict: 'accept', version: 1 })).toMatchObject({
    status: 409,
    body: { fields: { form: ['Цю роботу вже не відкрито на перевірку. Відкрийте її ще раз.'] } },
  })
  expect(await post('open', { submissionId })).toMatchObject({ status: 200, body: { isMine: true, version: 1 } })
  expect(await post('open', { submissionId }, home.as.EXPERT)).toMatchObject({ status: 200, body: { isMine: false } })
  expect(await post('review', { submissionId, verdict: 'return', version: 1 })).toMatchObject({
    status: 422,
    body: { fields: { form: ['Напишіть, що саме доопрацювати: відгук, голос або позначка на роботі.'] } },
  })
  expect(await post('review', { submissionId, verdict: 'accept', version: 1 })).toMatchObject({
    status: 200,
    body: { state: 'accepted' },
  })
})

test('feedback refuses markup that would be executed in a student’s page', async () => {
  const script = { type: 'doc', content: [{ type: 'html', content: [{ type: 'text', text: '<script>' }] }] }
  const link = { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }
  const rest = { score: null, rubricMarks: [], annotations: [], voiceFileId: null }
  for (const feedback of [script, { type: 'doc', content: [{ type: 'paragraph', content: [link] }] }]) {
    expect(await post('saveReview', { submissionId, version: 1, feedback, ...rest })).toMatchObject({ status: 400 })
  }
})
