import type { ServerResponse } from 'node:http'
import { Refusal } from '../http/refusal.ts'
import type { Actor } from '../shared/actor.ts'
import type { Verdict } from '../shared/verdict.ts'
import { addStream, removeStream, startListening } from './hub.ts'
import { reserveStream } from './limits.ts'
import { createStreamBody, type LiveUpdateStream, type StreamOwner } from './stream.ts'

/**
 * The channels by the prefix before the first colon, with their permission. `rest` is the part after it, split at further
 * colons. A channel of another tenant's object is refused with `not_found`, other refusals are verdicts.
 */
export type Channels = Record<
  string,
  { canSubscribe(actor: Actor, rest: readonly string[]): Subscription | Promise<Subscription> }
>

/** `until`: when the permission ends; the stream ends then, so that the client is authorized again. */
export type Subscription = Verdict & { until?: Date | null }

const CHANNEL = /^[a-z][A-Za-z0-9-]*(:[A-Za-z0-9._-]{1,64}){0,3}$/
const MAX_CHANNELS = 20

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
}

/**
 * Handles `?channels=a,b`: a stream of events that stays open and resumes after `Last-Event-ID` or `?lastEventId`.
 * `response` is Node's response, for writing to the socket directly.
 * Refuses with unauthorized, invalid, not_found (no such channel), forbidden or too_many, before the stream begins.
 */
export async function handleLiveRequest(
  request: Request,
  actor: Actor | null,
  registry: Channels,
  { response, address = null }: Pick<LiveOptions, 'response' | 'address'> = {},
): Promise<Response> {
  if (!actor) throw new Refusal('unauthorized')
  const query = new URL(request.url).searchParams
  const channels = [...new Set(query.get('channels')?.split(','))]
  if (channels.length === 0 || channels.length > MAX_CHANNELS || !channels.every((name) => CHANNEL.test(name)))
    throw new Refusal('invalid', { fields: { channels: ['format'] } })
  let until = Number.POSITIVE_INFINITY
  for (const name of channels) until = Math.min(until, await authorize(actor, name, registry))
  return openLiveStream(request, actor, channels, { response, address, until })
}

export interface LiveOptions {
  /** Node's response, for writing to the socket directly. */
  response?: ServerResponse | undefined
  /** The client's IP address, against which open streams are counted. */
  address?: string | null
  /** When it ends at the latest, in milliseconds since 1970. */
  until?: number
  /** The stream was opened. */
  opened?: () => void
  /** The stream was started: it receives every event that is published from now on. */
  ready?: () => void
  /** The stream was closed by either side; called once for each opened stream. */
  closed?: () => void
}

/** Opens a stream without a permission check, for callers that are authorized by other means than a login session. */
export async function openLiveStream(
  request: Request,
  owner: StreamOwner,
  channels: readonly string[],
  { response, address = null, until, opened, ready, closed }: LiveOptions = {},
): Promise<Response> {
  await startListening()
  const query = new URL(request.url).searchParams
  const resumeAfterId = readResumeId(request.headers.get('last-event-id') ?? query.get('lastEventId'))
  if (request.signal.aborted) return new Response(null, { status: 499 })
  const release = reserveStream(owner.sessionId, address)
  // The client may disconnect before the body is read.
  request.signal.addEventListener('abort', release, { once: true })
  const onClosed = () => {
    release()
    closed?.()
  }
  const onOpen = (stream: LiveUpdateStream) => {
    addStream(Object.assign(stream, { onClosed, ...(ready && { onReady: ready }) }))
    opened?.()
  }
  const hooks = { onOpen, onClose: removeStream, onUnopened: release }
  return new Response(createStreamBody(owner, channels, { resumeAfterId, until }, hooks, response), {
    headers: HEADERS,
  })
}

/** When the permission ends, in milliseconds since 1970. */
async function authorize(actor: Actor, name: string, registry: Channels): Promise<number> {
  const [prefix = '', ...rest] = name.split(':')
  const rule = Object.hasOwn(registry, prefix) ? registry[prefix] : undefined
  if (!rule) throw new Refusal('not_found')
  const { allow, until } = await rule.canSubscribe(actor, rest)
  if (!allow) throw new Refusal('forbidden')
  return until?.getTime() ?? Number.POSITIVE_INFINITY
}

// An invalid id leads to a reset, as an id that is too old does.
function readResumeId(header: string | null): number | null {
  if (!header) return null
  return /^\d{1,15}$/.test(header) ? Number(header) : -1
}
