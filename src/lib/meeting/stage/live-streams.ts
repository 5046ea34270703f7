import { eq } from 'drizzle-orm'
import { isOurs, onCodecMissing, onStream, onTapNews } from '#lib/core/broadcast/broadcast.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { publish } from '#lib/core/live/live.ts'
import { STREAM_KINDS } from '#lib/workshop/session/event-schema.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { soon } from '../delayed.ts'
import type { SessionOf } from '../publish-events.ts'
import { noteRecording, recordRoom } from '../recording/record.ts'
import { personChannel, staffChannel } from '../room-rules.ts'
import { encoderOwner, readEncoderSources } from './encoder-sources.ts'
import { dropStreams } from './stage.ts'

/** Who reloads the page sends again long before this; who does not is taken off the air. */
const GONE_MS = 15_000
const CODEC_MS = 200
const SOURCES_MS = 300
const STREAM = /^(.+)-(camera|screen|encoder)$/

/** Rooms that somebody sends from, or may, with their schools: the media plane knows rooms only. */
const rooms = new Map<string, string>()
/** Streams that have gone, and when. */
const gone = new Map<string, number>()
let watching = false

/** Keeps what a room says is on air true to what the media plane carries, from now on. */
export function watchAir({ tenantId, sessionId }: SessionOf): void {
  rooms.set(sessionId, tenantId)
  if (watching || !isOurs()) return
  watching = true
  onCodecMissing(({ room, stream }) => {
    const tenantId = rooms.get(room)
    const [, personId, kind] = STREAM.exec(stream) ?? []
    // A program outside the browser sends what it is set to.
    if (!tenantId || !personId || kind === 'encoder') return
    // Many such viewers try at once: the publisher hears of them once.
    soon(`codec ${room} ${stream}`, CODEC_MS, () =>
      inTenant({ tenantId }, () =>
        publish(personChannel(personId), { codecWanted: kind === 'screen' ? kind : 'camera' }),
      ),
    )
  })
  onTapNews(({ tap, room, what }) => {
    const tenantId = rooms.get(room)
    if (!tenantId || tap !== 'record' || (what !== 'diskFull' && what !== 'diskFree')) return
    soon(`disk ${room}`, 0, () => noteRecording({ tenantId, sessionId: room }, what === 'diskFree'))
  })
  onStream(({ room, stream, up: sends }) => {
    const school = rooms.get(room)
    if (!school) return
    const of = { tenantId: school, sessionId: room }
    if (encoderOwner(stream)) soon(`encoders ${room}`, SOURCES_MS, () => tellSources(of))
    if (sends) {
      gone.delete(stream)
      soon(`record ${room}`, 0, () => record(of))
    } else {
      gone.set(stream, Date.now())
      takeOffAfter(GONE_MS, of, stream)
    }
  })
}

/** Takes those off the air who left the room, in the transaction that says so. */
export async function takeOffGone(tx: Tx, of: SessionOf, people: readonly string[]): Promise<void> {
  const { state } = workshopSession
  const [session] = await tx.select({ state }).from(workshopSession).where(eq(workshopSession.id, of.sessionId))
  const sending = new Set(session?.state.onAir.map(({ personId }) => personId))
  for (const personId of people) if (sending.has(personId)) await dropStreams(tx, of, personId)
}

// Who was back meanwhile and has gone again has their patience from the second time.
function takeOffAfter(ms: number, of: SessionOf, stream: string): void {
  soon(`air ${stream}`, ms, async () => {
    const since = gone.get(stream)
    if (since === undefined) return
    const rest = since + GONE_MS - Date.now()
    if (rest > 0) return takeOffAfter(rest, of, stream)
    gone.delete(stream)
    await takeOff(of, stream)
  })
}

async function takeOff(of: SessionOf, stream: string): Promise<void> {
  const [, personId, name] = STREAM.exec(stream) ?? []
  const kind = STREAM_KINDS.find((one) => one === name)
  if (!personId || !kind) return
  await inTenant(of, (tx) => dropStreams(tx, of, personId, kind))
}

function tellSources(of: SessionOf): Promise<void> {
  return inTenant(of, async (tx) => {
    await publish(staffChannel(of.sessionId), { sources: await readEncoderSources(tx, of.sessionId) })
  })
}

// The order to record outlives the process that was told of the start, but not a start that nobody could be told of.
function record(of: SessionOf): Promise<void> {
  return inTenant(of, async (tx) => {
    const { state, workshopId, kind } = workshopSession
    const [session] = await tx
      .select({ state, workshopId, kind })
      .from(workshopSession)
      .where(eq(workshopSession.id, of.sessionId))
    if (session?.kind === 'live' && session.state.phase === 'live') await recordRoom(tx, of, session.workshopId)
  })
}
