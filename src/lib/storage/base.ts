import { readTicket, signTicket } from '#lib/core/files/ticket.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/** Seconds that the addresses of one view open at least. */
const LASTS = 2 * 3600
/** Times are rounded to this, so that a page opened twice names the same addresses and the browser's cache helps. */
const ROUND = 30 * 60
/** Seconds since the first view during which it may be renewed. */
const RENEWABLE = 12 * 3600

const BASE = /^\/v1\/media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([\w.-]{1,60})\/$/

/** Signs the beginning of a file's addresses for one viewer. `issued` is when the first of them was, in seconds since 1970. */
export function signBase(actor: Pick<Actor, 'tenantId' | 'viewer'>, fileId: string, issued: number) {
  const now = Math.floor(Date.now() / 1000)
  const expires = Math.ceil((now + LASTS) / ROUND) * ROUND
  const first = Math.floor(issued / ROUND) * ROUND
  const ticket = signTicket(subjectOf(actor.tenantId, fileId), actor.viewer, { issued: first, expires })
  return { base: `/v1/media/${actor.tenantId}/${fileId}/${ticket}/`, expiresIn: expires - now }
}

/** What a base names, expired or not; null for another viewer, garbage, and one that is too old to be renewed. */
export function readBase(base: string, viewer: string): { tenantId: string; fileId: string; issued: number } | null {
  const [, tenantId = '', fileId = '', ticket = ''] = BASE.exec(base) ?? []
  const times = readTicket(ticket, subjectOf(tenantId, fileId), viewer)
  if (!times || Date.now() / 1000 - times.issued > RENEWABLE) return null
  return { tenantId, fileId, issued: times.issued }
}

const subjectOf = (tenantId: string, fileId: string): string => `media/${tenantId}/${fileId}`
