import { AsyncLocalStorage } from 'node:async_hooks'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { gather } from '#lib/core/gather.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { type LiveOptions, openLive } from '#lib/core/live/door.ts'
import { publish } from '#lib/core/live/live.ts'
import { log } from '#lib/core/log.ts'
import type { Device, RoomRole } from '#lib/core/shared/event/live-event.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { BUSY, busySessions, GRACE_MS, reconcile } from './admission/presence.ts'
import { keepSeat, lockRoom, takeSeat } from './admission/queue.ts'
import { findSitting, type SeatRef, seatOf } from './admission/seat.ts'
import { soon } from './delayed.ts'
import type { SessionOf } from './publish-events.ts'
import { personChannel, roomChannel, staffChannel } from './room-rules.ts'
import { meetingStream } from './table.ts'

/*
 * The open streams of this process, and the word that they are alive. Who is in a room is decided by their rows in the
 * database, so it does not matter which process holds a stream, or that one is killed.
 */

const PROCESS = newId()
const BEAT_MS = 10_000
const LOOK_MS = 5000
const SOON_MS = 250

type StreamRow = typeof meetingStream.$inferInsert & SeatRef & { id: string }

const open = new Map<string, StreamRow>()
let clock: NodeJS.Timeout | undefined
let beaten = 0
// A timer keeps the context of who set it, and with it somebody's transaction.
const outside = AsyncLocalStorage.snapshot()

/**
 * Answers `?ticket=…` with the stream of a room: what is said to all, to its staff, to this person. Who has no seat hears
 * of their place in the queue alone. Refuses with unauthorized, forbidden (banned), too_many.
 */
export async function answerRoom(
  request: Request,
  { response, address = null }: Pick<LiveOptions, 'response' | 'address'> = {},
): Promise<Response> {
  const seat = seatOf(new URL(request.url).searchParams.get('ticket') ?? '')
  const { sitting, queued } = await inTenant(seat, (tx) => sitDown(tx, seat))
  const { tenantId, sessionId, personId } = seat
  const channels = queued ? [] : channelsFor(sitting.role, sessionId)
  const streamId = newId()
  const device = deviceOf(request.headers.get('user-agent') ?? '')
  return openLive(
    request,
    { tenantId, userId: personId, sessionId: personId },
    [...channels, personChannel(personId)],
    {
      response,
      address,
      opened: () => void note(begin(streamId, seat, device)),
      // Said before it hears, it would be lost.
      ...(queued && { ready: () => void note(tellPlace(seat, queued)) }),
      closed: () => void note(end(streamId, seat, sitting.role)),
    },
  )
}

/** Somebody leaves on purpose: without the patience that a lost connection gets. */
export async function leave({ ticket }: { ticket: string }): Promise<void> {
  const seat = seatOf(ticket)
  await inTenant(seat, (tx) =>
    tx
      .update(meetingStream)
      .set({ closedAt: new Date(Date.now() - GRACE_MS) })
      .where(and(eq(meetingStream.sessionId, seat.sessionId), eq(meetingStream.personId, seat.personId))),
  )
  look(seat, 0)
}

/** Looks after rooms whose processes have died, in all schools. */
export async function sweepRooms(now = new Date()): Promise<void> {
  await forEachTenant({ job: 'meeting.sweep', due: BUSY, at: now }, async (tenantId) => {
    const sessions = await inTenant({ tenantId }, (tx) => busySessions(tx, now))
    for (const sessionId of sessions) await reconcile({ tenantId, sessionId }, now)
    return sessions.length
  })
}

function channelsFor(role: RoomRole, sessionId: string): string[] {
  return [roomChannel(sessionId), ...(hasRight(role, 'moderate') ? [staffChannel(sessionId)] : [])]
}

async function sitDown(tx: Tx, seat: SeatRef) {
  const sitting = await findSitting(seat)
  if (!sitting) throw new Refusal('unauthorized')
  if (sitting.bannedAt) throw new Refusal('forbidden', { data: { because: 'banned' } })
  if (await keepSeat(tx, seat)) return { sitting, queued: null }
  await lockRoom(tx, seat)
  return { sitting, queued: await takeSeat(tx, seat, sitting.role) }
}

