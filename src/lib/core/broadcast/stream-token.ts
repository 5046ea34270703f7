import { signUrlToken, type TokenTimes, verifyUrlToken } from '../files/url-token.ts'

/*
 * Stream tokens: permission for one participant to publish or play streams of a room until a given time. They are checked
 * with the key of the installation, without the database: by this server, or for another media server by mediamtx-auth.ts.
 */

export type Direction = 'publish' | 'play'
/** All streams of the room; valid for `play` only. */
export const EVERY_STREAM = '*'

export interface StreamClaims {
  tenantId: string
  room: string
  /** Id of the participant; may differ for each device. */
  participant: string
  stream: string
  direction: Direction
}

/** Signs a bearer token: `<claims>.<issuedAt>.<expiresAt>.<mac>`, times in seconds since 1970. Throws for a publisher of all streams. */
export function signStreamToken(
  { tenantId, room, participant, stream, direction }: StreamClaims,
  times: TokenTimes,
): string {
  if (direction === 'publish' && stream === EVERY_STREAM) throw new Error('a publisher has one stream')
  const claims = Buffer.from(JSON.stringify([tenantId, room, participant, stream, direction])).toString('base64url')
  return `${claims}.${signUrlToken(tokenSubject(claims), TOKEN_PURPOSE, times)}`
}

/** Claims and times of a token, even if it has expired; null when the signature is not valid. */
export function readStreamToken(token: string): (StreamClaims & TokenTimes) | null {
  const [claims = '', ...signature] = token.split('.')
  if (token.length > MAX_TOKEN_LENGTH) return null
  const times = verifyUrlToken(signature.join('.'), tokenSubject(claims), TOKEN_PURPOSE)
  if (!times) return null
  const [tenantId, room, participant, stream, direction] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  return { tenantId, room, participant, stream, direction, ...times }
}

/** A stream of a room and the action on it. */
export type StreamAccess = Pick<StreamClaims, 'room' | 'stream' | 'direction'>

/** Whether the claims allow this action. Does not check the expiry. */
export function allowsAccess(claims: StreamClaims, { room, stream, direction }: StreamAccess): boolean {
  const isNamed = claims.stream === stream || (claims.stream === EVERY_STREAM && direction === 'play')
  return claims.room === room && claims.direction === direction && isNamed
}

export type TokenVerdict = { claims: StreamClaims & TokenTimes } | { refused: 'unauthorized' | 'forbidden' }

/**
 * Checks a token at `now` (ms since 1970). `unauthorized`: missing, expired or not signed by this installation.
 * `forbidden`: valid, but for another room, stream or direction. A publisher's token does not allow to play.
 */
export function verifyStreamToken(token: string | null, access: StreamAccess, now: number): TokenVerdict {
  const claims = token === null ? null : readStreamToken(token)
  if (!claims || claims.expiresAt * 1000 <= now) return { refused: 'unauthorized' }
  return allowsAccess(claims, access) ? { claims } : { refused: 'forbidden' }
}

const MAX_TOKEN_LENGTH = 1000
const TOKEN_PURPOSE = 'stream'
const tokenSubject = (claims: string): string => `broadcast/${claims}`
