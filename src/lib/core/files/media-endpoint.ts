import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { keyedDigest } from '../encryption.ts'
import type { EndpointTools } from '../http/server.ts'
import { isKey } from './key.ts'
import { type MediaAddress, parseMediaPath, verifyMediaToken } from './media-url.ts'
import { contentDisposition, type SafeType, safeType } from './mime.ts'
import { matchesEtag, parseRange } from './range.ts'
import { CACHE_TTL_SECONDS, type SessionCheck, SIGN_OUT_SECONDS } from './session-check.ts'
import type { ObjectStore } from './store.ts'
import { isSignedIn, tokenHolders } from './token-holders.ts'
import { ANYONE } from './url-token.ts'

/** Lifetime in seconds of a signed S3 URL, which cannot be revoked when its user signs out. */
const SIGNED_URL_TTL_SECONDS = SIGN_OUT_SECONDS - CACHE_TTL_SECONDS - 5
/** The same for public files. */
const PUBLIC_URL_TTL_SECONDS = 300
// Uploaded documents get no origin and no scripts. PDF viewers do not open in a sandbox.
const SANDBOX_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Serves GET and HEAD of `/v1/media/<tenant>/<file>/<token>/<path>`: an original or a derived file, to the holder of
 * the token while the login session is valid. Invalid requests are 404.
 */
export function mediaEndpoint(store: ObjectStore, check: SessionCheck) {
  return async (request: IncomingMessage, response: ServerResponse, tools: EndpointTools): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return tools.refuse(405, 'invalid')
    const [pathname = '', query = ''] = (request.url ?? '').split('?', 2)
    const address = parseMediaPath(pathname)
    const times = address && verifyMediaToken(address, tokenHolders(request))
    const now = Math.floor(Date.now() / 1000)
    if (!address || !times || times.expiresAt <= now) return tools.refuse(404, 'not_found')
    const isPublic = verifyMediaToken(address, [ANYONE]) !== null
    if (!isPublic && !(await isSignedIn(request, address.tenantId, check))) return tools.refuse(404, 'not_found')
    const object = requestedObject(address, new URLSearchParams(query))
    if (!object) return tools.refuse(404, 'not_found')

    const { key, type, contentDisposition } = object
    const seconds = times.expiresAt - now
    const ttlSeconds = isPublic ? PUBLIC_URL_TTL_SECONDS : SIGNED_URL_TTL_SECONDS
    const signedUrl =
      request.method === 'GET' && !isServedHere(key) && !object.isMedia && !address.isHidden
        ? await store.signRead(key, { type, disposition: contentDisposition, seconds: ttlSeconds })
        : null
    if (signedUrl !== null) {
      const headers = {
        Location: signedUrl,
        'Cache-Control': `private, max-age=${Math.min(seconds, ttlSeconds - 10)}`,
      }
      return void response.writeHead(302, { ...tools.headers, ...headers, 'Content-Length': 0 }).end()
    }
    const found = await store.stat(key)
    if (!found) return tools.refuse(404, 'not_found')
    // The tag may contain the time of the upload.
    const stats = address.isHidden ? { ...found, tag: hiddenTag(found.tag) } : found
    const headers = {
      ...tools.headers,
      ...mediaHeaders(type, contentDisposition),
      'Cache-Control': cacheControl(key, seconds),
    }
    await sendObject(store, key, stats, request, response, headers)
  }
}

const hiddenTag = (tag: string): string => keyedDigest('hidden-tag', tag).toString('base64url').slice(0, 22)

interface RequestedObject {
  key: string
  type: string
  contentDisposition: string
  /**
   * Played by a media element in ranges. Browsers send all of them to the target of the first redirect, which would
   * expire.
   */
  isMedia: boolean
}

function requestedObject({ tenantId, fileId, path }: MediaAddress, query: URLSearchParams): RequestedObject | null {
  const original = /^original(?:\.([a-z0-9]{1,16}))?$/.exec(path)
  const key = original ? `${tenantId}/${fileId}` : `${tenantId}/${fileId}.made/${path}`
  if (!isKey(key)) return null
  const safe: SafeType = safeType(original ? (original[1] ?? '') : path.slice(path.lastIndexOf('.') + 1))
  const isInline = safe.isInline && !query.has('download')
  const isMedia = original !== null && isInline && /^(?:video|audio)\//.test(safe.type)
  return { key, type: safe.type, contentDisposition: contentDisposition(isInline, query.get('name')), isMedia }
}

// Playlists name segments by relative URLs, which have to resolve to this endpoint and not to a signed S3 URL.
const isServedHere = (key: string): boolean => /\.(m3u8|vtt)$/.test(key)

// Playlists grow while renditions are encoded.
const cacheControl = (key: string, seconds: number): string =>
  isServedHere(key) ? 'private, no-cache' : `private, max-age=${seconds}`

function mediaHeaders(type: string, shownAs: string): OutgoingHttpHeaders {
  return {
    'Content-Type': type,
    'Content-Disposition': shownAs,
    'Accept-Ranges': 'bytes',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Referrer-Policy': 'no-referrer',
    ...(type !== 'application/pdf' && { 'Content-Security-Policy': SANDBOX_POLICY }),
  }
}

async function sendObject(
  store: ObjectStore,
  key: string,
  { size, tag }: { size: number; tag: string },
  request: IncomingMessage,
  response: ServerResponse,
  baseHeaders: OutgoingHttpHeaders,
): Promise<void> {
  const etag = `"${tag}"`
  const headers = { ...baseHeaders, ETag: etag }
  if (matchesEtag(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end()
  const condition = request.headers['if-range']
  const range = condition === undefined || condition === etag ? parseRange(request.headers.range, size) : 'none'
  if (range === 'beyond') {
    return void response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end()
  }
  const part = range === 'none' ? { start: 0, end: size - 1 } : range
  const length = { 'Content-Length': part.end - part.start + 1 }
  const status = range === 'none' ? 200 : 206
  const rangeHeaders =
    range === 'none' ? length : { ...length, 'Content-Range': `bytes ${part.start}-${part.end}/${size}` }
  if (request.method === 'HEAD' || size === 0)
    return void response.writeHead(status, { ...headers, ...rangeHeaders }).end()
  response.writeHead(status, { ...headers, ...rangeHeaders })
  if (await store.pipeTo(key, part, response)) response.end()
  else response.destroy()
}
