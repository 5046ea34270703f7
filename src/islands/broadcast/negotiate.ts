/*
 * WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep) for any server: one POST of an offer with all its candidates, one DELETE.
 */

export type TokenSource = string | (() => Promise<string>)

export interface NegotiationTarget {
  endpoint: string
  token: TokenSource
  signal?: AbortSignal
}

export interface NegotiatedSession {
  /** URL of the session; null when the server returned none. */
  resource: string | null
  /** Ends the session on the server, even while the page is being closed. */
  endSession(): void
}

export class NegotiationError extends Error {
  /** HTTP status, or 0 when the server was not reached. */
  readonly status: number
  /** Code of the refusal: `broadcast_full`, `not_found` …; NO_TOKEN; empty when the server sends none. */
  readonly code: string
  /** Delay before a retry, as stated by the server. */
  readonly retryAfterMs: number | null

  constructor(status: number, code: string, retryAfterMs: number | null = null) {
    super(`${status} ${code}`)
    this.name = 'NegotiationError'
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Code of a NegotiationError when no token could be fetched; the status is that of the token request. */
export const NO_TOKEN = 'no_token'

/** Whether a retry would have the same result. */
export const isLasting = ({ status }: NegotiationError): boolean =>
  status >= 400 && status < 500 && status !== 404 && status !== 408 && status !== 429

/** ICE gathering timeout: host candidates are available immediately, a TURN server that is down never responds. */
const GATHERING_TIMEOUT_MS = 700
const REQUEST_TIMEOUT_MS = 10_000

/**
 * Sends the offer of the connection and applies the answer. Throws NegotiationError, and the signal's reason when it is
 * aborted.
 */
export async function negotiate(
  connection: RTCPeerConnection,
  { endpoint, token: tokenSource, signal }: NegotiationTarget,
): Promise<NegotiatedSession> {
  await connection.setLocalDescription()
  const [token] = await Promise.all([resolveToken(tokenSource), waitForGathering(connection)])
  signal?.throwIfAborted()
  const authorization = { authorization: `Bearer ${token}` }
  const response = await postOffer(endpoint, connection.localDescription?.sdp ?? '', authorization, signal)
  const body = await response.text()
  if (response.status !== 201) throw negotiationError(response, body)
  storeIceServers(endpoint, response.headers.get('link'))
  const location = response.headers.get('location')
  const resource = location === null ? null : new URL(location, response.url).href
  const endSession = (): void => {
    // The response is ignored: the page may be closed by then.
    if (resource) void fetch(resource, { method: 'DELETE', headers: authorization, keepalive: true }).catch(() => {})
  }
  try {
    signal?.throwIfAborted()
    await connection.setRemoteDescription({ type: 'answer', sdp: body })
  } catch (error) {
    // The browser has abandoned the negotiation, but the server has a session.
    endSession()
    throw error
  }
  return { resource, endSession }
}

async function resolveToken(source: TokenSource): Promise<string> {
  if (typeof source === 'string') return source
  try {
    return await source()
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 0
    throw new NegotiationError(status, NO_TOKEN)
  }
}

const learnedServers = new Map<string, RTCIceServer[]>()

/** The ICE servers of the page, and those that the server returned with its last response (RFC 9725, 4.6). */
export const iceServersFor = (endpoint: string, given: readonly RTCIceServer[] = []): RTCIceServer[] => [
  ...given,
  ...(learnedServers.get(endpoint) ?? []),
]

/** ICE servers in a Link header. */
export function parseIceServers(link: string): RTCIceServer[] {
  return [...link.matchAll(/<([^<>]+)>((?:[^<"]|"[^"]*")*)/g)].flatMap(([, urls = '', rest = '']) => {
    const about = Object.fromEntries(
      [...rest.matchAll(/;\s*([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    if (about.rel !== 'ice-server') return []
    const { username, credential } = about
    return [{ urls, ...(username !== undefined && { username }), ...(credential !== undefined && { credential }) }]
  })
}

function storeIceServers(endpoint: string, link: string | null): void {
  if (link) learnedServers.set(endpoint, parseIceServers(link))
}

async function postOffer(
  endpoint: string,
  sdp: string,
  authorization: Record<string, string>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const late = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    return await fetch(endpoint, {
      method: 'POST',
      body: sdp,
      headers: { ...authorization, 'content-type': 'application/sdp' },
      signal: signal ? AbortSignal.any([late, signal]) : late,
    })
  } catch {
    signal?.throwIfAborted()
    throw new NegotiationError(0, '')
  }
}

function negotiationError(response: Response, body: string): NegotiationError {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new NegotiationError(response.status, readCode(body), Number.isFinite(after) ? after * 1000 : null)
}

function readCode(body: string): string {
  try {
    const { code } = JSON.parse(body)
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

function waitForGathering(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, GATHERING_TIMEOUT_MS)
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return
      clearTimeout(timer)
      resolve()
    })
  })
}
