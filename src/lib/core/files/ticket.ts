import { createHash, timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../vault.ts'

/*
 * Signed addresses. A ticket opens what `subject` names, for one viewer, until it expires:
 * `<issued>.<expires>.<mac>`, times in seconds in base 36, the mac 16 bytes of HMAC-SHA256 in base64url.
 */

/** Who may use an address: the digest of a session's token, or `anyone` for what a school has made public. */
export const viewerOf = (token: string): string => createHash('sha256').update(token).digest('base64url').slice(0, 22)
export const ANYONE = 'anyone'

export interface Ticket {
  /** Seconds since 1970. */
  issued: number
  expires: number
}

/** Signs a ticket. `subject` is what it opens, e.g. `media/<tenant>/<file>`. */
export function signTicket(subject: string, viewer: string, { issued, expires }: Ticket): string {
  const times = `${issued.toString(36)}.${expires.toString(36)}`
  return `${times}.${macOf(subject, viewer, times).toString('base64url')}`
}

/** The ticket's times when it opens this subject for this viewer, expired or not; null when it does not. */
export function readTicket(ticket: string, subject: string, viewer: string): Ticket | null {
  const parts = /^([0-9a-z]{1,9})\.([0-9a-z]{1,9})\.([\w-]{22})$/.exec(ticket)
  if (!parts) return null
  const [, issued = '', expires = '', mac = ''] = parts
  const given = Buffer.from(mac, 'base64url')
  const right = macOf(subject, viewer, `${issued}.${expires}`)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return { issued: Number.parseInt(issued, 36), expires: Number.parseInt(expires, 36) }
}

const macOf = (subject: string, viewer: string, times: string): Buffer =>
  keyedDigest('ticket', `${subject}\n${viewer}\n${times}`).subarray(0, 16)
