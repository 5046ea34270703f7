import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { learner, putOnCourse, type TaskPlace, withTask } from '../setup/course/works.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { describeUpload } from '../setup/uploads.ts'
import { requestApi } from './api-request.ts'

let ours: TestTenant
let theirs: TestTenant
let place: TaskPlace
let student: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  place = await withTask(ours.as.OWNER)
  await putOnCourse(ours.as.CURATOR, place.courseId)
  student = await learner(ours, place.courseId, 'author@api.test')
})
afterAll(() => pool.end())

const post = (action: string, body: object, actor: Actor | null = student) =>
  requestApi('POST', `homework/${action}`, { actor, body })
const get = (action: string, actor: Actor | null = student) => requestApi('GET', `homework/${action}`, { actor })

describe('the procedures of homework', () => {
  test('200: draft, file, submission, withdrawal, message', async () => {
    const { taskId, lessonId } = place
    const own = { taskId, attempt: 1 }
    expect(await post('saveDraft', { ...own, version: 0, text: 'Пишу' })).toMatchObject({ status: 200 })
    const { parentId: _, ...file } = await describeUpload('план.txt', new Uint8Array(Buffer.from('план')))
    const { body: begun } = await post('startUpload', { ...own, ...file })
    expect(begun).toMatchObject({ parts: 1 })
    const signed = await requestApi('POST', 'storage/signPart', {
      actor: student,
      body: { uploadId: begun.uploadId, number: 1 },
    })
    expect(signed).toMatchObject({ status: 200, body: { url: expect.stringContaining('/v1/part/') } })
    expect(await post('removeFile', { ...own, fileId: begun.uploadId })).toMatchObject({ body: { done: true } })
    expect(await post('submit', { ...own, text: 'Готово' })).toMatchObject({ body: { state: 'submitted' } })
    expect(await post('withdraw', own)).toMatchObject({ body: { done: true } })
    expect(await post('sendMessage', { taskId, body: 'Питання' })).toMatchObject({ body: { body: 'Питання' } })
    expect(await get(`get?lessonId=${lessonId}`)).toMatchObject({
      status: 200,
      body: [{ id: taskId, draft: { attempt: 1, text: 'Готово' }, messages: [{ isMine: true }] }],
    })
  })

  test('400, 401, 403, 404, 415, 422, each in the caller’s language', async () => {
    const own = { taskId: place.taskId, attempt: 1 }
    expect((await post('submit', { ...own, attempt: 0, text: '' })).status).toBe(400)
    expect((await post('submit', { ...own, text: 'а' }, null)).status).toBe(401)
    expect((await post('submit', { ...own, text: 'а' }, ours.as.EXPERT)).status).toBe(403)
    expect((await post('saveTask', { taskId: place.taskId }, ours.as.CURATOR)).status).toBe(403)
    expect((await post('submit', { ...own, text: 'а' }, theirs.as.STUDENT)).status).toBe(404)
    const picky = await withTask(ours.as.OWNER, { acceptTypes: ['image'] }, 'Лише малюнки')
    const painter = await learner(ours, picky.courseId, 'painter@api.test')
    const { parentId: _, ...file } = await describeUpload('слова.txt', new Uint8Array(Buffer.from('слова')))
    expect(await post('startUpload', { taskId: picky.taskId, attempt: 1, ...file }, painter)).toMatchObject({
      status: 415,
      body: { fields: { file: ['Такі файли це завдання не приймає: слова.txt'] } },
    })
    expect(await post('submit', { taskId: picky.taskId, attempt: 1, text: ' ' }, painter)).toMatchObject({
      status: 422,
      body: { fields: { form: ['Напишіть відповідь або додайте файл.'] } },
    })
  })
})
