import { hasOwnSfu, streamEndpoints } from '#lib/core/broadcast/broadcast.ts'
import { companionStreamOf } from '#lib/core/broadcast/companion.ts'
import { hlsBaseUrl } from '#lib/core/broadcast/hls/hls-token.ts'
import { EVERY_STREAM, signStreamToken } from '#lib/core/broadcast/stream-token.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type SeatRef, verifySeatToken } from '../admission/seat.ts'
import type { RoomMediaView, RoomStreamAccess, Seat } from '../room-schema.ts'
import { watchLiveStreams } from './live-streams.ts'
import { requireParticipantAccess } from './media-access.ts'
import { canUseStreams, type StreamParticipant } from './media-rules.ts'

const MEDIA_TOKEN_TTL_SECONDS = 15 * 60
/** Placeholder for the stream's name in a URL template. */
const STREAM_PLACEHOLDER = 'STREAM'

/**
 * New media endpoints and stream tokens for a participant; requested by all viewers at the start of an event. Refuses
 * with unauthorized, forbidden (banned, no seat).
 */
export async function getMedia({ seatToken }: Seat): Promise<RoomMediaView> {
  const seat = verifySeatToken(seatToken)
  const { person, phase } = await requireParticipantAccess(seat)
  return buildMediaView(seat, person, phase)
}

/**
 * The same for a participant whose row is known: without a play token where playing is not allowed, and publish
 * endpoints only for presenters and stage guests.
 */
export function buildMediaView(
  seat: SeatRef,
  person: Pick<StreamParticipant, 'role' | 'isOnStage'>,
  phase: RoomState['phase'],
): RoomMediaView {
  const { tenantId, sessionId, personId } = seat
  const seated = { ...person, isBarred: false }
  const canPlay = canUseStreams(seated, phase, 'play').allow
  // A finished rehearsal may start again: the endpoint refuses until then.
  const canPublish = canUseStreams(seated, phase === 'finished' ? 'live' : phase, 'publish').allow
  if (canPublish) watchLiveStreams(seat)
  const issuedAt = Math.floor(Date.now() / 1000)
  const times = { issuedAt, expiresAt: issuedAt + MEDIA_TOKEN_TTL_SECONDS }
  const claims = { tenantId, room: sessionId, participant: personId }
  const whip = (stream: string): RoomStreamAccess => ({
    endpoint: streamEndpoints(sessionId, stream).whip,
    token: signStreamToken({ ...claims, stream, direction: 'publish' }, times),
  })
  const buildPublishAccess = (kind: 'camera' | 'screen') => {
    const stream = `${personId}-${kind}`
    return { ...whip(stream), companion: whip(companionStreamOf(stream)) }
  }
  const { whep, iceServers } = streamEndpoints(sessionId, STREAM_PLACEHOLDER)
  return {
    iceServers: [...iceServers],
    play: {
      endpoint: whep.replace(STREAM_PLACEHOLDER, '{stream}'),
      token: canPlay ? signStreamToken({ ...claims, stream: EVERY_STREAM, direction: 'play' }, times) : null,
      hls: canPlay && hasOwnSfu() ? hlsBaseUrl(claims) : null,
    },
    publish: canPublish ? { camera: buildPublishAccess('camera'), screen: buildPublishAccess('screen') } : null,
    expiresAt: times.expiresAt * 1000,
  }
}
