import { ANYONE, readTicket, signTicket } from '../files/ticket.ts'

export const HLS_DOOR = '/v1/hls/'

const ADDRESS = /^\/v1\/hls\/([\w.-]+)\/([\w-]{1,100})\/([\w-]{1,100})\/([a-z0-9-]+\.(?:m3u8|m4s|mp4))$/
const HALF_HOUR = 1800
const LASTS = 7200

export interface HlsAddress {
  ticket: string
  room: string
  stream: string
  file: string
}

/**
 * Where a room's streams lie as HLS: `<base><stream>/live.m3u8`, and `audio.m3u8` with the sound alone. For two hours or
 * somewhat more, and for half an hour the same for everybody, so that a cache between serves all of them.
 */
export function hlsBase(room: string): string {
  const now = Math.floor(Date.now() / 1000)
  const expires = Math.ceil((now + LASTS) / HALF_HOUR) * HALF_HOUR
  const ticket = signTicket(subjectOf(room), ANYONE, { issued: expires - LASTS - HALF_HOUR, expires })
  return `${HLS_DOOR}${ticket}/${room}/`
}

/** What a path under the HLS door names; null when it names nothing, or its ticket opens another room or is over. */
export function readHlsPath(path: string, now = Date.now()): HlsAddress | null {
  const [, ticket = '', room = '', stream = '', file = ''] = ADDRESS.exec(path) ?? []
  const times = ticket ? readTicket(ticket, subjectOf(room), ANYONE) : null
  return times && times.expires * 1000 > now ? { ticket, room, stream, file } : null
}

const subjectOf = (room: string): string => `hls/${room}`
