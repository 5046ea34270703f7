import { eq } from 'drizzle-orm'
import { isOurs, onStream } from '#lib/core/broadcast/broadcast.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { recordRoom } from './record.ts'
import type { SessionOf } from './say.ts'
import { soon } from './soon.ts'
import { dropStreams } from './stage.ts'

/** Who reloads the page sends again long before this; who does not is taken off the air. */
const GONE_MS = 15_000

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
  onStream(({ room, stream, up: sends }) => {
    const school = rooms.get(room)
    if (!school) return
    const of = { tenantId: school, sessionId: room }
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
  const [, personId, kind] = /^(.+)-(camera|screen)$/.exec(stream) ?? []
  if (!personId) return
  await inTenant(of, (tx) => dropStreams(tx, of, personId, kind === 'screen' ? 'screen' : 'camera'))
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
