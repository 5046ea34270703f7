import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '../config/config.ts'
import type { IceServer } from '../config/ice-servers.ts'
import { Refusal } from '../http/refusal.ts'
import type { Endpoint, EndpointTools } from '../http/server.ts'
import { BROADCAST_PATH, endSession, hasOwnSfu, isRevoked, playStream, publishStream } from './broadcast.ts'
import { authorizeMediaMtx } from './mediamtx-auth.ts'
import type { StreamGuard } from './stream-guard.ts'
import { allowsAccess, type Direction, readStreamToken, verifyStreamToken } from './stream-token.ts'

const SDP = 'application/sdp'
const MAX_BODY_BYTES = 65_536
const NAME_PATTERN = '[\\w-]{1,100}'
const PATH_PATTERN = new RegExp(
  `^${BROADCAST_PATH}(whip|whep)/(${NAME_PATTERN})/(${NAME_PATTERN})(?:/(${NAME_PATTERN}))?$`,
)
const DIRECTIONS = { whip: 'publish', whep: 'play' } as const
// Requests may come from another origin of the installation: they are authorized by the token, without cookies.
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, if-match',
  'access-control-allow-methods': 'OPTIONS, POST, DELETE',
  'access-control-expose-headers': 'location, link, etag, accept-post, retry-after',
  'access-control-max-age': '86400',
}

interface Target {
  protocol: 'whip' | 'whep'
  direction: Direction
  room: string
  stream: string
  /** Id of an existing session. */
  resource: string | undefined
}

/**
 * Serves `/v1/broadcast/whip/<room>/<stream>` and `/whep/…` by WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep): POST an
 * offer with a token of signStreamToken, DELETE the session's Location. Trickle ICE and ICE restart are not supported: a
 * client that changes its network posts a new offer. Also serves `/v1/broadcast/verify`, see authorizeMediaMtx. `guard`
 * checks permissions that may have changed since the token was signed.
 */
export const broadcastEndpoint =
  (guard: StreamGuard): Endpoint =>
  async (request, response, tools) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (path === `${BROADCAST_PATH}verify`) return authorizeExternal(request, response, tools, guard)
    const target = parseTarget(path)
    if (!target || !hasOwnSfu()) return tools.refuse(404, 'not_found')
    for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value)
    const { method } = request
    if (method === 'OPTIONS') return respond(response, tools, 204, { 'accept-post': SDP })
    if (method === 'DELETE' && target.resource) return closeSession(request, response, tools, target)
    if (method === 'POST' && !target.resource) return openBroadcast(request, response, tools, target, guard)
    response.setHeader('allow', target.resource ? 'OPTIONS, DELETE' : 'OPTIONS, POST')
    tools.refuse(405, 'invalid')
  }

async function openBroadcast(
  request: IncomingMessage,
  response: ServerResponse,
  tools: EndpointTools,
  target: Target,
  guard: StreamGuard,
) {
  const verdict = verifyStreamToken(bearerToken(request), target, Date.now())
  if ('refused' in verdict) return refuseToken(response, tools, verdict.refused)
  if (!(await guard(verdict.claims))) return refuseToken(response, tools, 'forbidden')
  if (!/^application\/sdp\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    response.setHeader('accept-post', SDP)
    return tools.refuse(415, 'wrong_type')
  }
  const sdp = await readBody(request)
  if (sdp === null) return tools.refuse(413, 'too_large')
  const { room, stream, protocol } = target
  const { participant, issuedAt } = verdict.claims
  const offer = { room, stream, participant, sdp }
  try {
    const opened = await (target.direction === 'publish' ? publishStream(offer, issuedAt) : playStream(offer, issuedAt))
    // A client that disconnected before the answer cannot delete the session.
    if (response.destroyed) return void (await endSession(opened.resource))
    respond(
      response,
      tools,
      201,
      {
        'content-type': SDP,
        location: `${BROADCAST_PATH}${protocol}/${room}/${stream}/${opened.resource}`,
        etag: `"${opened.resource}"`,
        'accept-post': SDP,
        ...(config.iceServers.length > 0 && { link: config.iceServers.flatMap(iceServerLinks) }),
      },
      opened.sdp,
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 404 || error.code === 'broadcast_down') response.setHeader('retry-after', '1')
    const { reason } = error.details.data ?? {}
    if (typeof reason !== 'string') return tools.refuse(error.status, error.code)
    const body = JSON.stringify({ code: error.code, message: reason, fields: {} })
    respond(response, tools, error.status, { 'content-type': 'application/json' }, body)
  }
}

// An expired token is accepted, so that a page that is closed can always end its session.
async function closeSession(request: IncomingMessage, response: ServerResponse, tools: EndpointTools, target: Target) {
  const claims = readStreamToken(bearerToken(request) ?? '')
  if (!claims) return refuseToken(response, tools, 'unauthorized')
  if (!allowsAccess(claims, target)) return refuseToken(response, tools, 'forbidden')
  if (!(await endSession(target.resource ?? '', claims.participant))) return tools.refuse(404, 'not_found')
  respond(response, tools, 200, {})
}

async function authorizeExternal(
  request: IncomingMessage,
  response: ServerResponse,
  tools: EndpointTools,
  guard: StreamGuard,
) {
  if (request.method !== 'POST') return tools.refuse(405, 'invalid')
  const body = await readBody(request)
  if (body === null) return tools.refuse(413, 'too_large')
  const claims = authorizeMediaMtx(body, Date.now(), isRevoked)
  if (!claims || !(await guard(claims))) return tools.refuse(401, 'unauthorized')
  respond(response, tools, 204, {})
}

function refuseToken(response: ServerResponse, tools: EndpointTools, code: 'unauthorized' | 'forbidden'): void {
  if (code === 'unauthorized') response.setHeader('www-authenticate', 'Bearer')
  tools.refuse(code === 'unauthorized' ? 401 : 403, code)
}

function respond(
  response: ServerResponse,
  tools: EndpointTools,
  status: number,
  headers: Record<string, string | string[]>,
  body = '',
): void {
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...tools.headers, 'cache-control': 'no-store', ...headers, ...length }).end(body)
}

function parseTarget(path: string): Target | null {
  const [, protocol, room = '', stream = '', resource] = PATH_PATTERN.exec(path) ?? []
  if (protocol !== 'whip' && protocol !== 'whep') return null
  return { protocol, direction: DIRECTIONS[protocol], room, stream, resource }
}

function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Link headers with the ICE servers (RFC 9725, 4.6). */
function iceServerLinks({ urls, username, credential }: IceServer): string[] {
  const credentials =
    username === undefined ? '' : `; username="${username}"; credential="${credential}"; credential-type="password"`
  return urls.map((url) => `<${url}>; rel="ice-server"${credentials}`)
}
