import { eq } from 'drizzle-orm'
import { hasOwnSfu, onCodecMissing, onOutputEvent, onStreamState } from '#lib/core/broadcast/broadcast.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { hasPeers, onPeerMessage, sendToPeers } from '#lib/core/processes/peers.ts'
import { STREAM_KINDS } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { scheduleOnce } from '../delayed.ts'
import type { EventSessionRef } from '../publish-events.ts'
import { publishRecordingState, startRoomRecording } from '../recording/record.ts'
import { personChannel, staffChannel } from '../room-rules.ts'
import { disconnectParticipants } from './disconnect.ts'
import { encoderOwnerOf, readEncoderSources } from './encoder-sources.ts'
import { readParticipants } from './media-access.ts'
import { canUseStreams } from './media-rules.ts'
import { removeStreams } from './stage.ts'

/** A reloaded page publishes again well within this time; after it the stream is removed from the stage. */
const STREAM_GRACE_MS = 15_000
const CODEC_DELAY_MS = 200
const SOURCES_DELAY_MS = 300
const STREAM_PATTERN = /^(.+)-(camera|screen|encoder)$/

/** Tenants by room, for rooms with publishers: the media process has no data about tenants. */
const tenantByRoom = new Map<string, string>()
/** Ended streams and when they ended. */
const endedAtByStream = new Map<string, number>()
let isWatching = false

/**
 * Keeps the stage state of a room consistent with the streams of the media process, from now on. Runs in the process
 * that runs the media process: a web process sends the room to it.
 */
export function watchLiveStreams({ tenantId, sessionId }: EventSessionRef): void {
  if (hasPeers()) sendToPeers('stream.room', { tenantId, sessionId })
  else watchRoom({ tenantId, sessionId })
}

/** Watches the streams of the rooms that web processes send to this process. */
export const watchRoomsOfPeers = (): void => onPeerMessage('stream.room', watchRoom)

function watchRoom({ tenantId, sessionId }: EventSessionRef): void {
  tenantByRoom.set(sessionId, tenantId)
  if (isWatching || !hasOwnSfu()) return
  isWatching = true
  onCodecMissing(({ room, stream }) => {
    const tenantId = tenantByRoom.get(room)
    const [, personId, kind] = STREAM_PATTERN.exec(stream) ?? []
    // An encoder's codec is set by its user.
    if (!tenantId || !personId || kind === 'encoder') return
    // Many subscribers fail at the same time: the publisher is notified once.
    scheduleOnce(`codec ${room} ${stream}`, CODEC_DELAY_MS, () =>
      inTenant({ tenantId }, () =>
        publish(personChannel(personId), { codecWanted: kind === 'screen' ? kind : 'camera' }),
      ),
    )
  })
  onOutputEvent(({ output, room, type }) => {
    const tenantId = tenantByRoom.get(room)
    if (!tenantId || output !== 'record' || (type !== 'diskFull' && type !== 'diskFree')) return
    scheduleOnce(`disk ${room}`, 0, () => publishRecordingState({ tenantId, sessionId: room }, type === 'diskFree'))
  })
  onStreamState(({ room, stream, isPublished: sends }) => {
    const tenantId = tenantByRoom.get(room)
    if (!tenantId) return
    const sessionRef = { tenantId, sessionId: room }
    if (encoderOwnerOf(stream))
      scheduleOnce(`encoders ${room}`, SOURCES_DELAY_MS, () => publishEncoderSources(sessionRef))
    if (sends) {
      endedAtByStream.delete(stream)
      scheduleOnce(`record ${room}`, 0, () => ensureRecording(sessionRef))
    } else {
      endedAtByStream.set(stream, Date.now())
      scheduleRemoval(STREAM_GRACE_MS, sessionRef, stream)
    }
  })
}

/**
 * Removes the streams of participants who left, and of those who may not publish any more, as after a change of their
 * event role; the latter are also disconnected.
 */
export async function removePublishers(tx: Tx, sessionRef: EventSessionRef, leftIds: readonly string[]): Promise<void> {
  const { state } = workshopSession
  const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, sessionRef.sessionId))
  const publisherIds = [...new Set(session?.state.onAir.map(({ personId }) => personId))]
  if (publisherIds.length === 0) return
  const people = await readParticipants(tx, sessionRef.sessionId, publisherIds)
  const unauthorizedIds = publisherIds.filter((personId) => {
    const person = people.get(personId)
    return !person || !canUseStreams(person, 'live', 'publish').allow
  })
  for (const personId of publisherIds) {
    if (leftIds.includes(personId) || unauthorizedIds.includes(personId)) await removeStreams(tx, sessionRef, personId)
  }
  disconnectParticipants(sessionRef.sessionId, unauthorizedIds, { isPublishingOnly: true })
}

// After another reconnect the grace period starts again.
function scheduleRemoval(delayMs: number, sessionRef: EventSessionRef, stream: string): void {
  scheduleOnce(`air ${stream}`, delayMs, async () => {
    const since = endedAtByStream.get(stream)
    if (since === undefined) return
    const remainingMs = since + STREAM_GRACE_MS - Date.now()
    if (remainingMs > 0) return scheduleRemoval(remainingMs, sessionRef, stream)
    endedAtByStream.delete(stream)
    await removeStream(sessionRef, stream)
  })
}

async function removeStream(sessionRef: EventSessionRef, stream: string): Promise<void> {
  const [, personId, name] = STREAM_PATTERN.exec(stream) ?? []
  const kind = STREAM_KINDS.find((kind) => kind === name)
  if (!personId || !kind) return
  await inTenant(sessionRef, (tx) => removeStreams(tx, sessionRef, personId, kind))
}

function publishEncoderSources(sessionRef: EventSessionRef): Promise<void> {
  return inTenant(sessionRef, async (tx) => {
    await publish(staffChannel(sessionRef.sessionId), { sources: await readEncoderSources(tx, sessionRef.sessionId) })
  })
}

// A recording request survives the process that received it, but fails while no media process is running.
function ensureRecording(sessionRef: EventSessionRef): Promise<void> {
  return inTenant(sessionRef, async (tx) => {
    const { state, workshopId, kind } = workshopSession
    const [session] = await tx
      .select({ state, workshopId, kind })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionRef.sessionId))
    if (session?.kind === 'live' && session.state.phase === 'live')
      await startRoomRecording(tx, sessionRef, session.workshopId)
  })
}
