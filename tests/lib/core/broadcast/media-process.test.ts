import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getSfuStatus, mediaProcessInfo, onStreamState } from '#lib/core/broadcast/broadcast.ts'
import { createMediaProcess } from '#lib/core/broadcast/media-process.ts'
import { config } from '#lib/core/config/config.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../setup/media/broadcast-server.ts'
import { connectSubscriber } from '../../../setup/media/webrtc-clients.ts'

let broadcastServer: BroadcastServer
beforeAll(async () => {
  broadcastServer = await startBroadcastServer()
})
afterEach(() => broadcastServer.clear())
afterAll(() => broadcastServer.close())

const PATIENT = { timeout: 10_000 }

describe('a stream', () => {
  test.each(['H264', 'VP8'] as const)(
    'reaches its subscribers in %s, with audio and correct timestamps',
    async (codec) => {
      const room = newId()
      const publisher = await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), codec)
      const viewers = await Promise.all(
        [1, 2, 3].map(() => broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))),
      )
      for (const viewer of viewers) {
        await expect.poll(() => viewer.frames, PATIENT).toBeGreaterThan(40)
        expect(viewer.audioPackets).toBeGreaterThan(10)
        expect(viewer.answer).toContain(`${codec}/90000`)
        expect(viewer.lost).toBe(0)
        await expect.poll(() => viewer.reports, PATIENT).toBeGreaterThan(0)
      }
      expect(publisher.keyframeRequests).toBeGreaterThan(0)
      await expect.poll(() => publisher.reports, PATIENT).toBeGreaterThan(1)
      expect(await statusOf(room)).toMatchObject([
        { stream: 'camera', isPublished: true, codec, subscriberCount: 3, lost: 0 },
      ])
    },
  )

  test('continues for its subscribers when the publisher reconnects', async () => {
    const room = newId()
    await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'H264', 4200)
    const viewer = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    await expect.poll(() => viewer.frames, PATIENT).toBeGreaterThan(10)
    const second = await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'H264', 60_000)
    const before = viewer.frames
    await expect.poll(() => viewer.frames, PATIENT).toBeGreaterThan(before + 30)
    expect(viewer.sources.size).toBe(1)
    expect(viewer.lost).toBe(0)
    expect(viewer.times).toEqual(viewer.times.toSorted((a, b) => a - b))
    expect(second.keyframeRequests).toBeGreaterThan(0)
    expect(await statusOf(room)).toMatchObject([{ isPublished: true, subscriberCount: 1 }])
  })

  test('keeps its subscribers while the publisher is away, and reports its state', async () => {
    const room = newId()
    const states: boolean[] = []
    const stop = onStreamState((stream) => stream.room === room && states.push(stream.isPublished))
    const own = broadcastServer.requestFor(room, 'publish')
    const publisher = await broadcastServer.startPublisher(own)
    const there = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    await expect.poll(() => there.frames, PATIENT).toBeGreaterThan(5)
    await remove(publisher.location, own.token)
    const late = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    expect(await statusOf(room)).toMatchObject([{ isPublished: false, codec: 'H264', subscriberCount: 2 }])
    await broadcastServer.startPublisher(own, 'H264', 9000)
    const before = there.frames
    await expect.poll(() => late.frames, PATIENT).toBeGreaterThan(10)
    await expect.poll(() => there.frames, PATIENT).toBeGreaterThan(before + 10)
    expect(states).toEqual([true, false, true])
    stop()
  })

  test('closes its subscribers when the publisher returns with another codec', async () => {
    const room = newId()
    const states: (string | null)[] = []
    const stop = onStreamState((stream) => stream.room === room && states.push(stream.codec))
    await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'H264')
    const viewer = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    await expect.poll(() => viewer.frames, PATIENT).toBeGreaterThan(10)
    await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'VP8')
    await expect.poll(() => statusOf(room), PATIENT).toMatchObject([{ codec: 'VP8', subscriberCount: 0 }])
    expect(states).toEqual(['H264', 'VP8'])
    const again = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    await expect.poll(() => again.frames, PATIENT).toBeGreaterThan(10)
    await expect(connectSubscriber(broadcastServer.requestFor(room, 'play'), ['H264'])).rejects.toMatchObject({
      status: 422,
    })
    stop()
  })

  test('requests one keyframe for simultaneous requests of subscribers', async () => {
    const room = newId()
    const publisher = await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'))
    const viewers = await Promise.all(
      [1, 2, 3, 4].map(() => broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))),
    )
    await expect.poll(() => viewers.every(({ frames }) => frames > 20), PATIENT).toBe(true)
    const before = publisher.keyframeRequests
    for (const viewer of viewers) for (let at = 0; at < 5; at++) viewer.requestKeyframe()
    await expect.poll(() => publisher.keyframeRequests, PATIENT).toBeGreaterThan(before)
    const frames = publisher.frames
    await expect.poll(() => publisher.frames, PATIENT).toBeGreaterThan(frames + 30)
    expect(publisher.keyframeRequests - before).toBeLessThanOrEqual(3)
  })
})

test('the oldest session of a participant ends above the limit', async () => {
  const room = newId()
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'))
  const own = broadcastServer.requestFor(room, 'play')
  for (let session = 0; session < 18; session++) await broadcastServer.startSubscriber(own)
  expect(await statusOf(room)).toMatchObject([{ subscriberCount: 16 }])
})

test('a killed media process is restarted on the same port', async () => {
  const room = newId()
  const states: boolean[] = []
  const stop = onStreamState((stream) => stream.room === room && states.push(stream.isPublished))
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'))
  const { pid, port } = mediaProcessInfo()
  process.kill(pid ?? 0, 'SIGKILL')
  await expect.poll(() => states, PATIENT).toEqual([true, false])
  await expect.poll(() => mediaProcessInfo().pid, PATIENT).not.toBeNull()
  expect(mediaProcessInfo()).toMatchObject({ port })
  expect(mediaProcessInfo().pid).not.toBe(pid)
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'H264', 9000)
  const viewer = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
  await expect.poll(() => viewer.frames, PATIENT).toBeGreaterThan(20)
  expect(states).toEqual([true, false, true])
  stop()
})

test('an end command starts no media process', async () => {
  const plane = createMediaProcess(config.broadcast, () => {})
  expect(await plane.sendOutputCommand({ op: 'recordEnd', room: newId(), stream: null })).toEqual({})
  expect(plane.pid()).toBeNull()
  await plane.close()
})

async function statusOf(room: string) {
  return (await getSfuStatus())?.streams.filter((stream) => stream.room === room)
}

async function remove(location: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const { status: code } = await broadcastServer.endpoint.request(location, { method: 'DELETE', headers })
  expect(code).toBe(200)
}
