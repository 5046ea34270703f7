import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { FILE_LIMIT } from '#lib/storage/schema.ts'
import { type School, school } from '../setup/people.ts'
import { promiseOf, sendPart } from '../setup/uploads.ts'
import { ask } from './door.ts'

let ours: School
let actor: Actor
beforeAll(async () => {
  ours = await school()
  actor = ours.as.EXPERT
})

const text = new Uint8Array(Buffer.from('Слова'))
const start = async (changes: object = {}, locale: 'uk' | 'en' = 'uk', who = actor) =>
  ask('POST', 'storage/startUpload', { actor: who, locale, body: { ...(await promiseOf('а.txt', text)), ...changes } })

describe('an upload over HTTP', () => {
  test('is begun, signed, listed, finished, and found again', async () => {
    const { status, body } = await start()
    expect([status, body]).toEqual([200, { uploadId: expect.any(String), partBytes: 8 * 1024 * 1024, parts: 1 }])
    const { uploadId } = body
    const signed = await ask('POST', 'storage/signPart', { actor, body: { uploadId, number: 1 } })
    expect(signed.body).toEqual({ url: expect.stringContaining('/v1/part/'), expires: expect.any(String) })
    await sendPart(actor, String(uploadId), 1, text)
    expect((await ask('GET', 'storage/listUploads', { actor })).body).toMatchObject([{ id: uploadId, arrived: 10 }])
    const parts = (await ask('GET', `storage/listParts?uploadId=${uploadId}`, { actor })).body
    expect(parts).toMatchObject([{ number: 1, size: 10 }])
    const finished = await ask('POST', 'storage/finishUpload', { actor, body: { uploadId } })
    expect(finished.body).toMatchObject({ id: uploadId, kind: 'doc', name: 'а.txt', size: 10 })
    expect((await ask('GET', 'storage/getQuota', { actor })).body).toEqual({
      ...{ used: 10, promised: 0, made: 0, limit: 300 * 1024 ** 3 },
      biggest: [{ id: uploadId, name: 'а.txt', size: 10, kind: 'doc' }],
    })
    expect((await ask('POST', 'storage/abortUpload', { actor, body: { uploadId } })).body).toMatchObject({
      fields: { file: ['Цей файл уже завантажено. Видалити його можна у сховищі.'] },
    })
  })

  test('is refused in words of both languages', async () => {
    const head = Buffer.from('MZ\u0000\u0000').toString('base64')
    const facts: [object, number, string, string][] = [
      [{ size: 0 }, 400, 'Файл порожній', 'The file is empty'],
      [{ size: FILE_LIMIT + 1 }, 413, 'Файл завеликий: можна до 20 ГБ', 'The file is too large: up to 20 GB'],
      [
        { name: 'а.mp4' },
        415,
        'За вмістом це не те, що обіцяє назва: а.mp4.',
        'The content is not what the name promises',
      ],
      [{ head }, 415, 'Такі файли не підтримуються: а.txt', 'Files of this kind are not supported: а.txt'],
    ]
    for (const [changes, status, ...says] of facts) {
      for (const [index, locale] of (['uk', 'en'] as const).entries()) {
        const answer = await start(changes, locale)
        expect(answer).toMatchObject({
          status,
          body: { fields: { file: [expect.stringContaining(says[index] ?? '')] } },
        })
      }
    }
  })

  test('that does not fit says how much is used, how much there is, and who can change it', async () => {
    const small = await school()
    const owner = small.as.OWNER
    const director = { ...small.as.DIRECTOR, locale: 'en' as const }
    for (const who of [owner, director]) {
      who.plans = who.plans.map((plan) => ({ ...plan, plan: 'start' }))
    }
    await start({ size: FILE_LIMIT, name: 'а' }, 'uk', owner)
    await start({ size: FILE_LIMIT - 5, name: 'а' }, 'uk', owner)
    expect((await start({}, 'uk', owner)).body).toMatchObject({
      fields: {
        file: [
          'У сховищі зайнято 40 ГБ з 40 ГБ, а файлу потрібно 10 байтів. Звільніть місце або попросіть власника школи змінити тариф.',
        ],
      },
    })
    expect(await start({}, 'en', director)).toMatchObject({
      status: 422,
      body: {
        ...{ limit: 40 * 1024 ** 3, used: 40 * 1024 ** 3 - 5, size: 10 },
        fields: {
          file: [
            'The storage holds 40 GB of 40 GB, and this file needs 10 bytes. Make room, or ask the school’s owner to change the plan.',
          ],
        },
      },
    })
  })
})
