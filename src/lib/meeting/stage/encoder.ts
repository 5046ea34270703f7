import { streamEndpoints } from '#lib/core/broadcast/broadcast.ts'
import { signStreamToken } from '#lib/core/broadcast/stream-token.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { requireSeat, type SeatRef } from '../admission/seat.ts'
import { appendAndPublish } from '../publish-events.ts'
import type { Seat } from '../room-schema.ts'
import { lockSession } from '../session.ts'
import { disconnectParticipants } from './disconnect.ts'
import { encoderStreamOf, readEncoderSources } from './encoder-sources.ts'
import { watchLiveStreams } from './live-streams.ts'
import { readEncoderKey } from './log.ts'
import { encoderKeyIssuedAt } from './rules.ts'
import type { ChangeEncoder, EncoderView } from './schema.ts'
import { removeStreams } from './stage.ts'

/** An event may be prepared weeks ahead; its end and a revocation invalidate a key earlier. */
const ENCODER_TOKEN_TTL_SECONDS = 60 * DAY_SECONDS

/**
 * WHIP endpoint and token for the caller's encoder (OBS, vMix, ffmpeg), if it has a key, and the encoders that publish
 * to the room now. Refuses with unauthorized, forbidden.
 */
export async function getEncoder({ seatToken }: Seat): Promise<EncoderView> {
  const participant = await requireSeat(seatToken, 'present')
  watchLiveStreams(participant)
  return inTenant(participant, (tx) => readEncoderView(tx, participant))
}

/**
 * Creates a new encoder key for the caller, or revokes it; the previous key is invalid at once and its streams end.
 * Refuses with unauthorized, forbidden, conflict when the event is over.
 */
export async function changeEncoder({ seatToken, on }: ChangeEncoder): Promise<EncoderView> {
  const participant = await requireSeat(seatToken, 'present')
  watchLiveStreams(participant)
  return inTenant(participant, async (tx) => {
    const { state } = await lockSession(tx, participant)
    if (state.phase === 'finished') throw new Refusal('conflict')
    const { personId } = participant
    const by = { actorId: personId, audience: 'person' as const, personId }
    await removeStreams(tx, participant, personId, 'encoder')
    const previous = await readEncoderKey(tx, participant.sessionId, personId)
    const issuedAt = encoderKeyIssuedAt(new Date(), previous?.issuedAt ?? null)
    await appendAndPublish(tx, participant, [{ type: 'encoder.key', payload: { personId, on, issuedAt }, ...by }])
    disconnectParticipants(participant.sessionId, [personId], {
      isPublishingOnly: true,
      stream: encoderStreamOf(personId),
    })
    return readEncoderView(tx, participant)
  })
}

async function readEncoderView(tx: Tx, { tenantId, sessionId, personId }: SeatRef): Promise<EncoderView> {
  const stream = encoderStreamOf(personId)
  const key = await readEncoderKey(tx, sessionId, personId)
  const claims = { tenantId, room: sessionId, participant: personId, stream, direction: 'publish' as const }
  return {
    endpoint: streamEndpoints(sessionId, stream).whip,
    token: key?.on
      ? signStreamToken(claims, { issuedAt: key.issuedAt, expiresAt: key.issuedAt + ENCODER_TOKEN_TTL_SECONDS })
      : null,
    sources: await readEncoderSources(tx, sessionId),
  }
}
