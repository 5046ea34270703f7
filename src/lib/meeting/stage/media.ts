import { endpoints, isOurs } from '#lib/core/broadcast/broadcast.ts'
import { companionOf } from '#lib/core/broadcast/companion.ts'
import { hlsBase } from '#lib/core/broadcast/hls/hls-token.ts'
import { EVERY_STREAM, signStream } from '#lib/core/broadcast/stream-ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { type SeatRef, seatOf } from '../admission/seat.ts'
import type { MediaView, Seat, StreamAccess } from '../room-schema.ts'
import { watchAir } from './live-streams.ts'
import { readStreamFacts } from './media-access.ts'
import { canUseStreams, type StreamPerson } from './media-rules.ts'

const LASTS_SECONDS = 15 * 60
/** Stands for the name of a stream while an address is being made. */
const NAME = 'STREAM'

/**
 * The way to the media plane for somebody of a room, anew; a thousand viewers ask for it at once when the event begins.
 * Refuses with unauthorized, forbidden (banned, no seat).
 */
export async function getMedia({ ticket }: Seat): Promise<MediaView> {
  const seat = seatOf(ticket)
  const facts = await readStreamFacts(seat)
  if (!facts?.person) throw new Refusal('unauthorized')
  const { person, phase } = facts
  if (person.barred) throw new Refusal('forbidden', { data: { because: person.banned ? 'banned' : 'no_seat' } })
  return mediaFor(seat, person, phase)
}

/**
 * The same for somebody whose row was read already: without a way to play where they may not, and to publish only for
 * those who present or are on the stage.
 */
export function mediaFor(
  seat: SeatRef,
  person: Pick<StreamPerson, 'role' | 'staged'>,
  phase: RoomState['phase'],
): MediaView {
  const { tenantId, sessionId, personId } = seat
  const seated = { ...person, barred: false }
  const plays = canUseStreams(seated, phase, 'play').allow
  // After the end of a rehearsal it may begin once more: the endpoint refuses until then.
  const publishes = canUseStreams(seated, phase === 'finished' ? 'live' : phase, 'publish').allow
  if (publishes) watchAir(seat)
  const issued = Math.floor(Date.now() / 1000)
  const times = { issued, expires: issued + LASTS_SECONDS }
  const claims = { tenantId, room: sessionId, person: personId }
  const whip = (stream: string): StreamAccess => ({
    endpoint: endpoints(sessionId, stream).whip,
    ticket: signStream({ ...claims, stream, direction: 'publish' }, times),
  })
  const own = (kind: 'camera' | 'screen') => {
    const stream = `${personId}-${kind}`
    return { ...whip(stream), companion: whip(companionOf(stream)) }
  }
  const { whep, iceServers } = endpoints(sessionId, NAME)
  return {
    iceServers: [...iceServers],
    play: {
      endpoint: whep.replace(NAME, '{stream}'),
      ticket: plays ? signStream({ ...claims, stream: EVERY_STREAM, direction: 'play' }, times) : null,
      hls: plays && isOurs() ? hlsBase(claims) : null,
    },
    publish: publishes ? { camera: own('camera'), screen: own('screen') } : null,
    expiresAt: times.expires * 1000,
  }
}
