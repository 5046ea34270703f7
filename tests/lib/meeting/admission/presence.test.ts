import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { closeAllStreams } from '#lib/core/live/hub.ts'
import { holdRoom } from '#lib/meeting/admission/host.ts'
import { reconcilePresence } from '#lib/meeting/admission/presence.ts'
import { signSeatToken } from '#lib/meeting/admission/seat.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { appendAndPublish } from '#lib/meeting/publish-events.ts'
import { goOnAir, removeStreams } from '#lib/meeting/stage/stage.ts'
import { detectDevice, leaveRoom, reconcileAllRooms, sendHeartbeats } from '#lib/meeting/stream.ts'
import { meetingPresence, meetingStream } from '#lib/meeting/table.ts'
import { payloads } from '../../../setup/media/live-client.ts'
import {
  appendTestEvents,
  type ChatRoom,
  createChatRoom,
  joinRoom,
  readRoomLog,
  type TestParticipant,
} from '../../../setup/meeting/chat-room.ts'
import { type RoomEndpoint, receivedEvents, startRoomEndpoint } from '../../../setup/meeting/room-endpoint.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let room: ChatRoom
let endpoint: RoomEndpoint
let viewer: TestParticipant
beforeAll(async () => {
  ours = await createTestTenant()
})
beforeEach(async () => {
  endpoint = await startRoomEndpoint()
  room = await createChatRoom(ours)
  viewer = await joinRoom(room, 'viewer')
  return async () => {
    endpoint.close()
    await closeAllStreams()
  }
})
afterAll(() => closeAllStreams())

const later = (seconds: number) => new Date(Date.now() + seconds * 1000)
const look = (now = new Date()) => reconcilePresence({ tenantId: room.tenantId, sessionId: room.id }, now)
const comings = async (who: TestParticipant = viewer) =>
  (await readRoomLog(room)).flatMap(({ type, actorId }) =>
    actorId === who.personId && /^user\.(connect|leave)$/.test(type) ? [type] : [],
  )
const streams = () =>
  inTenant(room, (tx) => tx.select().from(meetingStream).where(eq(meetingStream.sessionId, room.id)))
const closed = (count: number) =>
  vi.waitFor(async () => expect((await streams()).filter(({ closedAt }) => closedAt)).toHaveLength(count), 10_000)
const states = async () => (await readRoomLog(room)).flatMap(({ type }) => (type.startsWith('host.') ? [type] : []))

