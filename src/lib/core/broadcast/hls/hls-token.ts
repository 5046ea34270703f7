import { ANYONE, readTicket, signTicket } from '../../files/ticket.ts'
import type { StreamClaims } from '../stream-ticket.ts'

export const HLS_DOOR = '/v1/hls/'

const ADDRESS = /^\/v1\/hls\/([\w.-]{1,1000})\/([\w-]{1,100})\/([\w-]{1,100})\/([a-z0-9-]+\.(m3u8|m4s|mp4))$/
const HALF_HOUR = 1800
const LASTS = 7200
/** A media file's address has no times of its own: how long it opens follows from the file's age. */
const NO_TIMES = { issued: 0, expires: 0 }

export type HlsViewer = Pick<StreamClaims, 'tenantId' | 'room' | 'person'>

export interface HlsAddress {
  room: string
  stream: string
  file: string
  /** Whose playlist it is; null for a media file, whose address all viewers of the room share. */
  viewer: HlsViewer | null
}

/**
 * Where a room's streams lie as HLS for one viewer: `<base><stream>/live.m3u8`, and `audio.m3u8` with the sound alone. For
 * two hours or somewhat more. Whether the viewer may still play is asked with every playlist.
 */
export function hlsBase({ tenantId, room, person }: HlsViewer): string {
  const now = Math.floor(Date.now() / 1000)
  const expires = Math.ceil((now + LASTS) / HALF_HOUR) * HALF_HOUR
  const claims = Buffer.from(JSON.stringify([tenantId, room, person])).toString('base64url')
  const ticket = signTicket(playlistOf(claims), PURPOSE, { issued: expires - LASTS - HALF_HOUR, expires })
  return `${HLS_DOOR}${claims}.${ticket}/${room}/`
}

/**
 * A playlist whose media files each have an address that opens this file alone. All viewers share it, so that a cache
 * serves it, and it never changes: players take another address of the same segment for a broken playlist. The door
 * serves a file for a minute, so a viewer without a playlist has nothing left to play.
 */
export function withSharedAddresses(playlist: string, { room, stream }: HlsAddress): string {
  const shared = (file: string): string =>
    `../../../${signTicket(mediaFileOf(room, stream, file), ANYONE, NO_TIMES)}/${room}/${stream}/${file}`
  return playlist
    .replace(/^[^#\s]\S*/gm, shared)
    .replace(/URI="([^"]+)"/g, (_, file: string) => `URI="${shared(file)}"`)
}

/** What a path under the HLS door names; null when it names nothing, or its ticket opens another room or is over. */
export function readHlsPath(path: string, now = Date.now()): HlsAddress | null {
  const [, ticket = '', room = '', stream = '', file = '', kind] = ADDRESS.exec(path) ?? []
  if (!ticket) return null
  const isOver = (times: { expires: number } | null): boolean => !times || times.expires * 1000 <= now
  if (kind !== 'm3u8') {
    return readTicket(ticket, mediaFileOf(room, stream, file), ANYONE) && { room, stream, file, viewer: null }
  }
  const [claims = '', ...times] = ticket.split('.')
  if (isOver(readTicket(times.join('.'), playlistOf(claims), PURPOSE))) return null
  const [tenantId, ofRoom, person] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  return ofRoom === room ? { room, stream, file, viewer: { tenantId, room, person } } : null
}

const PURPOSE = 'hls'
const playlistOf = (claims: string): string => `hls/${claims}`
const mediaFileOf = (room: string, stream: string, file: string): string => `hls-file/${room}/${stream}/${file}`
