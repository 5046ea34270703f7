import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { closeAllStreams } from '#lib/core/live/hub.ts'
import { appendInBatch, type BatchCheck } from '#lib/meeting/batch.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { type ChatRoom, createChatRoom, joinRoom, readRoomLog } from '../../setup/meeting/chat-room.ts'
import { type RoomEndpoint, receivedEvents, startRoomEndpoint } from '../../setup/meeting/room-endpoint.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let room: ChatRoom
let endpoint: RoomEndpoint
beforeAll(async () => {
  ours = await createTestTenant()
  endpoint = await startRoomEndpoint()
})
beforeEach(async () => {
  room = await createChatRoom(ours)
})
afterAll(async () => {
  endpoint.close()
  await closeAllStreams()
})

const caption = (text: string, more: Partial<NewEvent> = {}): NewEvent =>
  ({ type: 'caption', payload: { text, language: 'uk' }, ...more }) as NewEvent
const captions = async () =>
  (await readRoomLog(room)).flatMap((event) => (event.type === 'caption' ? [event.payload.text] : []))

describe('a batch of room events', () => {
  test('appends 200 concurrent events once each, in one order for the log and for every reader', async () => {
    const listeners = await Promise.all(
      [1, 2, 3].map(async () => endpoint.ready((await joinRoom(room, 'viewer')).seatToken)),
    )
    const words = Array.from({ length: 200 }, (_, index) => `слово ${index}`)
    const answers = await Promise.all(words.map((text) => appendInBatch(room, caption(text))))
    expect(await captions()).toEqual(words)
    const numbers = answers.map((event) => event?.seq ?? 0)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    for (const listener of listeners) {
      await vi.waitFor(
        () => expect(receivedEvents(listener).filter(({ type }) => type === 'caption')).toHaveLength(200),
        10_000,
      )
      const heard = receivedEvents(listener).filter(({ type }) => type === 'caption')
      expect(heard.map(({ seq }) => seq)).toEqual(numbers)
    }
  })

  test('is published in a few messages instead of 200', async () => {
    const listener = await endpoint.ready((await joinRoom(room, 'viewer')).seatToken)
    await Promise.all(Array.from({ length: 200 }, (_, index) => appendInBatch(room, caption(`${index}`))))
    await vi.waitFor(
      () => expect(receivedEvents(listener).filter(({ type }) => type === 'caption')).toHaveLength(200),
      10_000,
    )
    expect(listener.events.length).toBeLessThan(10)
  })

  test('stores a repeated client id of one person once, within a batch and across batches', async () => {
    const by = { actorId: newId(), clientId: 'once-and-no-more' }
    const [first, second] = await Promise.all([
      appendInBatch(room, caption('так', by)),
      appendInBatch(room, caption('так', by)),
    ])
    const third = await appendInBatch(room, caption('так', by))
    expect([first?.type, second, third]).toEqual(['caption', null, null])
    expect(await captions()).toEqual(['так'])
  })

  test('refuses a single event, evaluates its check once, and stores the replacement the check returns', async () => {
    const judged: number[] = []
    const judge: BatchCheck = async (_tx, _session, entries) => {
      judged.push(entries.length)
      return entries.map(({ event }) => {
        if (event.type !== 'caption' || event.payload.text === 'ні') return new Refusal('forbidden')
        return event.payload.text === 'нічого' ? null : caption(`${event.payload.text}!`)
      })
    }
    const words = ['раз', 'ні', 'нічого', 'два']
    const outcomes = await Promise.allSettled(words.map((text) => appendInBatch(room, caption(text), judge)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { code: 'forbidden' } })
    expect(judged).toEqual([4])
    expect(await captions()).toEqual(['раз!', 'два!'])
  })

  test('keeps the other events when one cannot be written', async () => {
    const broken = caption('x'.repeat(501))
    const outcomes = await Promise.allSettled([
      appendInBatch(room, caption('перше')),
      appendInBatch(room, broken),
      appendInBatch(room, caption('друге')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await captions()).toEqual(['перше', 'друге'])
  })

  test('is not repeated event by event when the database fails', async () => {
    let checks = 0
    const failing: BatchCheck = async () => {
      checks += 1
      throw Object.assign(new Error('terminating connection'), { cause: { code: '57P01' } })
    }
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`)
    const outcomes = await Promise.allSettled(texts.map((text) => appendInBatch(room, caption(text), failing)))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(checks).toBe(1)
    expect(await captions()).toEqual([])
  })

  test('does not find a session of another tenant', async () => {
    const foreign = { tenantId: room.tenantId, id: newId() }
    await expect(appendInBatch(foreign, caption('тут'))).rejects.toMatchObject({ code: 'not_found' })
  })
})
