import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getSfuStatus } from '#lib/core/broadcast/broadcast.ts'
import { newId } from '#lib/core/db/id.ts'
import {
  type BroadcastServer,
  startBroadcastServer,
  throughLossyRelay,
} from '../../../../setup/media/broadcast-server.ts'

let broadcastServer: BroadcastServer
beforeAll(async () => {
  broadcastServer = await startBroadcastServer()
})
afterEach(() => broadcastServer.clear())
afterAll(() => broadcastServer.close())

test('no frame is lost at 5 % packet loss in both directions', async () => {
  const room = newId()
  const inward = throughLossyRelay(broadcastServer.requestFor(room, 'publish'), 0.05)
  const outward = throughLossyRelay(broadcastServer.requestFor(room, 'play'), 0.05)
  const publisher = await broadcastServer.startPublisher(inward)
  const viewer = await broadcastServer.startSubscriber(outward)
  await expect.poll(() => viewer.frames, { timeout: 10_000 }).toBeGreaterThan(0)
  const first = (viewer.completeFrames[0] ?? 0) + 1
  await expect.poll(() => publisher.frames, { timeout: 15_000 }).toBeGreaterThan(first + 250)
  const all = Array.from({ length: 240 }, (_, at) => first + at)
  await expect.poll(() => all.filter((frame) => !viewer.completeFrames.includes(frame)), { timeout: 5000 }).toEqual([])
  expect(inward.lost()).toBeGreaterThan(20)
  expect(outward.lost()).toBeGreaterThan(20)
  expect(viewer.recovered).toBeGreaterThan(10)
  const [stream] = (await getSfuStatus())?.streams ?? []
  expect(stream?.recovered).toBeGreaterThan(10)
  expect(stream?.lost).toBe(0)
  inward.end()
  outward.end()
}, 40_000)
