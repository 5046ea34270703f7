import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { GET as openUse } from '../../src/pages/v1/use/[kind]/[id].ts'
import { GET as openZip } from '../../src/pages/v1/zip/[token]/[selection].ts'
import { storeFile } from '../setup/files.ts'
import { addQuestion, addQuiz } from '../setup/quiz/quizzes.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { unzipTexts } from '../setup/unzip.ts'
import { requestApi } from './api-request.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})
afterAll(() => pool.end())

const post = (action: string, body: object, actor: Actor = owner) =>
  requestApi('POST', `storage/${action}`, { actor, body })

describe('the procedures of files', () => {
  test('200: a folder is created, filled, listed, renamed, deleted and restored', async () => {
    const { body } = await post('createFolder', { parentId: null, name: 'Тека' })
    const folderId = String(body.folderId)
    const fileId = await storeFile(owner, { parentId: folderId, name: 'a.txt', bytes: 'а' })
    expect(
      await requestApi('GET', `storage/list?folderId=${folderId}&sort=size&direction=desc`, { actor: owner }),
    ).toMatchObject({
      status: 200,
      body: { rows: [{ id: fileId, name: 'a.txt', usedCount: 0 }], next: null, path: [{ id: folderId }] },
    })
    expect(await post('rename', { fileId, name: 'б' })).toMatchObject({ status: 200, body: { name: 'б.txt' } })
    expect(await post('delete', { fileIds: [folderId] })).toMatchObject({ body: { outcomes: [{ done: true }] } })
    expect(await requestApi('GET', 'storage/list?trash=true', { actor: owner })).toMatchObject({
      body: { rows: [{ id: folderId }] },
    })
    expect(await post('restore', { fileIds: [folderId] })).toMatchObject({ body: { outcomes: [{ done: true }] } })
  })

  test('400, 402, 403, 404, 422, each with its message', async () => {
    expect((await post('rename', { fileId: 'x', name: 'a' })).status).toBe(400)
    expect((await post('delete', { fileIds: [] })).status).toBe(400)
    expect((await requestApi('GET', 'storage/list?sort=mime', { actor: owner })).status).toBe(400)
    expect((await requestApi('GET', 'storage/list?after=%00', { actor: owner })).status).toBe(400)
    expect((await post('createFolder', { parentId: null, name: 'x' }, { ...owner, plans: [] })).status).toBe(402)
    expect((await requestApi('GET', 'storage/list', { actor: ours.as.CURATOR })).status).toBe(403)
    const fileId = await storeFile(owner, { name: 'z.txt', bytes: 'а' })
    expect((await requestApi('GET', `storage/get?fileId=${fileId}`, { actor: theirs.as.OWNER })).status).toBe(404)
    await post('createFolder', { parentId: null, name: 'Двічі' })
    expect(await post('createFolder', { parentId: null, name: 'Двічі' })).toMatchObject({
      status: 422,
      body: { fields: { name: ['Тут уже є тека з такою назвою'] } },
    })
  })
})

describe('the endpoints', () => {
  type EndpointContext = Parameters<typeof openZip>[0]
  const zip = (actor: Actor | null, address: string) => {
    const [, , , token, selection] = address.split('/')
    return openZip({
      locals: { actor },
      params: { token, selection },
    } as object as EndpointContext) as Promise<Response>
  }

  test('of a ZIP serve a download of the announced length', async () => {
    const fileId = await storeFile(owner, { name: 'Лист.txt', bytes: 'добрий день' })
    const { body } = await post('offerZip', { fileIds: [fileId] })
    const answer = await zip(owner, String(body.address))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(body.size),
      'content-disposition': expect.stringMatching(/^attachment; .*%D0%9B%D0%B8%D1%81%D1%82\.txt\.zip$/),
      'cache-control': 'private, no-store',
    })
    expect(unzipTexts(Buffer.from(await answer.arrayBuffer()))).toEqual({ 'Лист.txt': 'добрий день' })
    await expect(zip(null, String(body.address))).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(zip(theirs.as.OWNER, String(body.address))).rejects.toMatchObject({ code: 'not_found' })
    await expect(zip(owner, '/v1/zip/x/y')).rejects.toMatchObject({ code: 'not_found' })
  })

  test("of a file's use lead to its page, and to none of another tenant", async () => {
    const action = async (action: string, body: object) =>
      (await requestApi('POST', `course/${action}`, { actor: owner, body })).body
    const { courseId } = await action('create', { title: 'Курс' })
    const { moduleId } = await action('addModule', { courseId, title: 'Модуль' })
    const { lessonId } = await action('addLesson', { moduleId, title: 'Урок' })
    const open = async (actor: Actor, kind: string, id: unknown) =>
      openUse({
        locals: { actor },
        params: { kind, id },
        redirect: (to: string) => new Response(null, { status: 302, headers: { location: to } }),
      } as object as Parameters<typeof openUse>[0])
    const answer = await open(owner, 'lesson', lessonId)
    expect(answer.headers.get('location')).toBe(`/course/edit/${courseId}?lesson=${lessonId}`)
    const { quizId, questionIds } = await addQuiz(owner, String(courseId), ['single'])
    const tests = `/course/edit/${courseId}?tab=tests`
    expect((await open(owner, 'quiz', quizId)).headers.get('location')).toBe(`${tests}&quiz=${quizId}`)
    const question = await open(owner, 'question', questionIds[0])
    expect(question.headers.get('location')).toBe(`${tests}&question=${questionIds[0]}`)
    const unused = await addQuestion(owner, 'essay')
    expect((await open(owner, 'question', unused)).headers.get('location')).toBe(`${tests}&question=${unused}`)
    await expect(open(theirs.as.OWNER, 'question', unused)).rejects.toMatchObject({ code: 'not_found' })
    await expect(open(theirs.as.OWNER, 'lesson', lessonId)).rejects.toMatchObject({ code: 'not_found' })
    for (const [kind, id] of [
      ['message', lessonId],
      ['lesson', '../x'],
    ] as const) {
      await expect(open(owner, kind, id)).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
