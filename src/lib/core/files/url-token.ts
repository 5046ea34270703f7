import { createHash, timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../encryption.ts'

/*
 * Signed addresses. A ticket opens what `subject` names, for one viewer, until it expires:
 * `<issued>.<expires>.<mac>`, times in seconds in base 36, the mac 16 bytes of HMAC-SHA256 in base64url.
 */

/** Who may use an address: the digest of a session's token, or `anyone` for what a school has made public. */
export const sessionDigest = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22)
export const ANYONE = 'anyone'

export interface TokenTimes {
  /** Seconds since 1970. */
  issuedAt: number
  expiresAt: number
}

/** Signs a ticket. `subject` is what it opens, e.g. `media/<tenant>/<file>`. */
export function signUrlToken(subject: string, holder: string, { issuedAt, expiresAt }: TokenTimes): string {
  const times = `${issuedAt.toString(36)}.${expiresAt.toString(36)}`
  return `${times}.${computeMac(subject, holder, times).toString('base64url')}`
}

/** The ticket's times when it opens this subject for this viewer, expired or not; null when it does not. */
export function verifyUrlToken(token: string, subject: string, holder: string): TokenTimes | null {
  const match = /^([0-9a-z]{1,9})\.([0-9a-z]{1,9})\.([\w-]{22})$/.exec(token)
  if (!match) return null
  const [, issued = '', expires = '', mac = ''] = match
  const givenMac = Buffer.from(mac, 'base64url')
  const expectedMac = computeMac(subject, holder, `${issued}.${expires}`)
  if (givenMac.length !== expectedMac.length || !timingSafeEqual(givenMac, expectedMac)) return null
  return { issuedAt: Number.parseInt(issued, 36), expiresAt: Number.parseInt(expires, 36) }
}

const computeMac = (subject: string, holder: string, times: string): Buffer =>
  keyedDigest('ticket', `${subject}\n${holder}\n${times}`).subarray(0, 16)
