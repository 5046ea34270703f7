import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSfuStatus } from '#lib/core/broadcast/broadcast.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../../setup/media/broadcast-server.ts'

let broadcastServer: BroadcastServer
beforeAll(async () => {
  broadcastServer = await startBroadcastServer()
})
afterAll(() => broadcastServer.close())

test('killed subscribers are removed after a timeout, and the publisher continues', async () => {
  const room = newId()
  const publisher = await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'))
  const { url, token } = broadcastServer.requestFor(room, 'play')
  const crowd = fork(path.resolve('tests/setup/media/subscriber-process.ts'), [url, token, '8'], { execArgv: [] })
  await once(crowd, 'message')
  expect(await getSfuStatus()).toMatchObject({ subscriberCount: 8, publisherCount: 1 })
  crowd.kill('SIGKILL')
  await expect.poll(async () => (await getSfuStatus())?.subscriberCount, { timeout: 28_000, interval: 500 }).toBe(0)
  const { frames } = publisher
  await expect.poll(() => publisher.frames).toBeGreaterThan(frames)
  expect(await getSfuStatus()).toMatchObject({ publisherCount: 1 })
  broadcastServer.clear()
}, 60_000)
