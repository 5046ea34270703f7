import { ANYONE, signUrlToken, verifyUrlToken } from '../../files/url-token.ts'
import type { StreamClaims } from '../stream-token.ts'

export const HLS_PATH = '/v1/hls/'

const PATH_PATTERN = /^\/v1\/hls\/([\w.-]{1,1000})\/([\w-]{1,100})\/([\w-]{1,100})\/([a-z0-9-]+\.(m3u8|m4s|mp4))$/
const HALF_HOUR_SECONDS = 1800
const LIFETIME_SECONDS = 7200
/** A segment URL has no expiry: how long it is valid follows from the age of the file. */
const NO_TIMES = { issuedAt: 0, expiresAt: 0 }

export type HlsViewer = Pick<StreamClaims, 'tenantId' | 'room' | 'participant'>

export interface HlsAddress {
  room: string
  stream: string
  file: string
  /** Viewer of the playlist; null for a segment, whose URL all viewers of the room share. */
  viewer: HlsViewer | null
}

/**
 * Base URL of the streams of a room for one viewer: `<base><stream>/live.m3u8`, and `audio.m3u8` for audio only. Valid
 * for at least two hours. Every request for a playlist checks whether the viewer may still play.
 */
export function hlsBaseUrl({ tenantId, room, participant }: HlsViewer): string {
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = Math.ceil((now + LIFETIME_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
  const claims = Buffer.from(JSON.stringify([tenantId, room, participant])).toString('base64url')
  const token = signUrlToken(playlistSubject(claims), TOKEN_PURPOSE, {
    issuedAt: expiresAt - LIFETIME_SECONDS - HALF_HOUR_SECONDS,
    expiresAt,
  })
  return `${HLS_PATH}${claims}.${token}/${room}/`
}

/**
 * Replaces segment names in a playlist by signed URLs. All viewers share the URL of a segment, so that caches serve it,
 * and it never changes, since players treat a changed URL as a broken playlist. A segment is served for a minute, so a
 * viewer without a playlist can play nothing more.
 */
export function signSegmentUrls(playlist: string, { room, stream }: HlsAddress): string {
  const segmentUrl = (file: string): string =>
    `../../../${signUrlToken(segmentSubject(room, stream, file), ANYONE, NO_TIMES)}/${room}/${stream}/${file}`
  return playlist
    .replace(/^[^#\s]\S*/gm, segmentUrl)
    .replace(/URI="([^"]+)"/g, (_, file: string) => `URI="${segmentUrl(file)}"`)
}

/** Parses an HLS path; null when it is malformed, or its token is invalid, expired or for another room. */
export function parseHlsPath(path: string, now = Date.now()): HlsAddress | null {
  const [, token = '', room = '', stream = '', file = '', kind] = PATH_PATTERN.exec(path) ?? []
  if (!token) return null
  const isExpired = (times: { expiresAt: number } | null): boolean => !times || times.expiresAt * 1000 <= now
  if (kind !== 'm3u8') {
    return verifyUrlToken(token, segmentSubject(room, stream, file), ANYONE) && { room, stream, file, viewer: null }
  }
  const [claims = '', ...times] = token.split('.')
  if (isExpired(verifyUrlToken(times.join('.'), playlistSubject(claims), TOKEN_PURPOSE))) return null
  const [tenantId, claimedRoom, participant] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  return claimedRoom === room ? { room, stream, file, viewer: { tenantId, room, participant } } : null
}

const TOKEN_PURPOSE = 'hls'
const playlistSubject = (claims: string): string => `hls/${claims}`
const segmentSubject = (room: string, stream: string, file: string): string => `hls-file/${room}/${stream}/${file}`
