import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { GET as getFile } from '../../src/pages/v1/file/[id].ts'
import { POST as postFile } from '../../src/pages/v1/file/index.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

let ours: TestTenant
let theirs: TestTenant
let made: Record<'courseId' | 'moduleId' | 'lessonId', string>

const text = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  const action = async (action: string, body: object) =>
    (await requestApi('POST', `course/${action}`, { actor: ours.as.OWNER, body })).body
  const { courseId } = await action('create', { title: 'Курс' })
  const { moduleId } = await action('addModule', { courseId, title: 'Модуль' })
  const { lessonId } = await action('addLesson', { moduleId, title: 'Урок', blocks: text })
  made = { courseId: String(courseId), moduleId: String(moduleId), lessonId: String(lessonId) }
})
afterAll(() => pool.end())

describe('the course procedures', () => {
  test('200: list, get, save', async () => {
    const actor = ours.as.EXPERT
    expect(await requestApi('GET', 'course/list?limit=5', { actor })).toMatchObject({
      status: 200,
      body: { items: [{ id: made.courseId, lessonCount: 1 }], next: null },
    })
    expect((await requestApi('GET', `course/get?courseId=${made.courseId}`, { actor })).status).toBe(200)
    const body = {
      lessonId: made.lessonId,
      version: 1,
      title: 'Урок',
      change: { at: 0, remove: 1, insert: text.content },
    }
    expect(await requestApi('POST', 'course/saveLesson', { actor, body })).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
  })

  test('400: invalid input, with a message for the field', async () => {
    const actor = ours.as.OWNER
    expect(await requestApi('POST', 'course/create', { actor, body: { title: '' } })).toMatchObject({
      status: 400,
      body: { code: 'invalid', fields: { title: ["Це поле є обов'язковим"] } },
    })
    const hostile = [{ type: 'script', content: [{ type: 'text', text: 'alert(1)' }] }]
    const body = { lessonId: made.lessonId, version: 2, change: { at: 0, remove: 1, insert: hostile } }
    expect((await requestApi('POST', 'course/saveLesson', { actor, body })).status).toBe(400)
    expect((await requestApi('GET', "course/get?courseId=1' or '1'='1", { actor })).status).toBe(400)
  })

  test('401 without a session, 403 without the role, 402 without the plan', async () => {
    expect((await requestApi('GET', 'course/list')).status).toBe(401)
    for (const role of ['PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      expect((await requestApi('GET', 'course/list', { actor: ours.as[role] })).status).toBe(403)
    }
    const body = { title: 'Курс' }
    expect((await requestApi('POST', 'course/create', { actor: ours.as.CURATOR, body })).status).toBe(403)
    const lapsed: Actor = { ...ours.as.OWNER, plans: [] }
    expect(await requestApi('POST', 'course/create', { actor: lapsed, body })).toMatchObject({
      status: 402,
      body: { code: 'plan_inactive' },
    })
    expect((await requestApi('GET', `course/getMine?courseId=${made.courseId}`, { actor: ours.as.OWNER })).status).toBe(
      403,
    )
  })

  test('404: another tenant and a student without a grant', async () => {
    const { courseId, lessonId } = made
    expect((await requestApi('GET', `course/get?courseId=${courseId}`, { actor: theirs.as.OWNER })).status).toBe(404)
    const actor = ours.as.STUDENT
    expect((await requestApi('POST', 'course/openLesson', { actor, body: { lessonId } })).status).toBe(404)
    expect((await requestApi('GET', 'course/nothing', { actor: ours.as.OWNER })).status).toBe(404)
  })

  test('409: an outdated version, with the newer text', async () => {
    const body = { lessonId: made.lessonId, version: 1, title: 'Інше' }
    expect(await requestApi('POST', 'course/saveLesson', { actor: ours.as.OWNER, body })).toMatchObject({
      status: 409,
      body: { code: 'conflict', version: 2, title: 'Урок', blocks: text },
    })
  })

  test('422: a course that is not ready', async () => {
    const actor = ours.as.OWNER
    const { courseId } = (await requestApi('POST', 'course/create', { actor, body: { title: 'Порожній' } })).body
    expect(await requestApi('POST', 'course/publish', { actor, body: { courseId } })).toMatchObject({
      status: 422,
      body: { fields: { form: ['Додайте хоча б один урок зі змістом'] } },
    })
  })
})

describe('the file endpoint', () => {
  type EndpointContext = Parameters<typeof getFile>[0]

  async function upload(actor: Actor | null, body: FormData | string | Uint8Array<ArrayBuffer>): Promise<Response> {
    const headers = new Headers(body instanceof Uint8Array ? [['content-type', 'multipart/form-data; boundary=x']] : [])
    const request = new Request('http://demo.kafedra.localhost/v1/file', { method: 'POST', body, headers })
    return postFile({ request, locals: { actor } } as EndpointContext) as Promise<Response>
  }
  const download = async (actor: Actor | null, id: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://demo.kafedra.localhost/v1/file/${id}`, { headers })
    return getFile({ request, params: { id }, locals: { actor } } as object as EndpointContext) as Promise<Response>
  }
  async function picture(): Promise<FormData> {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
    return form
  }

  test('accepts an image and serves it to staff of the school', async () => {
    const answer = await upload(ours.as.OWNER, await picture())
    expect(answer.status).toBe(201)
    const { fileId } = (await answer.json()) as { fileId: string }
    const got = await download(ours.as.CURATOR, fileId)
    expect([got.status, got.headers.get('cache-control')]).toEqual([302, expect.stringContaining('private')])
    expect(got.headers.get('location')).toMatch(new RegExp(`^/v1/media/${ours.tenant.id}/${fileId}/`))
    await expect(download(ours.as.STUDENT, fileId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(download(theirs.as.OWNER, fileId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(download(null, fileId)).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('refuses other content, anonymous callers and students', async () => {
    await expect(upload(ours.as.OWNER, 'x')).rejects.toMatchObject({ code: 'wrong_type' })
    await expect(upload(ours.as.OWNER, new FormData())).rejects.toMatchObject({ code: 'invalid' })
    await expect(upload(null, await picture())).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(upload(ours.as.STUDENT, await picture())).rejects.toMatchObject({ code: 'forbidden' })
    const huge = new Uint8Array(11 * 1024 * 1024)
    await expect(upload(ours.as.OWNER, huge)).rejects.toMatchObject({ code: 'too_large' })
  })
})
