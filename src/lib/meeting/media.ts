import { endpoints, isOurs } from '#lib/core/broadcast/broadcast.ts'
import { hlsBase } from '#lib/core/broadcast/hls-ticket.ts'
import { EVERY_STREAM, signStream } from '#lib/core/broadcast/stream-ticket.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { watchAir } from './air.ts'
import type { MediaView, Seat, StreamAccess } from './room-schema.ts'
import { mustSit, type Sitting } from './seat.ts'
import { isOnStage } from './stage-log.ts'

const LASTS_SECONDS = 15 * 60
/** Stands for the name of a stream while an address is being made. */
const NAME = 'STREAM'

/** The way to the media plane for somebody of a room, anew. Refuses with unauthorized, forbidden. */
export async function getMedia({ ticket }: Seat): Promise<MediaView> {
  const sitting = await mustSit(ticket)
  const staged = await inTenant(sitting, (tx) => isOnStage(tx, sitting.sessionId, sitting.personId))
  return mediaFor(sitting, staged)
}

/** The same for who sits there already; who presents or was invited onto the stage may publish. */
export function mediaFor(sitting: Sitting, staged: boolean): MediaView {
  const { tenantId, sessionId, personId, role } = sitting
  const publishes = hasRight(role, 'present') || staged
  if (publishes) watchAir(sitting)
  const issued = Math.floor(Date.now() / 1000)
  const times = { issued, expires: issued + LASTS_SECONDS }
  const claims = { tenantId, room: sessionId, person: personId }
  const whip = (kind: 'camera' | 'screen'): StreamAccess => {
    const stream = `${personId}-${kind}`
    return {
      endpoint: endpoints(sessionId, stream).whip,
      ticket: signStream({ ...claims, stream, direction: 'publish' }, times),
    }
  }
  const { whep, iceServers } = endpoints(sessionId, NAME)
  return {
    iceServers: [...iceServers],
    play: {
      endpoint: whep.replace(NAME, '{stream}'),
      ticket: signStream({ ...claims, stream: EVERY_STREAM, direction: 'play' }, times),
      hls: isOurs() ? hlsBase(sessionId) : null,
    },
    publish: publishes ? { camera: whip('camera'), screen: whip('screen') } : null,
    expiresAt: times.expires * 1000,
  }
}
