import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PLAN_OFFERS } from '#lib/billing/plans.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { closeAllStreams } from '#lib/core/live/hub.ts'
import { reconcilePresence } from '#lib/meeting/admission/presence.ts'
import { getQueuePlace, lockRoomRow, seatsFor, takeSeat } from '#lib/meeting/admission/queue.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { appendAndPublish } from '#lib/meeting/publish-events.ts'
import { leaveRoom } from '#lib/meeting/stream.ts'
import { meetingPresence } from '#lib/meeting/table.ts'
import { type LiveClient, payloads } from '../../../setup/media/live-client.ts'
import { type ChatRoom, createChatRoom, joinRoom, type TestParticipant } from '../../../setup/meeting/chat-room.ts'
import { type RoomEndpoint, startRoomEndpoint } from '../../../setup/meeting/room-endpoint.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const LIMIT = PLAN_OFFERS.workshop.start.viewer_count ?? 0
const SEATS = seatsFor(LIMIT)

let ours: TestTenant
let room: ChatRoom
let endpoint: RoomEndpoint
let seated: TestParticipant[]
beforeAll(async () => {
  ours = await createTestTenant()
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: ours.tenant.id, group: 'workshop', plan: 'start', nextPayment, trialEndsAt: null })
})
beforeEach(async () => {
  endpoint = await startRoomEndpoint()
  room = await createChatRoom(ours)
  seated = await Promise.all(Array.from({ length: SEATS }, () => joinRoom(room, 'viewer')))
  await Promise.all(seated.map((participant) => seat(participant)))
  return async () => {
    endpoint.close()
    await closeAllStreams()
  }
})
afterAll(() => closeAllStreams())

function seat({ personId }: TestParticipant, role: 'viewer' | 'host' = 'viewer', now = new Date()) {
  const ref = { tenantId: room.tenantId, sessionId: room.id, personId }
  return inTenant(ref, async (tx) => {
    await lockRoomRow(tx, ref)
    return takeSeat(tx, ref, role, now)
  })
}
const come = async () => {
  const viewer = await joinRoom(room, 'viewer')
  return { ...viewer, queued: await seat(viewer) }
}
const received = (listener: LiveClient, news: object) =>
  vi.waitFor(() => expect(payloads(listener)).toContainEqual(expect.objectContaining(news)), 5000)
const look = () => reconcilePresence({ tenantId: room.tenantId, sessionId: room.id })

