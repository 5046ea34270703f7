import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getSfuStatus } from '#lib/core/broadcast/broadcast.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { changeEncoder, getEncoder } from '#lib/meeting/stage/encoder.ts'
import { getMedia } from '#lib/meeting/stage/media.ts'
import { canUseStream } from '#lib/meeting/stage/media-access.ts'
import type { EncoderView } from '#lib/meeting/stage/schema.ts'
import { goOffAir, goOnAir } from '#lib/meeting/stage/stage.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../setup/media/broadcast-server.ts'
import { connectAiortc, connectWerift } from '../../../setup/media/foreign-clients.ts'
import { connectSubscriber, RefusedError } from '../../../setup/media/webrtc-clients.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  type TestParticipant,
} from '../../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let broadcastServer: BroadcastServer
beforeAll(async () => {
  ours = await createTestTenant()
  broadcastServer = await startBroadcastServer(canUseStream)
})
const closing: (() => unknown)[] = []
afterEach(async () => {
  broadcastServer.clear()
  for (const close of closing.splice(0)) await close()
})
afterAll(() => broadcastServer.close())

const SOON = { timeout: 15_000 }
const at = (path: string): string => `http://127.0.0.1:${broadcastServer.endpoint.port}${path}`
const callOf = ({ endpoint, token }: EncoderView) => ({ url: at(endpoint), token: token ?? 'none' })
const refusal = (work: Promise<unknown>) => work.catch((error: unknown) => error)
const FORBIDDEN = new RefusedError(403, 'forbidden')
const LIT = { kind: 'encoder', microphone: true, camera: true } as const

const onAir = (room: ChatRoom) =>
  inTenant(room, async (tx) => {
    const { state } = workshopSession
    const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, room.id))
    return session?.state.onAir.map(({ stream }) => stream)
  })

/** A live room with a host who has an encoder key. */
async function prepared(): Promise<{ room: ChatRoom; host: TestParticipant; view: EncoderView }> {
  const room = await createChatRoom(ours)
  const host = await joinRoom(room, 'host')
  expect(await getEncoder({ seatToken: host.seatToken })).toMatchObject({ token: null, sources: [] })
  return { room, host, view: await changeEncoder({ seatToken: host.seatToken, on: true }) }
}

test.each([
  ['aiortc', connectAiortc],
  ['werift', connectWerift],
])(
  'what %s publishes is a source that a presenter puts on the stage, and viewers receive it',
  async (_, client) => {
    const { room, host, view } = await prepared()
    const publisher = await client('publish', callOf(view), 'VP8')
    closing.push(publisher.close)
    const stream = `${host.personId}-encoder`
    const { sources, token } = await getEncoder({ seatToken: host.seatToken })
    expect(sources).toEqual([{ stream, personId: host.personId, name: host.name }])
    expect(token).toBe(view.token)
    expect(await onAir(room)).toEqual([])
    const [speaker, viewer] = [await joinRoom(room, 'speaker'), await joinRoom(room, 'viewer')]
    await expect(goOnAir({ seatToken: viewer.seatToken, personId: host.personId, ...LIT })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await goOnAir({ seatToken: speaker.seatToken, personId: host.personId, ...LIT })
    expect(await onAir(room)).toEqual([stream])
    const { play } = await getMedia({ seatToken: viewer.seatToken })
    const watching = await connectSubscriber({
      url: at(play.endpoint.replace('{stream}', stream)),
      token: play.token ?? '',
    })
    closing.push(watching.close)
    await expect.poll(() => Math.min(watching.packets, watching.audioPackets), SOON).toBeGreaterThan(10)
    await goOffAir({ seatToken: host.seatToken, kind: 'encoder' })
    expect(await onAir(room)).toEqual([])
  },
  40_000,
)

test('a new key and a revocation end the publication and invalidate older keys', async () => {
  const { room, host, view } = await prepared()
  const first = await connectWerift('publish', callOf(view))
  closing.push(first.close)
  await goOnAir({ seatToken: host.seatToken, ...LIT })
  // Both keys are created in the same second.
  const second = await changeEncoder({ seatToken: host.seatToken, on: true })
  expect(second.token).not.toBe(view.token)
  expect(await refusal(connectWerift('publish', callOf(view)))).toEqual(FORBIDDEN)
  const again = await connectWerift('publish', callOf(second))
  closing.push(again.close)
  expect(await changeEncoder({ seatToken: host.seatToken, on: false })).toMatchObject({ token: null })
  expect(await onAir(room)).toEqual([])
  const up = async () =>
    (await getSfuStatus())?.streams.filter((stream) => stream.room === room.id && stream.isPublished)
  await expect.poll(up, SOON).toEqual([])
  expect(await refusal(connectWerift('publish', callOf(second)))).toEqual(FORBIDDEN)
}, 40_000)

test('a key is accepted immediately after it replaced another', async () => {
  const { host } = await prepared()
  const view = await changeEncoder({ seatToken: host.seatToken, on: true })
  const client = await connectWerift('publish', callOf(view))
  closing.push(client.close)
  await expect.poll(async () => (await getEncoder({ seatToken: host.seatToken })).sources.length, SOON).toBe(1)
})

test('only presenters have keys, and nobody has one after the end', async () => {
  const { room, host, view } = await prepared()
  for (const role of ['viewer', 'moderator'] as const) {
    const { seatToken } = await joinRoom(room, role)
    await expect(getEncoder({ seatToken })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(changeEncoder({ seatToken, on: true })).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(goOnAir({ seatToken: host.seatToken, ...LIT })).rejects.toMatchObject({ code: 'not_found' })
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }])
  await expect(changeEncoder({ seatToken: host.seatToken, on: true })).rejects.toMatchObject({ code: 'conflict' })
  expect(await refusal(connectWerift('publish', callOf(view)))).toEqual(FORBIDDEN)
})
