import { config } from '../config/config.ts'
import type { IceServer } from '../config/ice-servers.ts'
import { Refusal, type RefusalCode } from '../http/refusal.ts'
import { log } from '../log.ts'
import { trimEndOf } from '../shared/text/trim-end.ts'
import { type Expulsion, rememberExpelled } from './expelled.ts'
import { openPlane, type Plane } from './plane.ts'
import type { Fault, Opened, Status, StreamName, StreamTold, Wish } from './sfu/protocol.ts'
import type { Direction } from './stream-ticket.ts'
import type { TapNews, TapOrder } from './tap/tapped.ts'

/*
 * The front of the media plane for rooms: WHIP to publish, WHEP to play. By default it is carried by a child process of
 * this one; with WHIP_URL and WHEP_URL by another server, and then nothing is ever started here.
 */

export const BROADCAST_DOOR = '/v1/broadcast/'

/** Whether this installation's own child carries streams. Recording and HLS are possible then only. */
export const isOurs = (): boolean => config.whipUrl === undefined

/**
 * Makes the media plane ready and gives its closer. The child itself begins with the first who publishes or plays, or
 * at once with `now`.
 */
export async function startBroadcast({ now = false } = {}): Promise<() => Promise<void>> {
  if (now && isOurs()) await shared().begin().catch(refuse)
  return stopBroadcast
}

/**
 * This process carries nothing and starts no child: a worker beside the server that does. What would need the child is
 * refused with `broadcast_down`.
 */
export function leaveBroadcast(): void {
  globalThis.kafedraBroadcastLeft = true
}

export async function stopBroadcast(): Promise<void> {
  const plane = globalThis.kafedraBroadcast
  globalThis.kafedraBroadcast = undefined
  await plane?.close()
}

/**
 * Takes an offer of a stream and gives the answer and the name of the session. Whoever publishes the same stream later
 * takes its place and its viewers. `issued` (seconds since 1970) is when the person was let in. Refuses `invalid`,
 * `unprocessable` (no codec in common), `broadcast_down`, and `forbidden` to who was expelled since `issued`.
 */
export const publish = (wish: Wish, issued = Number.POSITIVE_INFINITY): Promise<Opened> =>
  admit('publish', wish, issued, () => own().ask({ op: 'publish', ...wish }))

/** Answers the offer of a viewer. Refuses as `publish` does, and `not_found` (nobody publishes), `broadcast_full`. */
export const play = (wish: Wish, issued = Number.POSITIVE_INFINITY): Promise<Opened> =>
  admit('play', wish, issued, () => own().ask({ op: 'play', ...wish }))

/** Ends a session, if a person is given only that person's; false when there is none of that name. */
export async function end(resource: string, person: string | null = null): Promise<boolean> {
  if (!isRunning()) return false
  return (await own().ask({ op: 'end', resource, person }).catch(refuse)).ended
}

/**
 * Ends all that a person publishes and plays in a room, or the part that is named; tells how many sessions it were. Who
 * was let in before begins none again: not with the ticket in hand, nor with an offer that is being answered.
 */
export async function expel(room: string, person: string, part: Expulsion = {}): Promise<number> {
  expelled().note({ room, person }, part, Date.now())
  if (!isRunning()) return 0
  const { publishing = false, stream = null } = part
  return (await own().ask({ op: 'expel', room, person, publishing, stream }).catch(refuse)).ended
}

/** Ends all that is published and played in a room, when it is over; tells how many sessions it were. */
export async function clearRoom(room: string): Promise<number> {
  if (!isRunning()) return 0
  return (await own().ask({ op: 'clear', room }).catch(refuse)).ended
}

/** Whether somebody who was let in then (`issued`, seconds since 1970) was expelled since: for another server to ask. */
export const isExpelled = (act: Parameters<Expelled['isOut']>[0], issued: number): boolean =>
  expelled().isOut(act, issued)

/** What is carried now; null when another server carries it, or nothing has begun yet. */
export async function status(): Promise<Status | null> {
  return isRunning() ? own().ask({ op: 'status' }).catch(refuse) : null
}