// Whoever was away for long and finds the room full hears it on the stream that they come back by.
const tellPlace = (seat: SeatRef, queued: { place: number }): Promise<void> =>
  inTenant(seat, () => publish(personChannel(seat.personId), queued))

async function begin(id: string, seat: SeatRef, device: Device): Promise<void> {
  const { tenantId, sessionId, personId } = seat
  const row = { tenantId, id, sessionId, personId, processId: PROCESS, device }
  open.set(id, row)
  clock ??= outside(() => setInterval(() => void note(tick()), LOOK_MS).unref())
  await writeStream(tenantId, row)
  // It was closed while its row was being written.
  if (!open.has(id)) await close(id, seat)
  look(seat, SOON_MS)
}

const writeStream = gather<typeof meetingStream.$inferInsert, void>(async (tenantId, streams) => {
  await inTenant({ tenantId }, (tx) => tx.insert(meetingStream).values(streams).onConflictDoNothing())
  return streams.map(() => undefined)
})

async function end(id: string, seat: SeatRef, role: RoomRole): Promise<void> {
  open.delete(id)
  await close(id, seat)
  if (hasRight(role, 'start')) look(seat, SOON_MS)
  look(seat, GRACE_MS + SOON_MS)
}

async function close(id: string, seat: SeatRef): Promise<void> {
  await inTenant(seat, (tx) =>
    tx
      .update(meetingStream)
      .set({ closedAt: new Date() })
      .where(and(eq(meetingStream.id, id), isNull(meetingStream.closedAt))),
  )
}

function look({ tenantId, sessionId }: SessionOf, ms: number): void {
  soon(`presence ${sessionId} ${ms}`, ms, async () => {
    if (await lookOnce(`${tenantId} ${sessionId}`, { tenantId, sessionId }))
      look({ tenantId, sessionId }, 2 * SOON_MS + 1500)
  })
}

// A room is looked at by one at a time; who asks meanwhile is answered by the next look.
const lookOnce = gather<SessionOf, boolean>(async (_, asked) => {
  const again = asked[0] ? await reconcile(asked[0]) : false
  return asked.map(() => again)
})

// Says that the streams here are alive; a room is looked at even when nothing was heard.
async function tick(): Promise<void> {
  const sessions = new Map([...open.values()].map((seat) => [seat.sessionId, seat.tenantId]))
  if (open.size === 0) {
    clearInterval(clock)
    clock = undefined
    return
  }
  if (Date.now() - beaten > BEAT_MS - 1000) {
    beaten = Date.now()
    await beatStreams()
  }
  for (const [sessionId, tenantId] of sessions) look({ tenantId, sessionId }, 0)
}

/**
 * Says that the streams of this process are alive, one statement a school. A row whose end could not be written is left
 * to fall silent, and one that could not be written at all is written now.
 */
export async function beatStreams(): Promise<void> {
  for (const [tenantId, rows] of Map.groupBy(open.values(), (row) => row.tenantId)) await beat(tenantId, rows)
}

async function beat(tenantId: string, rows: readonly StreamRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const alive = await inTenant({ tenantId }, (tx) =>
    tx
      .update(meetingStream)
      .set({ seenAt: new Date() })
      .where(and(eq(meetingStream.processId, PROCESS), inArray(meetingStream.id, ids), isNull(meetingStream.closedAt)))
      .returning({ id: meetingStream.id }),
  )
  const known = new Set(alive.map(({ id }) => id))
  for (const row of rows) if (!known.has(row.id) && open.has(row.id)) await writeStream(tenantId, row)
}

async function note(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    // The next look, of this process or another, makes it good.
    log.warn({ err: error }, 'presence could not be written')
  }
}

/** What a browser runs on, as far as its name for itself tells. */
export function deviceOf(userAgent: string): Device {
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet'
  if (/Mobi|iPhone|Android/i.test(userAgent)) return 'phone'
  return /Windows|Macintosh|X11|CrOS|Linux/i.test(userAgent) ? 'desktop' : 'unknown'
}
