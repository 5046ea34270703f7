import { streamEndpoints } from '#lib/core/broadcast/broadcast.ts'
import { signStreamToken } from '#lib/core/broadcast/stream-token.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireSeat, type SeatRef } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import type { Seat } from '../room-schema.ts'
import { lockSession } from '../session.ts'
import { disconnectParticipants } from './disconnect.ts'
import { encoderStreamOf, readEncoderSources } from './encoder-sources.ts'
import { watchLiveStreams } from './live-streams.ts'
import { readEncoderKeyAt } from './log.ts'
import { tokenIssuedSeconds } from './rules.ts'
import type { ChangeEncoder, EncoderView } from './schema.ts'
import { removeStreams } from './stage.ts'

/** An event may be prepared weeks before; its end and a revocation make a key void earlier. */
const ENCODER_TOKEN_TTL_SECONDS = 60 * 86_400

/**
 * Where an encoder (OBS, vMix, ffmpeg) of the caller publishes by WHIP, with its key if there is one, and the encoders of
 * the room that publish now. Refuses with unauthorized, forbidden.
 */
export async function getEncoder({ ticket }: Seat): Promise<EncoderView> {
  const sitting = await requireSeat(ticket, 'present')
  watchLiveStreams(sitting)
  return inTenant(sitting, (tx) => readEncoderView(tx, sitting))
}

/**
 * Gives the caller's encoder a new key, or none; the one before is void at once, and what was published with it ends.
 * Refuses with unauthorized, forbidden, conflict when the event is over.
 */
export async function changeEncoder({ ticket, on }: ChangeEncoder): Promise<EncoderView> {
  const sitting = await requireSeat(ticket, 'present')
  watchLiveStreams(sitting)
  return inTenant(sitting, async (tx) => {
    const { state } = await lockSession(tx, sitting)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId } = sitting
    const by = { actorId: personId, audience: 'person' as const, personId }
    await removeStreams(tx, sitting, personId, 'encoder')
    await appendAndPublish(tx, sitting, [{ type: 'encoder.key', payload: { personId, on }, ...by }])
    disconnectParticipants(sitting.sessionId, [personId], { isPublishingOnly: true, stream: encoderStreamOf(personId) })
    return readEncoderView(tx, sitting)
  })
}

async function readEncoderView(tx: Tx, { tenantId, sessionId, personId }: SeatRef): Promise<EncoderView> {
  const stream = encoderStreamOf(personId)
  const key = await readEncoderKeyAt(tx, sessionId, personId)
  const claims = { tenantId, room: sessionId, participant: personId, stream, direction: 'publish' as const }
  const issued = key && tokenIssuedSeconds(key)
  return {
    endpoint: streamEndpoints(sessionId, stream).whip,
    token:
      issued === null
        ? null
        : signStreamToken(claims, { issuedAt: issued, expiresAt: issued + ENCODER_TOKEN_TTL_SECONDS }),
    sources: await readEncoderSources(tx, sessionId),
  }
}
