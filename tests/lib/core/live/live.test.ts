import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { allow } from '#lib/core/shared/verdict.ts'
import type { LiveClient } from '../../../setup/media/live-client.ts'
import { startRedisServer } from '../../../setup/servers/redis-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const redis = await startRedisServer()
process.env.REDIS_URL = redis.url
const { runInOtherProcess, connectLiveClient, payloads, startLiveEndpoint } = await import(
  '../../../setup/media/live-client.ts'
)
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { closeAllStreams } = await import('#lib/core/live/hub.ts')
const { endStreamsOfUser, publish } = await import('#lib/core/live/live.ts')

const olena = { tenantId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() }
let endpoint: Awaited<ReturnType<typeof startLiveEndpoint>>
const open: LiveClient[] = []

beforeAll(async () => {
  endpoint = await startLiveEndpoint({ course: { canSubscribe: () => allow('test') } }, () => olena as Actor)
})

afterEach(async () => {
  for (const listener of open.splice(0)) listener.close()
  await closeAllStreams()
})

afterAll(async () => {
  endpoint.close()
  await redis.stop()
  await pool.end()
})

async function ready(): Promise<LiveClient> {
  const listener = await connectLiveClient(endpoint.port, 'channels=course:1')
  open.push(listener)
  await vi.waitFor(() => expect(listener.events.shift()?.event).toBe('ready'), 10_000)
  return listener
}

const publishTo = (payload: unknown) => inTenant(olena, () => publish('course:1', payload))

describe('live events by Redis', () => {
  test('reach listeners of this and of another process, only after the commit', async () => {
    const listener = await ready()
    await inTenant(olena, async () => {
      await publish('course:1', 'here')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(listener.events).toEqual([])
    })
    await runInOtherProcess(`await inTenant({ tenantId: '${olena.tenantId}' }, () => publish('course:1', 'there'))`)
    await vi.waitFor(() => expect(payloads(listener)).toEqual(['here', 'there']), 3000)
  })

  test('published with the commit reach listeners', async () => {
    const listener = await ready()
    await inTenant(olena, () => publish('course:1', 'committed'))
    await vi.waitFor(() => expect(payloads(listener)).toEqual(['committed']), 3000)
  })

  test('are delivered after an interruption of Redis', async () => {
    const listener = await ready()
    redis.cut()
    await publishTo(1)
    await publishTo(2)
    await vi.waitFor(() => expect(payloads(listener)).toEqual([1, 2]), 3000)
    await publishTo(3)
    await vi.waitFor(() => expect(payloads(listener)).toEqual([1, 2, 3]), 3000)
  })

  test('end for a person disconnected by another process', async () => {
    const [first, second] = [await ready(), await ready()]
    await runInOtherProcess(`await endStreamsOfUser('${olena.userId}')`)
    await vi.waitFor(() => expect([first.hasEnded, second.hasEnded]).toEqual([true, true]), 10_000)
    const again = await ready()
    await inTenant(olena, () => endStreamsOfUser(olena.userId))
    await vi.waitFor(() => expect(again.hasEnded).toBe(true), 3000)
  })
})
