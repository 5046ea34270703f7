import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getSfuStatus } from '#lib/core/broadcast/broadcast.ts'
import { hlsBaseUrl } from '#lib/core/broadcast/hls/hls-token.ts'
import { signStreamToken } from '#lib/core/broadcast/stream-token.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { signSeatToken } from '#lib/meeting/admission/seat.ts'
import { finishEvent, startEvent } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { getMedia } from '#lib/meeting/stage/media.ts'
import { canUseStream } from '#lib/meeting/stage/media-access.ts'
import { answerInvite, inviteToStage, publishCaption } from '#lib/meeting/stage/stage.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { type BroadcastServer, startBroadcastServer } from '../../setup/media/broadcast-server.ts'
import { connectSubscriber, RefusedError, type StreamRequest } from '../../setup/media/webrtc-clients.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  readRoomLog,
  type TestParticipant,
} from '../../setup/meeting/chat-room.ts'
import { banPerson } from '../../setup/parsed/meeting.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let broadcastServer: BroadcastServer
beforeAll(async () => {
  ours = await createTestTenant()
  broadcastServer = await startBroadcastServer(canUseStream)
})
// The plan allows a limited number of simultaneous events.
const begun: ChatRoom[] = []
afterEach(async () => {
  broadcastServer.clear()
  for (const room of begun.splice(0)) await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }])
})
afterAll(() => broadcastServer.close())

const at = (path: string): string => `http://127.0.0.1:${broadcastServer.endpoint.port}${path}`
const hlsStatus = async (base: string, stream: string): Promise<number> =>
  (await fetch(at(`${base}${stream}/live.m3u8`))).status

/** A room before its start with a host who already publishes a camera. */
async function backstage(): Promise<{ room: ChatRoom; host: TestParticipant; stream: string }> {
  const room = await createChatRoom(ours, {}, { begun: false })
  begun.push(room)
  const host = await joinRoom(room, 'host')
  const { publish } = await getMedia({ seatToken: host.seatToken })
  await broadcastServer.startPublisher(
    { url: at(publish?.camera.endpoint ?? ''), token: publish?.camera.token ?? '' },
    'VP8',
  )
  return { room, host, stream: `${host.personId}-camera` }
}

async function callOf({ seatToken }: TestParticipant, stream: string): Promise<StreamRequest> {
  const { play } = await getMedia({ seatToken })
  return { url: at(play.endpoint.replace('{stream}', stream)), token: play.token ?? 'none' }
}

/** A request with a token that was signed at any time with the right key. */
function replayed(room: ChatRoom, { personId }: TestParticipant, stream: string): StreamRequest {
  const issued = Math.floor(Date.now() / 1000)
  const claims = {
    tenantId: room.tenantId,
    room: room.id,
    participant: personId,
    stream: '*',
    direction: 'play' as const,
  }
  return {
    url: at(`/v1/broadcast/whep/${room.id}/${stream}`),
    token: signStreamToken(claims, { issuedAt: issued, expiresAt: issued + 900 }),
  }
}

const refusal = (call: StreamRequest) => connectSubscriber(call).catch((error: unknown) => error)
const FORBIDDEN = new RefusedError(403, 'forbidden')

describe('before the start', () => {
  test('a viewer gets no playback token, and a token signed earlier is refused by WHEP and HLS', async () => {
    const { room, stream } = await backstage()
    const viewer = await joinRoom(room, 'viewer')
    const views = [
      (await getMedia({ seatToken: viewer.seatToken })).play,
      (await getRoom({ seatToken: viewer.seatToken })).media.play,
    ]
    for (const play of views) expect(play).toMatchObject({ token: null, hls: null })
    expect(await refusal(replayed(room, viewer, stream))).toEqual(FORBIDDEN)
    const base = hlsBaseUrl({ tenantId: room.tenantId, room: room.id, participant: viewer.personId })
    expect(await hlsStatus(base, stream)).toBe(404)
  })

  test('staff and guests on stage see and hear each other', async () => {
    const { room, host, stream } = await backstage()
    const [moderator, guest] = [await joinRoom(room, 'moderator'), await joinRoom(room, 'viewer')]
    await inviteToStage({ seatToken: host.seatToken, personId: guest.personId, on: true })
    expect(await refusal(replayed(room, guest, stream))).toEqual(FORBIDDEN)
    await answerInvite({ seatToken: guest.seatToken, accepted: true })
    for (const person of [moderator, guest]) {
      const watching = await broadcastServer.startSubscriber(await callOf(person, stream))
      await expect.poll(() => watching.frames, { timeout: 5000 }).toBeGreaterThan(3)
    }
  })

  test('captions of backstage speech reach staff only', async () => {
    const { room, host } = await backstage()
    const line = { seatToken: host.seatToken, language: 'uk' as const }
    await publishCaption({ ...line, text: 'Мене чути?' })
    await startEvent({ seatToken: host.seatToken })
    await publishCaption({ ...line, text: 'Вітаю всіх!' })
    const captions = (await readRoomLog(room)).filter(({ type }) => type === 'caption')
    expect(captions.map(({ audience }) => audience)).toEqual(['staff', 'all'])
  })
})

