import type { ServerResponse } from 'node:http'
import { Refusal } from '../http/refusal.ts'
import type { Actor } from '../shared/actor.ts'
import type { Verdict } from '../shared/verdict.ts'
import { join, leave, listen } from './hub.ts'
import { reserveStream } from './limits.ts'
import { type Caller, openBody, type Stream } from './stream.ts'

/**
 * Which channels there are: the word before the first colon to who may listen. `rest` is what stands behind the colon,
 * split at further colons. A stranger's thing is refused with `not_found`, everything else by verdict.
 */
export type Channels = Record<
  string,
  { maySubscribe(actor: Actor, rest: readonly string[]): Verdict | Promise<Verdict> }
>

const CHANNEL = /^[a-z][A-Za-z0-9-]*(:[A-Za-z0-9._-]{1,64}){0,3}$/
const MOST_CHANNELS = 20

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}

/**
 * Answers `?channels=a,b` with a stream of events that stays open; resumes after `Last-Event-ID` or `?lastEventId`.
 * `response` is node's own, for the short way to the connection.
 * Refuses with unauthorized, invalid, not_found (no such channel), forbidden or too_many, before the stream begins.
 */
export async function answerLive(
  request: Request,
  actor: Actor | null,
  registry: Channels,
  { response, address = null }: Pick<LiveOptions, 'response' | 'address'> = {},
): Promise<Response> {
  if (!actor) throw new Refusal('unauthorized')
  const query = new URL(request.url).searchParams
  const channels = [...new Set(query.get('channels')?.split(','))]
  if (channels.length === 0 || channels.length > MOST_CHANNELS || !channels.every((name) => CHANNEL.test(name)))
    throw new Refusal('invalid', { fields: { channels: ['format'] } })
  for (const name of channels) await authorise(actor, name, registry)
  return openLive(request, actor, channels, { response, address })
}

export interface LiveOptions {
  /** Node's own, for the short way to the connection. */
  response?: ServerResponse | undefined
  /** The caller's, against which open streams are counted. */
  address?: string | null
  /** The stream is there. */
  opened?: () => void
  /** It begins to hear: what is said from now on reaches it, what was said before need not. */
  ready?: () => void
  /** It is gone, whoever ended it: once for each that was opened. */
  closed?: () => void
}

/** The same for who was let in by other means than a session; `channels` are taken as they are. */
export async function openLive(
  request: Request,
  caller: Caller,
  channels: readonly string[],
  { response, address = null, opened, ready, closed }: LiveOptions = {},
): Promise<Response> {
  await listen()
  const query = new URL(request.url).searchParams
  const resume = resumeOf(request.headers.get('last-event-id') ?? query.get('lastEventId'))
  if (request.signal.aborted) return new Response(null, { status: 499 })
  const release = reserveStream(caller.sessionId, address)
  // Its client may go before anybody reads the body.
  request.signal.addEventListener('abort', release, { once: true })
  const over = () => {
    release()
    closed?.()
  }
  const open = (stream: Stream) => {
    join(Object.assign(stream, { closed: over, ...(ready && { ready }) }))
    opened?.()
  }
  const hooks = { open, leave, unopened: release }
  return new Response(openBody(caller, channels, resume, hooks, response), { headers: HEADERS })
}

async function authorise(actor: Actor, name: string, registry: Channels): Promise<void> {
  const [prefix = '', ...rest] = name.split(':')
  const rule = Object.hasOwn(registry, prefix) ? registry[prefix] : undefined
  if (!rule) throw new Refusal('not_found')
  const { allow } = await rule.maySubscribe(actor, rest)
  if (!allow) throw new Refusal('forbidden')
}

// An id that is none gets word to load the state anew, as one that is too old does.
function resumeOf(given: string | null): number | null {
  if (!given) return null
  return /^\d{1,15}$/.test(given) ? Number(given) : -1
}
