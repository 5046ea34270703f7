import { mediaBaseUrl, parseMediaPath, verifyMediaToken } from '#lib/core/files/media-url.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'

/** Seconds after the first signature during which a base can be renewed. */
const RENEWABLE_SECONDS = 12 * HOUR_SECONDS

/** Signs the base of a file's URLs for one viewer. `issuedAt`: time of the first signature, in seconds since 1970. */
export function signMediaBase(
  { tenantId, viewer }: Pick<Actor, 'tenantId' | 'viewer'>,
  fileId: string,
  issuedAt?: number,
) {
  const base = mediaBaseUrl(tenantId, fileId, viewer, { issuedAt })
  const expires = readTimes(base, viewer)?.expiresAt ?? 0
  return { base, expiresIn: expires - Math.floor(Date.now() / 1000) }
}

/**
 * The file that a base refers to, expired or not; null for another viewer, an invalid signature, and one too old to be
 * renewed.
 */
export function readMediaBase(
  base: string,
  viewer: string,
): { tenantId: string; fileId: string; issuedAt: number } | null {
  const times = readTimes(base, viewer)
  return times && Date.now() / 1000 - times.issuedAt <= RENEWABLE_SECONDS ? times : null
}

function readTimes(base: string, viewer: string) {
  const parsed = parseMediaPath(base)
  // A renewed base would show the hidden id.
  const times = parsed?.path === '' && !parsed.isHidden ? verifyMediaToken(parsed, [viewer]) : null
  return parsed && times && { tenantId: parsed.tenantId, fileId: parsed.fileId, ...times }
}