describe('after the start', () => {
  test('a viewer who waited receives the stream', async () => {
    const { room, host, stream } = await backstage()
    const viewer = await joinRoom(room, 'viewer')
    await startEvent({ seatToken: host.seatToken })
    const watching = await broadcastServer.startSubscriber(await callOf(viewer, stream))
    await expect.poll(() => watching.frames, { timeout: 5000 }).toBeGreaterThan(3)
    expect(watching.audioPackets).toBeGreaterThan(0)
  })

  test('a thousand waiting viewers get their tokens in a few transactions', async () => {
    const { room, host } = await backstage()
    const ids = Array.from({ length: 1000 }, () => newId())
    await inTenant(room, (tx) =>
      tx.insert(workshopParticipant).values(
        ids.map((id, nth) => ({
          tenantId: room.tenantId,
          id,
          sessionId: room.id,
          workshopId: room.workshopId,
          name: `viewer ${nth}`,
          kind: 'guest' as const,
          role: 'viewer' as const,
        })),
      ),
    )
    await startEvent({ seatToken: host.seatToken })
    const seats = ids.map((personId) => signSeatToken({ tenantId: room.tenantId, sessionId: room.id, personId }))
    let connections = 0
    const count = () => {
      connections += 1
    }
    pool.on('acquire', count)
    const views = await Promise.all(seats.map((seatToken) => getMedia({ seatToken })))
    pool.off('acquire', count)
    expect(connections).toBeLessThan(20)
    expect(new Set(views.map(({ play }) => play.token)).size).toBe(1000)
    expect(views.every(({ play }) => play.token !== null)).toBe(true)
  })

  test('a banned viewer neither plays nor gets a playback token', async () => {
    const { room, host, stream } = await backstage()
    const viewer = await joinRoom(room, 'viewer')
    await startEvent({ seatToken: host.seatToken })
    const { play } = await getMedia({ seatToken: viewer.seatToken })
    expect(play.hls).not.toBeNull()
    await banPerson({ seatToken: host.seatToken, personId: viewer.personId, on: true, reason: 'Реклама' })
    await expect(getMedia({ seatToken: viewer.seatToken })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await refusal(replayed(room, viewer, stream))).toEqual(FORBIDDEN)
    expect(await hlsStatus(play.hls ?? '', stream)).toBe(404)
  })
})

describe('after the end', () => {
  test('all streams end, and earlier tokens are refused', async () => {
    const { room, host, stream } = await backstage()
    const viewer = await joinRoom(room, 'viewer')
    await startEvent({ seatToken: host.seatToken })
    const call = await callOf(viewer, stream)
    const watching = await broadcastServer.startSubscriber(call)
    await expect.poll(() => watching.frames, { timeout: 5000 }).toBeGreaterThan(0)
    const { publish } = await getMedia({ seatToken: host.seatToken })
    await finishEvent({ seatToken: host.seatToken })
    const carried = async () => (await getSfuStatus())?.streams.filter((stream) => stream.room === room.id)
    await expect.poll(carried, { timeout: 10_000 }).toEqual([])
    expect(await refusal(call)).toEqual(FORBIDDEN)
    expect(await refusal(replayed(room, host, stream))).toEqual(FORBIDDEN)
    const again = { url: at(publish?.camera.endpoint ?? ''), token: publish?.camera.token ?? '' }
    await expect(broadcastServer.startPublisher(again, 'VP8')).rejects.toEqual(FORBIDDEN)
  })
})

test('a participant of another session of the school is refused', async () => {
  const { room, host, stream } = await backstage()
  const other = await createChatRoom(ours, {}, { begun: false })
  const stranger = await joinRoom(other, 'host')
  await startEvent({ seatToken: host.seatToken })
  expect(await refusal(replayed(room, stranger, stream))).toEqual(FORBIDDEN)
})
