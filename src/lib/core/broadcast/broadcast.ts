import { config } from '../config/config.ts'
import type { IceServer } from '../config/ice-servers.ts'
import { Refusal, type RefusalCode } from '../http/refusal.ts'
import { log } from '../log.ts'
import { onPeerMessage, sendToPeers } from '../processes/peers.ts'
import { trimEndOf } from '../shared/text/trim-end.ts'
import { createMediaProcess, type MediaProcess } from './media-process.ts'
import type { OutputCommand, OutputEvent } from './output-protocol.ts'
import {
  answerRemoteRequest,
  createRemoteMediaProcess,
  type RemoteRequest,
  type RemoteResponse,
} from './remote-media-process.ts'
import { createRevocationList, type DisconnectScope, RETENTION_MS } from './revocation-list.ts'
import type { OpenedSession, SfuFault, SfuStatus, StreamId, StreamOffer, StreamState } from './sfu/protocol.ts'
import type { Direction } from './stream-token.ts'

/*
 * Entry point for live streams of rooms: WHIP to publish, WHEP to play. Media is carried by a child process of the server,
 * the media process; with WHIP_URL and WHEP_URL by another media server, and then no child process is started.
 */

export const BROADCAST_PATH = '/v1/broadcast/'

/** Whether the media process of this installation forwards the streams. Recording and HLS require it. */
export const hasOwnSfu = (): boolean => config.whipUrl === undefined

/**
 * Initializes live streams and returns a function that stops them. The media process starts with the first stream, or
 * immediately with `startsNow`.
 */
export async function startBroadcast({ now: startsNow = false } = {}): Promise<() => Promise<void>> {
  if (startsNow && hasOwnSfu()) await sharedMediaProcess().start().catch(throwRefusal)
  return stopBroadcast
}

/**
 * Prevents this process from starting a media process: for a worker next to the server that runs it. Functions that need
 * the media process then refuse with `broadcast_down`.
 */
export function disableMediaProcess(): void {
  globalThis.kafedraMediaProcessDisabled = true
}

/**
 * Lets a web process use the media process of the main process: `send` sends it a request. Returns the function that
 * processes its responses.
 */
export function connectRemoteMediaProcess(send: (request: RemoteRequest) => void): (response: RemoteResponse) => void {
  const remote = createRemoteMediaProcess(send)
  globalThis.kafedraMediaProcess = remote
  return remote.receive
}

/** The response of the media process to a request of a web process. */
export const answerWebProcess = (request: RemoteRequest): Promise<RemoteResponse> =>
  answerRemoteRequest(sharedMediaProcess(), request)

export async function stopBroadcast(): Promise<void> {
  const mediaProcess = globalThis.kafedraMediaProcess
  globalThis.kafedraMediaProcess = undefined
  await mediaProcess?.close()
}

/**
 * Opens a publisher for an SDP offer; returns the answer and the id of the session. A later publisher of the same stream
 * takes over its subscribers. `issuedAt` (seconds since 1970) is the issue time of the token. Refuses `invalid`,
 * `unprocessable` (no common codec), `broadcast_down`, and `forbidden` when the participant was disconnected since then.
 */
export const publishStream = (offer: StreamOffer, issuedAt = Number.POSITIVE_INFINITY): Promise<OpenedSession> =>
  openSession('publish', offer, issuedAt, () => requireMediaProcess().request({ op: 'publish', ...offer }))

/** Opens a subscriber. Refuses as `publishStream` does, and `not_found` (not published), `broadcast_full`. */
export const playStream = (offer: StreamOffer, issuedAt = Number.POSITIVE_INFINITY): Promise<OpenedSession> =>
  openSession('play', offer, issuedAt, () => requireMediaProcess().request({ op: 'play', ...offer }))

/** Ends a session, with `participant` only one of that participant. False when there is no such session. */
export async function endSession(resource: string, participant: string | null = null): Promise<boolean> {
  if (!isRunning()) return false
  return (await requireMediaProcess().request({ op: 'endSession', resource, participant }).catch(throwRefusal)).ended
}

/**
 * Ends the sessions of a participant in a room, or those in `scope`, and revokes tokens issued so far: they open no new
 * session, and an offer that is being answered is refused. Returns the number of ended sessions.
 */
export async function disconnectParticipant(
  room: string,
  participant: string,
  scope: DisconnectScope = {},
): Promise<number> {
  const revokedAt = Date.now()
  revocations().revoke({ room, participant }, scope, revokedAt)
  sendToPeers('stream.revoked', { participant: { room, participant }, scope, revokedAt }, { keepMs: RETENTION_MS })
  if (!isRunning()) return 0
  const { isPublishingOnly = false, stream = null } = scope
  return (
    await requireMediaProcess()
      .request({ op: 'disconnect', room, participant, isPublishingOnly, stream })
      .catch(throwRefusal)
  ).ended
}

/** Ends all sessions of a room. Returns their number. */
export async function closeRoom(room: string): Promise<number> {
  if (!isRunning()) return 0
  return (await requireMediaProcess().request({ op: 'closeRoom', room }).catch(throwRefusal)).ended
}

