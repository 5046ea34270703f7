import { mediaBase, mediaTicket, readMediaPath } from '#lib/core/files/media-ticket.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/** Seconds since the first view during which it may be renewed. */
const RENEWABLE_SECONDS = 12 * 3600

/** Signs the beginning of a file's addresses for one viewer. `issued` is when the first of them was, in seconds since 1970. */
export function signMediaBase(
  { tenantId, viewer }: Pick<Actor, 'tenantId' | 'viewer'>,
  fileId: string,
  issued?: number,
) {
  const base = mediaBase(tenantId, fileId, viewer, issued)
  const expires = readTimes(base, viewer)?.expiresAt ?? 0
  return { base, expiresIn: expires - Math.floor(Date.now() / 1000) }
}

/** What a base names, expired or not; null for another viewer, garbage, and one that is too old to be renewed. */
export function readMediaBase(
  base: string,
  viewer: string,
): { tenantId: string; fileId: string; issued: number } | null {
  const times = readTimes(base, viewer)
  return times && Date.now() / 1000 - times.issuedAt <= RENEWABLE_SECONDS ? times : null
}

function readTimes(base: string, viewer: string) {
  const parsed = readMediaPath(base)
  const times = parsed?.path === '' ? mediaTicket(parsed, [viewer]) : null
  return parsed && times && { tenantId: parsed.tenantId, fileId: parsed.fileId, ...times }
}
