import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { disconnectParticipant, onCodecMissing } from '#lib/core/broadcast/broadcast.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../setup/media/broadcast-server.ts'
import { connectWerift } from '../../../setup/media/foreign-clients.ts'
import { connectSubscriber, RefusedError } from '../../../setup/media/webrtc-clients.ts'

let broadcastServer: BroadcastServer
const missing: string[] = []
beforeAll(async () => {
  broadcastServer = await startBroadcastServer()
  onCodecMissing(({ room, stream }) => missing.push(`${room}/${stream}`))
})
const closing: (() => unknown)[] = []
afterEach(async () => {
  broadcastServer.clear()
  for (const close of closing.splice(0)) await close()
})
afterAll(() => broadcastServer.close())

const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error)

test('a subscriber without H.264 is refused until the publisher adds a companion', async () => {
  const room = newId()
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'H264')
  const call = broadcastServer.requestFor(room, 'play')
  expect(await refusal(connectWerift('play', call, 'VP8'))).toEqual(new RefusedError(422, 'unprocessable'))
  await expect.poll(() => missing).toContain(`${room}/camera`)
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish', 'camera-vp8'), 'VP8', 9000)
  const client = await connectWerift('play', call, 'VP8')
  closing.push(client.close)
  await expect.poll(() => client.packets().video, { timeout: 10_000 }).toBeGreaterThan(10)
  expect(client.packets().audio).toBeGreaterThan(0)
  // The others stay with the stream itself.
  const watching = await connectSubscriber(broadcastServer.requestFor(room, 'play'), ['H264', 'VP8'])
  closing.push(watching.close)
  await expect.poll(() => watching.frames, { timeout: 10_000 }).toBeGreaterThan(10)
  expect([...watching.sources].length).toBe(1)
  expect(watching.answer).toMatch(/H264/)
}, 30_000)

test('an offer without both codecs requests no companion', async () => {
  const room = newId()
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), 'VP8')
  expect(await refusal(connectWerift('play', broadcastServer.requestFor(room, 'play'), 'H264'))).toEqual(
    new RefusedError(422, 'unprocessable'),
  )
  expect(missing.filter((path) => path.startsWith(room))).toEqual([])
})

test('revoking a stream also revokes its companion', async () => {
  const room = newId()
  const main = broadcastServer.requestFor(room, 'publish')
  const { readStreamToken, signStreamToken } = await import('#lib/core/broadcast/stream-token.ts')
  const claims = readStreamToken(main.token)
  if (!claims) throw new Error('no claims')
  const token = signStreamToken({ ...claims, stream: 'camera-vp8' }, claims)
  const companion = { url: `${main.url}-vp8`, token }
  await broadcastServer.startPublisher(main, 'H264')
  await broadcastServer.startPublisher(companion, 'VP8', 9000)
  expect(await disconnectParticipant(room, claims.participant, { isPublishingOnly: true, stream: 'camera' })).toBe(2)
  expect(await refusal(broadcastServer.startPublisher(companion, 'VP8', 9001))).toEqual(
    new RefusedError(403, 'forbidden'),
  )
})
