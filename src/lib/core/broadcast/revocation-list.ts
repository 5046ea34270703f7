import { MINUTE_MS } from '../shared/time.ts'
import { mainStreamOf } from './companion.ts'
import type { StreamClaims } from './stream-token.ts'

/** Lifetime of a stream token: an older revocation has no effect any more. */
export const RETENTION_MS = 15 * MINUTE_MS

export interface DisconnectScope {
  /** Close publishers only; the participant keeps watching. */
  isPublishingOnly?: boolean
  /** Close this stream only; null for all. */
  stream?: string | null
}

type RoomParticipant = Pick<StreamClaims, 'room' | 'participant'>
type ParticipantAccess = Pick<StreamClaims, 'room' | 'participant' | 'stream' | 'direction'>

/** Stores disconnected participants for as long as a token that was issued before may be valid. Times in ms. */
export function createRevocationList() {
  const revokedAt = new Map<string, number>()

  function removeExpired(now: number): void {
    for (const [key, at] of revokedAt) if (now - at > RETENTION_MS) revokedAt.delete(key)
  }

  return {
    revoke(
      { room, participant }: RoomParticipant,
      { isPublishingOnly = false, stream = null }: DisconnectScope,
      now: number,
    ): void {
      removeExpired(now)
      revokedAt.set(revocationKey({ room, participant, direction: 'publish', stream: stream ?? EVERY_STREAM }), now)
      if (!isPublishingOnly)
        revokedAt.set(revocationKey({ room, participant, direction: 'play', stream: stream ?? EVERY_STREAM }), now)
    },
    /** Whether a token with this `issuedAt` (seconds since 1970) was issued before a revocation or in the same second. */
    isRevoked(access: ParticipantAccess, issuedAt: number): boolean {
      const times = [mainStreamOf(access.stream), EVERY_STREAM].map((stream) =>
        revokedAt.get(revocationKey({ ...access, stream })),
      )
      return times.some((at) => at !== undefined && issuedAt * 1000 <= at)
    },
  }
}

const EVERY_STREAM = '*'
const revocationKey = ({ room, participant, direction, stream }: ParticipantAccess): string =>
  [room, participant, direction, stream].join('/')
