import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { config, readConfig } from '#lib/core/config/config.ts'
import { log } from '#lib/core/log.ts'
import { type LanguageService, requestLanguageService } from '#lib/core/media/language-client.ts'
import { generateObject, transcribe } from '#lib/core/media/transcription.ts'
import { AI_KEY, type AiServer, startAiServer } from '../../../setup/servers/ai-server.ts'

let server: AiServer
let machine: LanguageService
const sound = path.join(config.dataDir, 'sound.mp3')
beforeAll(async () => {
  server = await startAiServer()
  machine = { baseUrl: server.url, key: AI_KEY, transcribeModel: 'whisper-1', textModel: 'small' }
  fs.writeFileSync(sound, Buffer.alloc(2000, 1))
})
afterEach(() => server.requests.splice(0))
afterAll(() => server.stop())

const transcribeSound = (more: object = {}) =>
  transcribe(machine, { path: sound, name: 'sound.mp3', language: 'uk', ...more })
const shape = z.object({ title: z.string().min(1).max(200) })
const write = (more: object = {}) =>
  generateObject(machine, { task: 'Дай назву', material: 'Про все', schema: shape, ...more })

describe('an audio file', () => {
  test('is transcribed with its times', async () => {
    expect(await transcribeSound()).toEqual([
      { start: 0.2, end: 0.8, text: 'Добрий день.' },
      { start: 0.8, end: 1.6, text: 'Почнімо з <головного> & простого.' },
    ])
    expect(server.requests).toMatchObject([
      {
        path: '/v1/audio/transcriptions',
        key: AI_KEY,
        fields: { file: 'sound.mp3 2000', model: 'whisper-1', language: 'uk', response_format: 'verbose_json' },
      },
    ])
  })

  test('is sent again when the service is busy, after the requested delay', async () => {
    server.respondNext({ status: 429, retryAfter: '1' })
    const since = Date.now()
    expect(await transcribeSound()).toHaveLength(2)
    expect(Date.now() - since).toBeGreaterThanOrEqual(950)
    expect(server.requests).toHaveLength(2)
  })

  test('is sent three times in all when the service fails', async () => {
    server.respondNext({ status: 500, retryAfter: '0' }, { status: 503, retryAfter: '0' })
    expect(await transcribeSound()).toHaveLength(2)
    server.respondNext(...Array.from({ length: 3 }, () => ({ status: 500, retryAfter: '0' })))
    await expect(transcribeSound()).rejects.toMatchObject({ failure: 'unavailable', isPermanent: false })
  })
})

describe('a failure names its reason', () => {
  test('for a wrong key, without a retry and without revealing the key', async () => {
    const warn = vi.spyOn(log, 'warn')
    const wrong = { ...machine, key: 'sk-wrong-key' }
    const failing = transcribe(wrong, { path: sound, name: 'sound.mp3', language: 'uk' })
    await expect(failing).rejects.toMatchObject({ failure: 'key_refused', isPermanent: true })
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(warn.mock.calls)).not.toContain('sk-wrong')
    await expect(failing).rejects.not.toThrow(/sk-wrong/)
  })

  test('for a model the service does not have', async () => {
    server.respondNext({ status: 404 })
    await expect(write()).rejects.toMatchObject({ failure: 'model_refused', isPermanent: true })
  })

  test('for silence, and ends at once on shutdown', async () => {
    server.respondNext('hang', 'hang')
    const once = requestLanguageService(machine, { path: '/models', timeoutMs: 200, maxAttempts: 1 })
    await expect(once).rejects.toMatchObject({ failure: 'timed_out' })
    const ending = new AbortController()
    setTimeout(() => ending.abort(new Error('the process ends')), 100)
    const aborted = requestLanguageService(machine, { path: '/models', timeoutMs: 5000, signal: ending.signal })
    await expect(aborted).rejects.toThrow('the process ends')
  })

  test('for an address without a server', async () => {
    const nobody = { ...machine, baseUrl: 'http://127.0.0.1:9/v1' }
    await expect(
      requestLanguageService(nobody, { path: '/models', timeoutMs: 2000, maxAttempts: 1 }),
    ).rejects.toMatchObject({
      failure: 'unavailable',
    })
  })

  test.each(['це не JSON', '[]', '{"text":"самі слова"}', '{"segments":[{"start":-1,"end":"x","text":1}]}'])(
    'of a transcript that is %s',
    async (text) => {
      server.respondNext({ text })
      await expect(transcribeSound()).rejects.toMatchObject({ failure: 'nonsense' })
    },
  )
})

describe('a generated text', () => {
  test('is parsed in the requested format, from a code fence too', async () => {
    expect(await write()).toEqual({ title: 'Перше заняття' })
    server.completion = 'Ось: ```json\n{"title":"У рамці"}\n```'
    expect(await write()).toEqual({ title: 'У рамці' })
  })

  test.each(['так', '{"title":""}', '{"title":{"$ne":1}}', '{broken'])('is refused when it is %s', async (text) => {
    server.completion = text
    await expect(write()).rejects.toMatchObject({ failure: 'nonsense' })
  })
})

test('the configuration has separate models, and none without an address', () => {
  expect(readConfig({}).ai).toBeNull()
  expect(readConfig({ AI_BASE_URL: 'https://api.example.com/v1/' }).ai).toEqual({
    baseUrl: 'https://api.example.com/v1',
    key: undefined,
    transcribeModel: 'whisper-1',
    textModel: 'gpt-4o-mini',
  })
})