/**
 * Tells of streams that come up and go down, also by an end of the child: then clients of those streams shall publish
 * and play anew. With another server nothing is told. Gives the way to stop listening.
 */
export const onStream = (listener: (told: StreamTold) => void): (() => void) => shared().onStream(listener)

/**
 * Tells of a viewer who cannot decode a stream and could if its publisher added a companion (see companion.ts). May be told
 * once for each try of each such viewer.
 */
export const onCodecMissing = (listener: (stream: StreamName) => void): (() => void) =>
  shared().onCodecMissing(listener)

/** Gives an order to the taps (see TapOrder), which outlives the child. Refuses `broadcast_down`. */
export const order = async (wanted: TapOrder): Promise<Record<string, unknown>> => own().order(wanted).catch(refuse)

export const onTapNews = (listener: (news: TapNews) => void): (() => void) => shared().onNews(listener)

/** The child's number and port, for doctor and tests. */
export const running = (): { pid: number | null; port: number } => ({ pid: shared().pid(), port: shared().port() })

export interface Endpoints {
  whip: string
  whep: string
  iceServers: readonly IceServer[]
}

/** Where a stream of a room is published to and played from: paths of this host, or URLs of the other server. */
export function endpoints(room: string, stream: string): Endpoints {
  return {
    whip: addressed(config.whipUrl ?? `${BROADCAST_DOOR}whip`, room, stream),
    whep: addressed(config.whepUrl ?? `${BROADCAST_DOOR}whep`, room, stream),
    iceServers: config.iceServers,
  }
}

/** An endpoint with its room and stream where its pattern wants them, else at its end. */
export function addressed(pattern: string, room: string, stream: string): string {
  const named = [encodeURIComponent(room), encodeURIComponent(stream)] as const
  if (!pattern.includes('{stream}')) return `${trimEndOf(pattern, '/')}/${named.join('/')}`
  return pattern.replaceAll('{room}', named[0]).replaceAll('{stream}', named[1])
}

// The pages and the front are two copies of this file in one process; the child is one.
declare global {
  var kafedraBroadcast: Plane | undefined
  var kafedraBroadcastLeft: boolean | undefined
  var kafedraBroadcastExpelled: Expelled | undefined
}

type Expelled = ReturnType<typeof rememberExpelled>

// Kept here and not in the child, which may die.
function expelled(): Expelled {
  globalThis.kafedraBroadcastExpelled ??= rememberExpelled()
  return globalThis.kafedraBroadcastExpelled
}

async function admit(
  direction: Direction,
  { room, person, stream }: Wish,
  issued: number,
  ask: () => Promise<Opened>,
): Promise<Opened> {
  const isOut = () => expelled().isOut({ room, person, stream, direction }, issued)
  if (isOut()) throw new Refusal('forbidden')
  const opened = await ask().catch(refuse)
  if (!isOut()) return opened
  await end(opened.resource)
  throw new Refusal('forbidden')
}

function shared(): Plane {
  globalThis.kafedraBroadcast ??= openPlane(config.broadcast, (why) => log.warn({ why }, 'media plane'))
  return globalThis.kafedraBroadcast
}

function own(): Plane {
  if (!isOurs()) throw new Refusal('not_found')
  if (globalThis.kafedraBroadcastLeft) throw new Refusal('broadcast_down')
  return shared()
}

const isRunning = (): boolean => isOurs() && globalThis.kafedraBroadcast?.pid() != null

const CODES: Record<Fault, RefusalCode> = {
  invalid: 'invalid',
  unfit: 'unprocessable',
  absent: 'not_found',
  full: 'broadcast_full',
  failed: 'broadcast_down',
}

function refuse(error: Error & { fault?: Fault }): never {
  if (!error.fault) throw error
  if (error.fault === 'failed') log.warn({ why: error.message }, 'media plane')
  const tellReason = error.fault === 'invalid' || error.fault === 'unfit'
  throw new Refusal(CODES[error.fault], tellReason ? { data: { reason: error.message } } : {})
}
