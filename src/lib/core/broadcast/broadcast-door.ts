import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '../config/config.ts'
import type { IceServer } from '../config/ice-servers.ts'
import { Refusal } from '../http/refusal.ts'
import type { Door, DoorTools } from '../http/server.ts'
import { BROADCAST_DOOR, end, isExpelled, isOurs, play, publish } from './broadcast.ts'
import { verified } from './sfu/stream-verify.ts'
import type { StreamGuard } from './stream-guard.ts'
import { type Direction, judgeStream, opens, readStream } from './stream-ticket.ts'

const SDP = 'application/sdp'
const MOST = 65_536
const NAME = '[\\w-]{1,100}'
const ADDRESS = new RegExp(`^${BROADCAST_DOOR}(whip|whep)/(${NAME})/(${NAME})(?:/(${NAME}))?$`)
const DIRECTIONS = { whip: 'publish', whep: 'play' } as const
// A browser may come from another host of the installation; the token says all, and no cookie is asked for.
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, if-match',
  'access-control-allow-methods': 'OPTIONS, POST, DELETE',
  'access-control-expose-headers': 'location, link, etag, accept-post, retry-after',
  'access-control-max-age': '86400',
}

interface Target {
  door: 'whip' | 'whep'
  direction: Direction
  room: string
  stream: string
  /** Of a session that was opened here. */
  resource: string | undefined
}

/**
 * Answers `/v1/broadcast/whip/<room>/<stream>` and `/whep/…` by WHIP (RFC 9725) and WHEP
 * (draft-ietf-wish-whep): POST an offer with a token of signStream, DELETE what its Location named. No trickling and no
 * ICE restart: a client that moves to another network posts again. And `/v1/broadcast/verify`, see verified. Besides the
 * token `guard` decides, since what a token allows may have changed after it was signed.
 */
export const broadcastDoor =
  (guard: StreamGuard): Door =>
  async (request, response, tools) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (path === `${BROADCAST_DOOR}verify`) return verify(request, response, tools, guard)
    const target = targetOf(path)
    if (!target || !isOurs()) return tools.refuse(404, 'not_found')
    for (const [name, value] of Object.entries(OPEN)) response.setHeader(name, value)
    const { method } = request
    if (method === 'OPTIONS') return tell(response, tools, 204, { 'accept-post': SDP })
    if (method === 'DELETE' && target.resource) return close(request, response, tools, target)
    if (method === 'POST' && !target.resource) return open(request, response, tools, target, guard)
    response.setHeader('allow', target.resource ? 'OPTIONS, DELETE' : 'OPTIONS, POST')
    tools.refuse(405, 'invalid')
  }

async function open(
  request: IncomingMessage,
  response: ServerResponse,
  tools: DoorTools,
  target: Target,
  guard: StreamGuard,
) {
  const verdict = judgeStream(bearer(request), target, Date.now())
  if ('refused' in verdict) return turnAway(response, tools, verdict.refused)
  if (!(await guard(verdict.claims))) return turnAway(response, tools, 'forbidden')
  if (!/^application\/sdp\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    response.setHeader('accept-post', SDP)
    return tools.refuse(415, 'wrong_type')
  }
  const sdp = await bodyOf(request)
  if (sdp === null) return tools.refuse(413, 'too_large')
  const { room, stream, door } = target
  const { person, issued } = verdict.claims
  const wish = { room, stream, person, sdp }
  try {
    const opened = await (target.direction === 'publish' ? publish(wish, issued) : play(wish, issued))
    // Whoever went away meanwhile cannot end what they never heard of.
    if (response.destroyed) return void (await end(opened.resource))
    tell(
      response,
      tools,
      201,
      {
        'content-type': SDP,
        location: `${BROADCAST_DOOR}${door}/${room}/${stream}/${opened.resource}`,
        etag: `"${opened.resource}"`,
        'accept-post': SDP,
        ...(config.iceServers.length > 0 && { link: config.iceServers.flatMap(linksOf) }),
      },
      opened.sdp,
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 404 || error.code === 'broadcast_down') response.setHeader('retry-after', '1')
    const { reason } = error.details.data ?? {}
    if (typeof reason !== 'string') return tools.refuse(error.status, error.code)
    const body = JSON.stringify({ code: error.code, message: reason, fields: {} })
    tell(response, tools, error.status, { 'content-type': 'application/json' }, body)
  }
}

// A page that goes away ends its session even when its token has run out meanwhile.
async function close(request: IncomingMessage, response: ServerResponse, tools: DoorTools, target: Target) {
  const claims = readStream(bearer(request) ?? '')
  if (!claims) return turnAway(response, tools, 'unauthorized')
  if (!opens(claims, target)) return turnAway(response, tools, 'forbidden')
  if (!(await end(target.resource ?? '', claims.person))) return tools.refuse(404, 'not_found')
  tell(response, tools, 200, {})
}

async function verify(request: IncomingMessage, response: ServerResponse, tools: DoorTools, guard: StreamGuard) {
  if (request.method !== 'POST') return tools.refuse(405, 'invalid')
  const body = await bodyOf(request)
  if (body === null) return tools.refuse(413, 'too_large')
  const claims = verified(body, Date.now(), isExpelled)
  if (!claims || !(await guard(claims))) return tools.refuse(401, 'unauthorized')
  tell(response, tools, 204, {})
}

function turnAway(response: ServerResponse, tools: DoorTools, code: 'unauthorized' | 'forbidden'): void {
  if (code === 'unauthorized') response.setHeader('www-authenticate', 'Bearer')
  tools.refuse(code === 'unauthorized' ? 401 : 403, code)
}

function tell(
  response: ServerResponse,
  tools: DoorTools,
  status: number,
  headers: Record<string, string | string[]>,
  body = '',
): void {
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...tools.headers, 'cache-control': 'no-store', ...headers, ...length }).end(body)
}

function targetOf(path: string): Target | null {
  const [, door, room = '', stream = '', resource] = ADDRESS.exec(path) ?? []
  if (door !== 'whip' && door !== 'whep') return null
  return { door, direction: DIRECTIONS[door], room, stream, resource }
}

function bearer(request: IncomingMessage): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length > MOST) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** RFC 9725, 4.6. */
function linksOf({ urls, username, credential }: IceServer): string[] {
  const secret =
    username === undefined ? '' : `; username="${username}"; credential="${credential}"; credential-type="password"`
  return urls.map((url) => `<${url}>; rel="ice-server"${secret}`)
}
