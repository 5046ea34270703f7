import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { EndpointTools } from '../http/server.ts'
import { isKey } from './key.ts'
import { type MediaAddress, mediaTicket, readMediaPath } from './media-ticket.ts'
import { disposition, type SafeType, safeType } from './mime.ts'
import { isSame, rangeOf } from './range.ts'
import { REMEMBERED_SECONDS, type SessionCheck, SIGN_OUT_SECONDS } from './session-check.ts'
import type { ObjectStore } from './store.ts'
import { ANYONE } from './ticket.ts'
import { isSignedIn, viewersOf } from './viewer.ts'

/** Seconds that an address outside of this process lasts: nobody can take it back when its person signs out. */
const OUTSIDE_SECONDS = SIGN_OUT_SECONDS - REMEMBERED_SECONDS - 5
/** The same for what everybody may see. */
const PUBLIC_OUTSIDE_SECONDS = 300
// A document made of such bytes has no origin and can do nothing; a PDF viewer would not open in one.
const CAGE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Answers GET and HEAD of `/v1/media/<tenant>/<file>/<ticket>/<path>`: an original or something made of it, to whom the
 * ticket was signed, while their session lasts. Anything wrong is not found.
 */
export function mediaDoor(store: ObjectStore, check: SessionCheck) {
  return async (request: IncomingMessage, response: ServerResponse, tools: EndpointTools): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return tools.refuse(405, 'invalid')
    const [pathname = '', query = ''] = (request.url ?? '').split('?', 2)
    const asked = readMediaPath(pathname)
    const ticket = asked && mediaTicket(asked, viewersOf(request))
    const now = Math.floor(Date.now() / 1000)
    if (!asked || !ticket || ticket.expiresAt <= now) return tools.refuse(404, 'not_found')
    const isPublic = mediaTicket(asked, [ANYONE]) !== null
    if (!isPublic && !(await isSignedIn(request, asked.tenantId, check))) return tools.refuse(404, 'not_found')
    const wanted = wantedOf(asked, new URLSearchParams(query))
    if (!wanted) return tools.refuse(404, 'not_found')

    const { key, type, shownAs } = wanted
    const seconds = ticket.expiresAt - now
    const lasts = isPublic ? PUBLIC_OUTSIDE_SECONDS : OUTSIDE_SECONDS
    const outside =
      request.method === 'GET' && !isReadHere(key) && !wanted.isPlayed
        ? await store.signRead(key, { type, disposition: shownAs, seconds: lasts })
        : null
    if (outside !== null) {
      const headers = {
        Location: outside,
        'Cache-Control': `private, max-age=${Math.min(seconds, lasts - 10)}`,
      }
      return void response.writeHead(302, { ...tools.headers, ...headers, 'Content-Length': 0 }).end()
    }
    const found = await store.stat(key)
    if (!found) return tools.refuse(404, 'not_found')
    const headers = { ...tools.headers, ...mediaHeaders(type, shownAs), 'Cache-Control': lifetimeOf(key, seconds) }
    await send(store, key, found, request, response, headers)
  }
}

interface Wanted {
  key: string
  type: string
  shownAs: string
  /** By a media element, range after range. Browsers send all of them to where the first was redirected. */
  isPlayed: boolean
}

function wantedOf({ tenantId, fileId, path }: MediaAddress, query: URLSearchParams): Wanted | null {
  const original = /^original(?:\.([a-z0-9]{1,16}))?$/.exec(path)
  const key = original ? `${tenantId}/${fileId}` : `${tenantId}/${fileId}.made/${path}`
  if (!isKey(key)) return null
  const known: SafeType = safeType(original ? (original[1] ?? '') : path.slice(path.lastIndexOf('.') + 1))
  const shown = known.shown && !query.has('download')
  const isPlayed = original !== null && shown && /^(?:video|audio)\//.test(known.type)
  return { key, type: known.type, shownAs: disposition(shown, query.get('name')), isPlayed }
}

// Playlists name their pieces by relative addresses, which lead here and not to where an outside address would.
const isReadHere = (key: string): boolean => /\.(m3u8|vtt)$/.test(key)

// Playlists grow while resolutions are made.
const lifetimeOf = (key: string, seconds: number): string =>
  isReadHere(key) ? 'private, no-cache' : `private, max-age=${seconds}`

function mediaHeaders(type: string, shownAs: string): OutgoingHttpHeaders {
  return {
    'Content-Type': type,
    'Content-Disposition': shownAs,
    'Accept-Ranges': 'bytes',
    'Cross-Origin-Resource-Policy': 'same-site',
    'Referrer-Policy': 'no-referrer',
    ...(type !== 'application/pdf' && { 'Content-Security-Policy': CAGE }),
  }
}

async function send(
  store: ObjectStore,
  key: string,
  { size, tag }: { size: number; tag: string },
  request: IncomingMessage,
  response: ServerResponse,
  given: OutgoingHttpHeaders,
): Promise<void> {
  const etag = `"${tag}"`
  const headers = { ...given, ETag: etag }
  if (isSame(request.headers['if-none-match'], etag)) return void response.writeHead(304, headers).end()
  const condition = request.headers['if-range']
  const range = condition === undefined || condition === etag ? rangeOf(request.headers.range, size) : 'none'
  if (range === 'beyond') {
    return void response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end()
  }
  const part = range === 'none' ? { start: 0, end: size - 1 } : range
  const length = { 'Content-Length': part.end - part.start + 1 }
  const status = range === 'none' ? 200 : 206
  const more = range === 'none' ? length : { ...length, 'Content-Range': `bytes ${part.start}-${part.end}/${size}` }
  if (request.method === 'HEAD' || size === 0) return void response.writeHead(status, { ...headers, ...more }).end()
  response.writeHead(status, { ...headers, ...more })
  if (await store.pour(key, part, response)) response.end()
  else response.destroy()
}