describe('presence', () => {
  test('begins with a stream and ends a while after the last stream closed', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const [first, two] = [await endpoint.ready(viewer.seatToken), await endpoint.ready(viewer.seatToken)]
      await vi.waitFor(async () => expect((await comings()).at(-1)).toBe('user.connect'), 10_000)
      first.close()
      await closed(turn * 2 + 1)
      await look(later(20))
      expect((await comings()).at(-1)).toBe('user.connect')
      two.close()
      await closed(turn * 2 + 2)
      await look(later(10))
      expect((await comings()).at(-1)).toBe('user.connect')
      await look(later(20))
      await look(later(21))
    }
    expect(await comings()).toEqual(['user.connect', 'user.leave', 'user.connect', 'user.leave'])
  })

  test('is restored when its row was lost, and stops when its end was recorded', async () => {
    const staying = await joinRoom(room, 'viewer')
    await endpoint.ready(staying.seatToken)
    const gone = await endpoint.ready(viewer.seatToken)
    await vi.waitFor(async () => expect(await streams()).toHaveLength(2), 10_000)
    await inTenant(room, (tx) => tx.delete(meetingStream).where(eq(meetingStream.personId, staying.personId)))
    gone.close()
    await closed(1)
    const long = new Date(Date.now() - 3_600_000)
    await inTenant(room, (tx) => tx.update(meetingStream).set({ closedAt: null, seenAt: long }))
    await sendHeartbeats()
    const heard = new Map((await streams()).map(({ personId, seenAt }) => [personId, seenAt > long]))
    expect(heard).toEqual(
      new Map([
        [viewer.personId, false],
        [staying.personId, true],
      ]),
    )
  })

  test('survives a page reload', async () => {
    const first = await endpoint.ready(viewer.seatToken)
    await vi.waitFor(async () => expect(await comings()).toEqual(['user.connect']), 10_000)
    first.close()
    await closed(1)
    await endpoint.ready(viewer.seatToken)
    await vi.waitFor(async () => expect(await streams()).toHaveLength(2), 10_000)
    await look(later(20))
    expect(await comings()).toEqual(['user.connect'])
  })

  test('ends for participants of a killed process, and continues for those who reconnected to another process', async () => {
    const back = await joinRoom(room, 'viewer')
    for (const who of [viewer, back]) await endpoint.ready(who.seatToken)
    await vi.waitFor(async () => expect([...(await comings()), ...(await comings(back))]).toHaveLength(2), 10_000)
    // A process that has ended has not updated its rows for a minute.
    await inTenant(room, (tx) =>
      tx
        .update(meetingStream)
        .set({ processId: newId(), seenAt: later(-60) })
        .where(eq(meetingStream.sessionId, room.id)),
    )
    await endpoint.ready(back.seatToken)
    await vi.waitFor(async () => expect(await streams()).toHaveLength(3), 10_000)
    await reconcileAllRooms()
    await reconcileAllRooms()
    expect(await comings()).toEqual(['user.connect', 'user.leave'])
    expect(await comings(back)).toEqual(['user.connect'])
  })

  test('ends at once on an explicit leave, and records the time spent in the room', async () => {
    await endpoint.ready(viewer.seatToken)
    await vi.waitFor(async () => expect(await comings()).toEqual(['user.connect']), 10_000)
    const mine = eq(meetingPresence.personId, viewer.personId)
    await inTenant(room, (tx) =>
      tx
        .update(meetingPresence)
        .set({ at: later(-90) })
        .where(mine),
    )
    await leaveRoom({ seatToken: viewer.seatToken })
    await vi.waitFor(async () => expect(await comings()).toEqual(['user.connect', 'user.leave']), 10_000)
    const [stay] = await inTenant(room, (tx) => tx.select().from(meetingPresence).where(mine))
    expect(stay?.seconds).toBeGreaterThanOrEqual(90)
    expect(stay?.present).toBe(false)
  })

  test('publishes the number of viewers to everybody, staff excluded', async () => {
    const host = await joinRoom(room, 'host')
    const listener = await endpoint.ready(host.seatToken)
    await endpoint.ready(viewer.seatToken)
    await endpoint.ready((await joinRoom(room, 'viewer')).seatToken)
    await vi.waitFor(() => expect(payloads(listener)).toContainEqual({ online: 2 }), 8000)
    expect((await getRoom({ seatToken: viewer.seatToken })).online).toBe(2)
  })

  test.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148', 'phone'],
    ['Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/142 Mobile Safari', 'phone'],
    ['Mozilla/5.0 (Linux; Android 15; SM-X710) Chrome/142 Safari', 'tablet'],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/142', 'desktop'],
    ['', 'unknown'],
  ])('takes %j for a %s', (userAgent, device) => {
    expect(detectDevice(userAgent)).toBe(device)
  })
})

