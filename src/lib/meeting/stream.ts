import { AsyncLocalStorage } from 'node:async_hooks'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { createBatcher } from '#lib/core/batch.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { type LiveOptions, openLiveStream } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import { log } from '#lib/core/log.ts'
import type { Device, RoomRole } from '#lib/core/shared/event/live-event.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { BUSY_SESSIONS_SQL, findBusySessions, RECONNECT_GRACE_MS, reconcilePresence } from './admission/presence.ts'
import { extendReservation, lockRoomRow, takeSeat } from './admission/queue.ts'
import { findRoomParticipant, type SeatRef, verifySeatToken } from './admission/seat.ts'
import { scheduleOnce } from './delayed.ts'
import type { EventSessionRef } from './publish-events.ts'
import { personChannel, roomChannel, staffChannel } from './room-rules.ts'
import { meetingStream } from './table.ts'

/*
 * Open event streams of this process and their heartbeat. Presence is decided by their rows in the database, so it does
 * not matter which process holds a stream, or that one is killed.
 */

const PROCESS_ID = newId()
const HEARTBEAT_MS = 10_000
const RECONCILE_INTERVAL_MS = 5000
const RECONCILE_DELAY_MS = 250

type StreamRow = typeof meetingStream.$inferInsert & SeatRef & { id: string }

const openStreams = new Map<string, StreamRow>()
let intervalTimer: NodeJS.Timeout | undefined
let heartbeatAtMs = 0
// A timer inherits the async context and with it the caller's transaction.
const runOutsideContext = AsyncLocalStorage.snapshot()

/**
 * Serves `?seatToken=…` with the event stream of a room: the room's, staff's and participant's channels. A participant
 * without a seat only receives their position in the queue. Refuses with unauthorized, forbidden (banned), too_many.
 */
export async function openRoomStream(
  request: Request,
  { response, address = null }: Pick<LiveOptions, 'response' | 'address'> = {},
): Promise<Response> {
  const seat = verifySeatToken(new URL(request.url).searchParams.get('seatToken') ?? '')
  const { participant, queued } = await inTenant(seat, (tx) => takeSeatForStream(tx, seat))
  const { tenantId, sessionId, personId } = seat
  const channels = queued ? [] : listChannels(participant.role, sessionId)
  const streamId = newId()
  const device = detectDevice(request.headers.get('user-agent') ?? '')
  return openLiveStream(
    request,
    { tenantId, userId: personId, sessionId: personId },
    [...channels, personChannel(personId)],
    {
      response,
      address,
      opened: () => void logFailure(registerStream(streamId, seat, device)),
      // An event that is published before the subscription is open would be lost.
      ...(queued && { ready: () => void logFailure(publishQueuePlace(seat, queued)) }),
      closed: () => void logFailure(endStream(streamId, seat, participant.role)),
    },
  )
}

/** A participant leaves deliberately: without the grace period of a lost connection. */
export async function leaveRoom({ seatToken }: { seatToken: string }): Promise<void> {
  const seat = verifySeatToken(seatToken)
  await inTenant(seat, (tx) =>
    tx
      .update(meetingStream)
      .set({ closedAt: new Date(Date.now() - RECONNECT_GRACE_MS) })
      .where(and(eq(meetingStream.sessionId, seat.sessionId), eq(meetingStream.personId, seat.personId))),
  )
  scheduleReconcile(seat, 0)
}

/** Reconciles the rooms of processes that have ended, in all tenants. */
export async function reconcileAllRooms(now = new Date()): Promise<void> {
  await forEachTenant({ job: 'meeting.sweep', dueSql: BUSY_SESSIONS_SQL, now }, async (tenantId) => {
    const sessions = await inTenant({ tenantId }, (tx) => findBusySessions(tx, now))
    const task = { job: 'meeting.sweep', tenantId, items: sessions, idOf: (sessionId: string) => sessionId }
    return forEachItem(task, async (sessionId) => void (await reconcilePresence({ tenantId, sessionId }, now)))
  })
}

function listChannels(role: RoomRole, sessionId: string): string[] {
  return [roomChannel(sessionId), ...(hasRight(role, 'moderate') ? [staffChannel(sessionId)] : [])]
}

async function takeSeatForStream(tx: Tx, seat: SeatRef) {
  const participant = await findRoomParticipant(seat)
  if (!participant) throw new Refusal('unauthorized')
  if (participant.bannedAt) throw new Refusal('forbidden', { data: { reason: 'banned' } })
  if (await extendReservation(tx, seat)) return { participant, queued: null }
  await lockRoomRow(tx, seat)
  return { participant, queued: await takeSeat(tx, seat, participant.role) }
}

