import { eq } from 'drizzle-orm'
import { hasOwnSfu, onCodecMissing, onOutputEvent, onStreamState } from '#lib/core/broadcast/broadcast.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { STREAM_KINDS } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { scheduleOnce } from '../delayed.ts'
import type { EventSessionRef } from '../publish-events.ts'
import { publishRecordingState, startRoomRecording } from '../recording/record.ts'
import { personChannel, staffChannel } from '../room-rules.ts'
import { encoderOwnerOf, readEncoderSources } from './encoder-sources.ts'
import { removeStreams } from './stage.ts'

/** Who reloads the page sends again long before this; who does not is taken off the air. */
const STREAM_GRACE_MS = 15_000
const CODEC_DELAY_MS = 200
const SOURCES_DELAY_MS = 300
const STREAM_PATTERN = /^(.+)-(camera|screen|encoder)$/

/** Rooms that somebody sends from, or may, with their schools: the media plane knows rooms only. */
const tenantByRoom = new Map<string, string>()
/** Streams that have gone, and when. */
const endedAtByStream = new Map<string, number>()
let isWatching = false

/** Keeps what a room says is on air true to what the media plane carries, from now on. */
export function watchLiveStreams({ tenantId, sessionId }: EventSessionRef): void {
  tenantByRoom.set(sessionId, tenantId)
  if (isWatching || !hasOwnSfu()) return
  isWatching = true
  onCodecMissing(({ room, stream }) => {
    const tenantId = tenantByRoom.get(room)
    const [, personId, kind] = STREAM_PATTERN.exec(stream) ?? []
    // A program outside the browser sends what it is set to.
    if (!tenantId || !personId || kind === 'encoder') return
    // Many such viewers try at once: the publisher hears of them once.
    scheduleOnce(`codec ${room} ${stream}`, CODEC_DELAY_MS, () =>
      inTenant({ tenantId }, () =>
        publish(personChannel(personId), { codecWanted: kind === 'screen' ? kind : 'camera' }),
      ),
    )
  })
  onOutputEvent(({ output: tap, room, type: what }) => {
    const tenantId = tenantByRoom.get(room)
    if (!tenantId || tap !== 'record' || (what !== 'diskFull' && what !== 'diskFree')) return
    scheduleOnce(`disk ${room}`, 0, () => publishRecordingState({ tenantId, sessionId: room }, what === 'diskFree'))
  })
  onStreamState(({ room, stream, isPublished: sends }) => {
    const school = tenantByRoom.get(room)
    if (!school) return
    const of = { tenantId: school, sessionId: room }
    if (encoderOwnerOf(stream)) scheduleOnce(`encoders ${room}`, SOURCES_DELAY_MS, () => publishEncoderSources(of))
    if (sends) {
      endedAtByStream.delete(stream)
      scheduleOnce(`record ${room}`, 0, () => ensureRecording(of))
    } else {
      endedAtByStream.set(stream, Date.now())
      scheduleRemoval(STREAM_GRACE_MS, of, stream)
    }
  })
}

/** Takes those off the air who left the room, in the transaction that says so. */
export async function removeLeftPublishers(tx: Tx, of: EventSessionRef, people: readonly string[]): Promise<void> {
  const { state } = workshopSession
  const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, of.sessionId))
  const publisherIds = new Set(session?.state.onAir.map(({ personId }) => personId))
  for (const personId of people) if (publisherIds.has(personId)) await removeStreams(tx, of, personId)
}

// Who was back meanwhile and has gone again has their patience from the second time.
function scheduleRemoval(delayMs: number, of: EventSessionRef, stream: string): void {
  scheduleOnce(`air ${stream}`, delayMs, async () => {
    const since = endedAtByStream.get(stream)
    if (since === undefined) return
    const remainingMs = since + STREAM_GRACE_MS - Date.now()
    if (remainingMs > 0) return scheduleRemoval(remainingMs, of, stream)
    endedAtByStream.delete(stream)
    await removeStream(of, stream)
  })
}

async function removeStream(of: EventSessionRef, stream: string): Promise<void> {
  const [, personId, name] = STREAM_PATTERN.exec(stream) ?? []
  const kind = STREAM_KINDS.find((one) => one === name)
  if (!personId || !kind) return
  await inTenant(of, (tx) => removeStreams(tx, of, personId, kind))
}

function publishEncoderSources(of: EventSessionRef): Promise<void> {
  return inTenant(of, async (tx) => {
    await publish(staffChannel(of.sessionId), { sources: await readEncoderSources(tx, of.sessionId) })
  })
}

// The order to record outlives the process that was told of the start, but not a start that nobody could be told of.
function ensureRecording(of: EventSessionRef): Promise<void> {
  return inTenant(of, async (tx) => {
    const { state, workshopId, kind } = workshopSession
    const [session] = await tx
      .select({ state, workshopId, kind })
      .from(workshopSession)
      .where(eq(workshopSession.id, of.sessionId))
    if (session?.kind === 'live' && session.state.phase === 'live') await startRoomRecording(tx, of, session.workshopId)
  })
}