describe('the event stream of a room', () => {
  test('closes on a ban and cannot be reopened', async () => {
    const listener = await endpoint.ready(viewer.seatToken)
    const { banPerson } = await import('#lib/meeting/chat/moderation.ts')
    const { personId } = viewer
    await banPerson({ seatToken: (await joinRoom(room, 'host')).seatToken, personId, on: true, reason: 'Реклама' })
    await vi.waitFor(() => expect(listener.hasEnded).toBe(true), 10_000)
    expect(await endpoint.open(viewer.seatToken)).toMatchObject({ status: 403 })
  })

  test('refuses a seat token that is expired, modified or of an unknown participant', async () => {
    const seat = { tenantId: room.tenantId, sessionId: room.id, personId: viewer.personId }
    const seatTokens = [
      '',
      'x'.repeat(91),
      `${viewer.seatToken.slice(0, -2)}AA`,
      signSeatToken(seat, later(-20 * 3600)),
      signSeatToken({ ...seat, personId: newId() }),
      signSeatToken({ ...seat, sessionId: (await createChatRoom(ours)).id }),
    ]
    for (const seatToken of seatTokens) expect(await endpoint.open(seatToken)).toMatchObject({ status: 401 })
  })

  test("continues where the room's state was read, without a gap or a duplicate", async () => {
    await appendTestEvents(room, [{ type: 'presentation.change', payload: { mode: 'preview' } }])
    const view = await getRoom({ seatToken: viewer.seatToken })
    await inTenant(room, (tx) =>
      appendAndPublish(tx, { tenantId: room.tenantId, sessionId: room.id }, [
        { type: 'presentation.change', payload: { mode: 'presentation' } },
      ]),
    )
    const { liveId, lastSeq } = await getRoom({ seatToken: viewer.seatToken })
    expect(lastSeq).toBe(view.lastSeq + 1)
    const late = await endpoint.open(viewer.seatToken, view.liveId ?? 0)
    await vi.waitFor(() => expect(late.events.length).toBeGreaterThan(0), 10_000)
    const events = receivedEvents(late).filter(({ seq }) => seq > view.lastSeq)
    if (view.liveId === null) expect(late.events[0]?.event).toBe('reset')
    else expect(events.map(({ seq }) => seq)).toEqual([lastSeq])
    expect(liveId).not.toBeNull()
  })
})

describe('the host of a running event', () => {
  test('is reported as disconnected at once and as reconnected on return, whichever page is reloaded', async () => {
    const host = await joinRoom(room, 'host')
    const first = await endpoint.ready(host.seatToken)
    await vi.waitFor(async () => expect(await comings(host)).toEqual(['user.connect']), 10_000)
    first.close()
    await vi.waitFor(async () => expect(await states()).toEqual(['host.lost']), 5000)
    await endpoint.ready(host.seatToken)
    await vi.waitFor(async () => expect(await states()).toEqual(['host.lost', 'host.back']), 5000)
    expect(await comings(host)).toEqual(['user.connect'])
  })

  test('is not reported as disconnected while a presenter is connected or a moderator is in the room', async () => {
    const [host, speaker] = [await joinRoom(room, 'host'), await joinRoom(room, 'speaker')]
    const moderator = await joinRoom(room, 'moderator')
    const open = [await endpoint.ready(host.seatToken), await endpoint.ready(speaker.seatToken)]
    await vi.waitFor(async () => expect(await streams()).toHaveLength(2), 10_000)
    open[0]?.close()
    await closed(1)
    await look()
    expect(await states()).toEqual([])
    open[1]?.close()
    await closed(2)
    await look()
    expect(await states()).toEqual(['host.lost'])
    await holdRoom({ seatToken: moderator.seatToken })
    await look()
    expect(await states()).toEqual(['host.lost', 'host.back'])
  })

  test('leaves the event to end half an hour after the last stream, unless somebody publishes', async () => {
    const host = await joinRoom(room, 'host')
    await goOnAir({ seatToken: host.seatToken, kind: 'camera', microphone: true, camera: true })
    await look(later(0))
    await look(later(3600))
    expect((await getRoom({ seatToken: viewer.seatToken })).state.phase).toBe('live')
    await inTenant(room, (tx) => removeStreams(tx, { ...room, sessionId: room.id }, host.personId))
    await look(later(3700))
    await look(later(3700 + 29 * 60))
    expect((await getRoom({ seatToken: viewer.seatToken })).state.phase).toBe('live')
    await look(later(3700 + 31 * 60))
    await look(later(3700 + 32 * 60))
    const finished = (await readRoomLog(room)).filter(({ type }) => type === 'webinar.finish')
    expect(finished.map(({ payload }) => payload)).toEqual([{ reason: 'left' }])
  })

  test('is taken off stage after disconnecting without leaving', async () => {
    const host = await joinRoom(room, 'host')
    const first = await endpoint.ready(host.seatToken)
    await goOnAir({ seatToken: host.seatToken, kind: 'camera', microphone: true, camera: true })
    await vi.waitFor(async () => expect(await comings(host)).toEqual(['user.connect']), 10_000)
    first.close()
    await closed(1)
    await look(later(20))
    expect((await getRoom({ seatToken: viewer.seatToken })).state.onAir).toEqual([])
  })
})
