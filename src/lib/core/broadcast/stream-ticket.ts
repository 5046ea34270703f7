import { readTicket, signTicket, type Ticket } from '../files/ticket.ts'

/*
 * Tokens for the media plane: who may publish or play which stream of which room, for a while. Whoever holds the key of
 * the installation can check one without asking the database, this server's door or another media server by our answer.
 */

export type Direction = 'publish' | 'play'
/** All streams of the room; only for playing. */
export const EVERY_STREAM = '*'

export interface StreamClaims {
  tenantId: string
  room: string
  /** Whose sessions these are: one id a person and device as the room sees fit. */
  person: string
  stream: string
  direction: Direction
}

/** A bearer token that carries its claims and times (seconds since 1970), signed: `<claims>.<issued>.<expires>.<mac>`. */
export function signStream({ tenantId, room, person, stream, direction }: StreamClaims, times: Ticket): string {
  if (direction === 'publish' && stream === EVERY_STREAM) throw new Error('a publisher has one stream')
  const claims = Buffer.from(JSON.stringify([tenantId, room, person, stream, direction])).toString('base64url')
  return `${claims}.${signTicket(subjectOf(claims), PURPOSE, times)}`
}

/** What a token claims, and its times, expired or not; null when it was not signed here. */
export function readStream(token: string): (StreamClaims & Ticket) | null {
  const [claims = '', ...ticket] = token.split('.')
  if (token.length > LONGEST) return null
  const times = readTicket(ticket.join('.'), subjectOf(claims), PURPOSE)
  if (!times) return null
  const [tenantId, room, person, stream, direction] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  return { tenantId, room, person, stream, direction, ...times }
}

/** A stream of a room and what is to be done with it. */
export type StreamAct = Pick<StreamClaims, 'room' | 'stream' | 'direction'>

/** Whether claims are of this stream and direction; when they end is not looked at. */
export function opens(claims: StreamClaims, { room, stream, direction }: StreamAct): boolean {
  const named = claims.stream === stream || (claims.stream === EVERY_STREAM && direction === 'play')
  return claims.room === room && claims.direction === direction && named
}

export type StreamVerdict = { claims: StreamClaims & Ticket } | { refused: 'unauthorized' | 'forbidden' }

/**
 * Whether a token opens a stream of a room in a direction at a moment (ms): `unauthorized` without a token of ours or
 * after its end, `forbidden` with one for something else. Who publishes does not play by the same token, nor the other
 * way round.
 */
export function judgeStream(token: string | null, act: StreamAct, now: number): StreamVerdict {
  const claims = token === null ? null : readStream(token)
  if (!claims || claims.expires * 1000 <= now) return { refused: 'unauthorized' }
  return opens(claims, act) ? { claims } : { refused: 'forbidden' }
}

const LONGEST = 1000
const PURPOSE = 'stream'
const subjectOf = (claims: string): string => `broadcast/${claims}`
