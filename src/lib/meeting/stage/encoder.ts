import { endpoints } from '#lib/core/broadcast/broadcast.ts'
import { signStream } from '#lib/core/broadcast/stream-ticket.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { mustSit, type SeatRef } from '../admission/seat.ts'
import { appendAndSay } from '../publish-events.ts'
import type { Seat } from '../room-schema.ts'
import { lockSession } from '../session.ts'
import { oust } from './disconnect.ts'
import { encoderStream, readEncoderSources } from './encoder-sources.ts'
import { watchAir } from './live-streams.ts'
import { encoderKeyOf } from './log.ts'
import { issuedAfter } from './rules.ts'
import type { ChangeEncoder, EncoderView } from './schema.ts'
import { dropStreams } from './stage.ts'

/** An event may be prepared weeks before; its end and a revocation make a key void earlier. */
const LASTS_SECONDS = 60 * 86_400

/**
 * Where an encoder (OBS, vMix, ffmpeg) of the caller publishes by WHIP, with its key if there is one, and the encoders of
 * the room that publish now. Refuses with unauthorized, forbidden.
 */
export async function getEncoder({ ticket }: Seat): Promise<EncoderView> {
  const sitting = await mustSit(ticket, 'present')
  watchAir(sitting)
  return inTenant(sitting, (tx) => viewOf(tx, sitting))
}

/**
 * Gives the caller's encoder a new key, or none; the one before is void at once, and what was published with it ends.
 * Refuses with unauthorized, forbidden, conflict when the event is over.
 */
export async function changeEncoder({ ticket, on }: ChangeEncoder): Promise<EncoderView> {
  const sitting = await mustSit(ticket, 'present')
  watchAir(sitting)
  return inTenant(sitting, async (tx) => {
    const { state } = await lockSession(tx, sitting)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId } = sitting
    const by = { actorId: personId, audience: 'person' as const, personId }
    await dropStreams(tx, sitting, personId, 'encoder')
    await appendAndSay(tx, sitting, [{ type: 'encoder.key', payload: { personId, on }, ...by }])
    oust(sitting.sessionId, [personId], { publishing: true, stream: encoderStream(personId) })
    return viewOf(tx, sitting)
  })
}

async function viewOf(tx: Tx, { tenantId, sessionId, personId }: SeatRef): Promise<EncoderView> {
  const stream = encoderStream(personId)
  const key = await encoderKeyOf(tx, sessionId, personId)
  const claims = { tenantId, room: sessionId, person: personId, stream, direction: 'publish' as const }
  const issued = key && issuedAfter(key)
  return {
    endpoint: endpoints(sessionId, stream).whip,
    token: issued === null ? null : signStream(claims, { issued, expires: issued + LASTS_SECONDS }),
    sources: await readEncoderSources(tx, sessionId),
  }
}