// A participant who returns to a full room receives their position in the queue on the new stream.
const publishQueuePlace = (seat: SeatRef, queued: { place: number }): Promise<void> =>
  inTenant(seat, () => publish(personChannel(seat.personId), queued))

async function registerStream(id: string, seat: SeatRef, device: Device): Promise<void> {
  const { tenantId, sessionId, personId } = seat
  const row = { tenantId, id, sessionId, personId, processId: PROCESS_ID, device }
  openStreams.set(id, row)
  intervalTimer ??= runOutsideContext(() =>
    setInterval(() => void logFailure(runInterval()), RECONCILE_INTERVAL_MS).unref(),
  )
  await insertStreams(tenantId, row)
  // The stream was closed while its row was being written.
  if (!openStreams.has(id)) await closeStreamRow(id, seat)
  scheduleReconcile(seat, RECONCILE_DELAY_MS)
}

const insertStreams = createBatcher<typeof meetingStream.$inferInsert, void>(async (tenantId, streams) => {
  await inTenant({ tenantId }, (tx) => tx.insert(meetingStream).values(streams).onConflictDoNothing())
  return streams.map(() => undefined)
})

async function endStream(id: string, seat: SeatRef, role: RoomRole): Promise<void> {
  openStreams.delete(id)
  await closeStreamRow(id, seat)
  if (hasRight(role, 'start')) scheduleReconcile(seat, RECONCILE_DELAY_MS)
  scheduleReconcile(seat, RECONNECT_GRACE_MS + RECONCILE_DELAY_MS)
}

async function closeStreamRow(id: string, seat: SeatRef): Promise<void> {
  await inTenant(seat, (tx) =>
    tx
      .update(meetingStream)
      .set({ closedAt: new Date() })
      .where(and(eq(meetingStream.id, id), isNull(meetingStream.closedAt))),
  )
}

function scheduleReconcile({ tenantId, sessionId }: EventSessionRef, ms: number): void {
  scheduleOnce(`presence ${sessionId} ${ms}`, ms, async () => {
    if (await reconcileInBatch(`${tenantId} ${sessionId}`, { tenantId, sessionId }))
      scheduleReconcile({ tenantId, sessionId }, 2 * RECONCILE_DELAY_MS + 1500)
  })
}

// One reconciliation per room at a time; later requests share the next one.
const reconcileInBatch = createBatcher<EventSessionRef, boolean>(async (_, sessions) => {
  const again = sessions[0] ? await reconcilePresence(sessions[0]) : false
  return sessions.map(() => again)
})

// Sends heartbeats and reconciles each room, also without a notification.
async function runInterval(): Promise<void> {
  const sessions = new Map([...openStreams.values()].map((seat) => [seat.sessionId, seat.tenantId]))
  if (openStreams.size === 0) {
    clearInterval(intervalTimer)
    intervalTimer = undefined
    return
  }
  if (Date.now() - heartbeatAtMs > HEARTBEAT_MS - 1000) {
    heartbeatAtMs = Date.now()
    await sendHeartbeats()
  }
  for (const [sessionId, tenantId] of sessions) scheduleReconcile({ tenantId, sessionId }, 0)
}

/**
 * Sends heartbeats of this process's streams, one statement per tenant. A row whose end was not written expires, and a
 * row that was not written at all is written now.
 */
export async function sendHeartbeats(): Promise<void> {
  for (const [tenantId, rows] of Map.groupBy(openStreams.values(), (row) => row.tenantId))
    await sendHeartbeat(tenantId, rows)
}

async function sendHeartbeat(tenantId: string, rows: readonly StreamRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const alive = await inTenant({ tenantId }, (tx) =>
    tx
      .update(meetingStream)
      .set({ seenAt: new Date() })
      .where(
        and(eq(meetingStream.processId, PROCESS_ID), inArray(meetingStream.id, ids), isNull(meetingStream.closedAt)),
      )
      .returning({ id: meetingStream.id }),
  )
  const known = new Set(alive.map(({ id }) => id))
  for (const row of rows) if (!known.has(row.id) && openStreams.has(row.id)) await insertStreams(tenantId, row)
}

async function logFailure(operation: Promise<void>): Promise<void> {
  try {
    await operation
  } catch (error) {
    // The next reconciliation, of any process, corrects it.
    log.warn({ err: error }, 'presence could not be written')
  }
}

/** Device class of a browser, from its user agent. */
export function detectDevice(userAgent: string): Device {
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet'
  if (/Mobi|iPhone|Android/i.test(userAgent)) return 'phone'
  return /Windows|Macintosh|X11|CrOS|Linux/i.test(userAgent) ? 'desktop' : 'unknown'
}
