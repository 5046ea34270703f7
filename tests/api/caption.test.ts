import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addStoredVideo } from '../setup/media/stored-video.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

const WORDS = 'WEBVTT\n\n00:01.000 --> 00:02.000\nДобрий день\n'

let ours: TestTenant
let theirs: TestTenant
let fileId: string
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  fileId = await addStoredVideo(ours.as.OWNER)
})
afterAll(() => pool.end())

const save = (actor: Actor | null, text = WORDS, more: object = {}) =>
  requestApi('POST', 'storage/saveCaption', { actor, body: { fileId, lang: 'uk', text, ...more } })
const see = (actor: Actor | null, action = 'getCaption', lang = 'uk') =>
  requestApi('GET', `storage/${action}?fileId=${fileId}&lang=${lang}`, { actor })

describe('the procedures of captions and file details', () => {
  test('200: save, get, list, remove, twice', async () => {
    const actor = ours.as.EXPERT
    expect(await save(actor)).toMatchObject({ status: 200, body: { cues: 1 } })
    expect(await see(actor)).toMatchObject({
      status: 200,
      body: { lang: 'uk', auto: false, cues: [{ start: 1, end: 2, text: 'Добрий день' }] },
    })
    expect(await see(actor, 'listCaptions')).toMatchObject({ status: 200, body: [{ lang: 'uk' }] })
    expect(await see(actor, 'getVideoEditor')).toMatchObject({
      status: 200,
      body: { machine: false, captions: [{ lang: 'uk' }] },
    })
    for (const _ of [1, 2]) {
      const body = { fileId, lang: 'uk' }
      expect(await requestApi('POST', 'storage/removeCaption', { actor, body })).toMatchObject({
        body: { done: true },
      })
    }
    expect((await see(actor)).status).toBe(404)
  })

  test('200: name, description and chapters', async () => {
    const actor = ours.as.DIRECTOR
    const texts = { fileId, name: 'Перше заняття', description: '' }
    expect((await requestApi('POST', 'storage/saveTexts', { actor, body: texts })).status).toBe(200)
    const chapters = { fileId, chapters: [{ at: 0, title: 'Початок' }] }
    expect((await requestApi('POST', 'storage/saveChapters', { actor, body: chapters })).status).toBe(200)
  })

  test('400: an invalid caption file, with the line, in both languages', async () => {
    const body = { fileId, lang: 'uk', text: 'WEBVTT\n\n00:03.000 --> 00:01.000\nа' }
    const words = async (locale: 'uk' | 'en') =>
      (await requestApi('POST', 'storage/saveCaption', { actor: ours.as.OWNER, body, locale })).body.fields
    expect(await words('uk')).toEqual({
      text: ['Рядок 3: кінець має бути пізніше за початок: «00:03.000 --> 00:01.000»'],
    })
    expect(await words('en')).toEqual({
      text: ['Line 3: the end must be after the start: “00:03.000 --> 00:01.000”'],
    })
    expect((await save(ours.as.OWNER, WORDS, { lang: 'fr' })).status).toBe(400)
    expect((await save(ours.as.OWNER, '')).status).toBe(400)
  })

  test('401, 402, 403, 404: no session, no plan, no role, another tenant', async () => {
    expect((await save(null)).status).toBe(401)
    expect((await save({ ...ours.as.OWNER, plans: [] })).status).toBe(402)
    for (const role of ['CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      expect((await save(ours.as[role])).status).toBe(403)
      expect((await see(ours.as[role])).status).toBe(403)
    }
    expect((await save(theirs.as.OWNER)).status).toBe(404)
    expect((await see(theirs.as.OWNER, 'getVideoEditor')).status).toBe(404)
  })

  test('409: an outdated version, with the newer captions', async () => {
    const { version } = (await save(ours.as.OWNER)).body
    await save(ours.as.OWNER, WORDS.replace('день', 'вечір'))
    expect(await save(ours.as.OWNER, WORDS, { version })).toMatchObject({
      status: 409,
      body: { code: 'conflict', cues: [{ text: 'Добрий вечір' }] },
    })
  })

  test('422: automatic captions where no service is configured', async () => {
    for (const action of ['requestCaptions', 'requestTexts']) {
      const body = { fileId, lang: 'uk' }
      expect(await requestApi('POST', `storage/${action}`, { actor: ours.as.OWNER, body })).toMatchObject({
        status: 422,
        body: { fields: { form: ['Мовний сервіс не налаштовано. Зверніться до адміністратора сайту.'] } },
      })
    }
  })
})
