import { createHash, timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../encryption.ts'

/*
 * Tokens of signed URLs. A token allows one holder to access `subject` until it expires:
 * `<issuedAt>.<expiresAt>.<mac>`, times in seconds in base 36, the MAC 16 bytes of HMAC-SHA256 in base64url.
 */

/** The token holder of a login session: a digest of the session token. ANYONE is the holder of public URLs. */
export const sessionDigest = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22)
export const ANYONE = 'anyone'

export interface TokenTimes {
  /** Seconds since 1970. */
  issuedAt: number
  expiresAt: number
}

/** Signs a token. `subject` names the resource, e.g. `media/<tenant>/<file>`. */
export function signUrlToken(subject: string, holder: string, { issuedAt, expiresAt }: TokenTimes): string {
  const times = `${issuedAt.toString(36)}.${expiresAt.toString(36)}`
  return `${times}.${computeMac(subject, holder, times).toString('base64url')}`
}

/** Verifies a token for a subject and holder. Returns its times, even if it has expired; null when it is not valid. */
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
  keyedDigest('url-token', `${subject}\n${holder}\n${times}`).subarray(0, 16)