/** Whether a token issued at `issuedAt` (seconds since 1970) is revoked, for another media server. */
export const isRevoked = (access: Parameters<RevocationList['isRevoked']>[0], issuedAt: number): boolean =>
  revocations().isRevoked(access, issuedAt)

/** Current streams and load; null when the media process does not run. */
export async function getSfuStatus(): Promise<SfuStatus | null> {
  return isRunning() ? requireMediaProcess().request({ op: 'status' }).catch(throwRefusal) : null
}

/**
 * Calls the listener when a publisher starts or ends a stream, also when the media process ends: clients then have to
 * reconnect. Never called with another media server. Returns a function that removes the listener.
 */
export const onStreamState = (listener: (state: StreamState) => void): (() => void) =>
  sharedMediaProcess().onStreamState(listener)

/**
 * Calls the listener when a subscriber cannot decode a stream but could decode a companion (see companion.ts): once for
 * each attempt of the subscriber.
 */
export const onCodecMissing = (listener: (stream: StreamId) => void): (() => void) =>
  sharedMediaProcess().onCodecMissing(listener)

/** Sends a command to recording and HLS (see OutputCommand). It survives a restart of the media process. Refuses `broadcast_down`. */
export const sendOutputCommand = async (command: OutputCommand): Promise<Record<string, unknown>> =>
  requireMediaProcess().sendOutputCommand(command).catch(throwRefusal)

export const onOutputEvent = (listener: (event: OutputEvent) => void): (() => void) =>
  sharedMediaProcess().onOutputEvent(listener)

/** Process id and UDP port of the media process. */
export const mediaProcessInfo = (): { pid: number | null; port: number } => ({
  pid: sharedMediaProcess().pid(),
  port: sharedMediaProcess().port(),
})

export interface Endpoints {
  whip: string
  whep: string
  iceServers: readonly IceServer[]
}

/** WHIP and WHEP addresses of a stream: paths of this host, or URLs of another media server. */
export function streamEndpoints(room: string, stream: string): Endpoints {
  return {
    whip: expandEndpoint(config.whipUrl ?? `${BROADCAST_PATH}whip`, room, stream),
    whep: expandEndpoint(config.whepUrl ?? `${BROADCAST_PATH}whep`, room, stream),
    iceServers: config.iceServers,
  }
}

/** Replaces `{room}` and `{stream}` in a pattern; appends both when the pattern has no placeholder. */
export function expandEndpoint(pattern: string, room: string, stream: string): string {
  const names = [encodeURIComponent(room), encodeURIComponent(stream)] as const
  if (!pattern.includes('{stream}')) return `${trimEndOf(pattern, '/')}/${names.join('/')}`
  return pattern.replaceAll('{room}', names[0]).replaceAll('{stream}', names[1])
}

// The bundle of the pages and the HTTP server load this file twice in one process; they share one media process.
declare global {
  var kafedraMediaProcess: MediaProcess | undefined
  var kafedraMediaProcessDisabled: boolean | undefined
  var kafedraStreamRevocations: RevocationList | undefined
}

type RevocationList = ReturnType<typeof createRevocationList>

// Stored outside the media process, which may be restarted.
function revocations(): RevocationList {
  if (globalThis.kafedraStreamRevocations) return globalThis.kafedraStreamRevocations
  const list = createRevocationList()
  globalThis.kafedraStreamRevocations = list
  onPeerMessage('stream.revoked', ({ participant, scope, revokedAt }) => list.revoke(participant, scope, revokedAt))
  return list
}

async function openSession(
  direction: Direction,
  { room, participant, stream }: StreamOffer,
  issuedAt: number,
  request: () => Promise<OpenedSession>,
): Promise<OpenedSession> {
  const isDenied = () => revocations().isRevoked({ room, participant, stream, direction }, issuedAt)
  if (isDenied()) throw new Refusal('forbidden')
  const opened = await request().catch(throwRefusal)
  if (!isDenied()) return opened
  await endSession(opened.resource)
  throw new Refusal('forbidden')
}

function sharedMediaProcess(): MediaProcess {
  globalThis.kafedraMediaProcess ??= createMediaProcess(config.broadcast, (reason) =>
    log.warn({ reason }, 'the media process reported a problem'),
  )
  return globalThis.kafedraMediaProcess
}

function requireMediaProcess(): MediaProcess {
  if (!hasOwnSfu()) throw new Refusal('not_found')
  if (globalThis.kafedraMediaProcessDisabled) throw new Refusal('broadcast_down')
  return sharedMediaProcess()
}

const isRunning = (): boolean => hasOwnSfu() && globalThis.kafedraMediaProcess?.pid() != null

const REFUSAL_CODES: Record<SfuFault, RefusalCode> = {
  invalid: 'invalid',
  unprocessable: 'unprocessable',
  notPublished: 'not_found',
  full: 'broadcast_full',
  failed: 'broadcast_down',
}

function throwRefusal(error: Error & { fault?: SfuFault }): never {
  if (!error.fault) throw error
  if (error.fault === 'failed') log.warn({ reason: error.message }, 'the media process failed')
  const hasReason = error.fault === 'invalid' || error.fault === 'unprocessable'
  throw new Refusal(REFUSAL_CODES[error.fault], hasReason ? { data: { reason: error.message } } : {})
}