describe('a full room', () => {
  test("has ten percent more seats than the plan's limit", () => {
    expect([LIMIT, SEATS]).toEqual([50, 55])
  })

  test('queues new viewers but not staff, and keeps the seats of present viewers', async () => {
    const [first, second] = [await come(), await come()]
    expect([first.queued, second.queued]).toEqual([{ place: 1 }, { place: 2 }])
    expect(await seat(await joinRoom(room, 'host'), 'host')).toBeNull()
    expect(await seat(seated[0] ?? first)).toBeNull()
    expect(await seat(first)).toEqual({ place: 1 })
  })

  test('gives a freed seat to the waiting queue and not to a new viewer', async () => {
    const [first, second] = [await come(), await come()]
    const [leaving] = seated
    const past = new Date(Date.now() - 120_000)
    await inTenant({ tenantId: room.tenantId }, (tx) =>
      tx
        .update(meetingPresence)
        .set({ present: false, seatUntil: past })
        .where(eq(meetingPresence.personId, leaving?.personId ?? '')),
    )
    const newcomer = await come()
    expect(newcomer.queued).toEqual({ place: 2 })
    expect(await getQueuePlace({ seatToken: first.seatToken })).toMatchObject({ admitted: true })
    expect(await getQueuePlace({ seatToken: second.seatToken })).toMatchObject({ admitted: false, place: 1 })
  })

  test('admits no more concurrent viewers than there are seats', async () => {
    const fresh = await createChatRoom(ours)
    room = fresh
    const people = await Promise.all(Array.from({ length: SEATS + 20 }, () => joinRoom(fresh, 'viewer')))
    const places = await Promise.all(people.map((person) => seat(person)))
    expect(places.filter((place) => place === null)).toHaveLength(SEATS)
    expect(places.flatMap((place) => place?.place ?? []).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  test('admits the waiting queue when the plan allows more viewers during the event', async () => {
    const waiting = [await come(), await come(), await come()]
    expect(waiting.map(({ queued }) => queued?.place)).toEqual([1, 2, 3])
    const nextPayment = new Date(Date.now() + 86_400_000)
    const plan = { tenantId: ours.tenant.id, group: 'workshop', nextPayment, trialEndsAt: null } as const
    await setPlan({ ...plan, plan: 'pro' })
    try {
      const [first, second, third] = await Promise.all(waiting.map(({ seatToken }) => getQueuePlace({ seatToken })))
      expect([first?.admitted, second?.admitted, third?.admitted]).toEqual([true, true, true])
      expect((await come()).queued).toBeNull()
    } finally {
      await setPlan({ ...plan, plan: 'start' })
    }
  })

  test('refuses actions of queued viewers and sends them nothing of the room', async () => {
    const { seatToken } = await come()
    const refused = expect.objectContaining({ code: 'forbidden', details: { data: { reason: 'no_seat' } } })
    await expect(getRoom({ seatToken })).rejects.toEqual(refused)
    const listener = await endpoint.open(seatToken)
    await received(listener, { place: 1 })
    await inTenant(room, (tx) =>
      appendAndPublish(tx, { tenantId: room.tenantId, sessionId: room.id }, [
        { type: 'presentation.change', payload: { mode: 'preview' } },
      ]),
    )
    await leaveRoom({ seatToken: seated[0]?.seatToken ?? '' })
    expect(payloads(listener)).not.toContainEqual(expect.objectContaining({ events: expect.anything() }))
  })

  test("admits the first of the queue when a viewer leaves, and publishes the new positions and the queue's length to staff", async () => {
    const host = await endpoint.ready((await joinRoom(room, 'host')).seatToken)
    await endpoint.ready(seated[0]?.seatToken ?? '')
    await vi.waitFor(
      async () => expect(await getRoom({ seatToken: seated[0]?.seatToken ?? '' })).toMatchObject({ online: 1 }),
      10_000,
    )
    const people = [await come(), await come(), await come()]
    const listeners = await Promise.all(people.map(({ seatToken }) => endpoint.open(seatToken)))
    await received(host, { waiting: 3, limit: LIMIT })
    await leaveRoom({ seatToken: seated[0]?.seatToken ?? '' })
    const [first, second, third] = listeners
    if (!first || !second || !third) throw new Error('three were to listen')
    await received(first, { admitted: true })
    await received(second, { place: 1 })
    await received(third, { place: 2 })
    await received(host, { waiting: 2, limit: LIMIT })
    expect(await getQueuePlace({ seatToken: people[0]?.seatToken ?? '' })).toMatchObject({ admitted: true })
    expect((await getRoom({ seatToken: people[0]?.seatToken ?? '' })).me.role).toBe('viewer')
    expect(await getQueuePlace({ seatToken: people[2]?.seatToken ?? '' })).toMatchObject({ admitted: false, place: 2 })
  })

  test('gives a seat that was not taken within a minute to the next in the queue', async () => {
    const waiting = await come()
    const later = new Date(Date.now() + 61_000)
    // Requesting the place regularly keeps it for viewers without a stream.
    expect(await getQueuePlace({ seatToken: waiting.seatToken }, later)).toMatchObject({ admitted: true })
  })

  test('skips queued viewers who have left', async () => {
    const [gone, patient] = [await come(), await come()]
    const soon = new Date(Date.now() + 50_000)
    expect(await getQueuePlace({ seatToken: patient.seatToken }, soon)).toMatchObject({ place: 1 })
    expect(await getQueuePlace({ seatToken: gone.seatToken }, soon)).toMatchObject({ place: 1 })
    expect(await getQueuePlace({ seatToken: patient.seatToken }, soon)).toMatchObject({ place: 2 })
  })

  test('admits the queue when the school changes to a larger plan', async () => {
    const people = [await come(), await come()]
    const nextPayment = new Date(Date.now() + 86_400_000)
    const plan = { tenantId: ours.tenant.id, group: 'workshop', nextPayment, trialEndsAt: null } as const
    await setPlan({ ...plan, plan: 'max' })
    await look()
    for (const { seatToken } of people) expect(await getQueuePlace({ seatToken })).toMatchObject({ admitted: true })
    await setPlan({ ...plan, plan: 'start' })
  })
})
