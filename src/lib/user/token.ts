import { createHash, randomBytes, randomInt } from 'node:crypto'

/** A secret for a cookie or a link: 32 random bytes as base64url. Only its digest is ever stored. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a token. The token is random and long, so a slow hash would add nothing. */
export function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Six digits to be typed. */
export function createCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}
