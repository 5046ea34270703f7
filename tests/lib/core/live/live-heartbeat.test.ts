import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { afterAll, expect, test, vi } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { closeAllStreams } from '#lib/core/live/hub.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { allow } from '#lib/core/shared/verdict.ts'
import { startLiveEndpoint } from '../../../setup/media/live-client.ts'

const olena = { tenantId: randomUUID(), userId: randomUUID(), sessionId: randomUUID() }

afterAll(async () => {
  vi.useRealTimers()
  await closeAllStreams()
  await pool.end()
})

test('an idle stream sends a heartbeat every 20 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const endpoint = await startLiveEndpoint({ course: { canSubscribe: () => allow('test') } }, () => olena as Actor)
  let received = ''
  http.get({ host: '127.0.0.1', port: endpoint.port, path: '/v1/live?channels=course:1' }, (answer) => {
    answer.on('data', (chunk) => (received += String(chunk)))
    answer.on('error', () => {})
  })
  await vi.waitFor(() => expect(received).toContain('event: ready'), 10_000)
  const before = received
  vi.advanceTimersByTime(20_000)
  await vi.waitFor(() => expect(received).toBe(`${before}: \n\n`), 10_000)
  vi.advanceTimersByTime(40_000)
  await vi.waitFor(() => expect(received).toBe(`${before}: \n\n: \n\n: \n\n`), 10_000)
  endpoint.close()
})
