import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

export interface Hooks {
  /** Sees status and headers (lower-case names, may change them) before they are sent. */
  head(status: number, headers: OutgoingHttpHeaders): void
  /** Whether the whole uncompressed body is wanted; it is then held back until it is complete. */
  wanted(status: number, headers: OutgoingHttpHeaders): boolean
  whole(headers: OutgoingHttpHeaders, body: Buffer): void
}

export type Encoding = 'br' | 'gzip'

const SMALLEST = 1024
// What a client may leave unread in an event stream before it is cut: it resumes by Last-Event-ID.
const MOST_UNREAD = 1_000_000
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  // The usual window costs 8 MB a stream; pages are far smaller.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** What this server can pack, the best first. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/**
 * Best encoding of those offered that an Accept-Encoding header allows (RFC 9110, 12.5.3), or null: the highest q-value
 * wins, of equal ones the first offered. `q=0` refuses, `*` stands for what is not named, a q-value out of the grammar
 * counts as a refusal.
 */
export function encodingFor(
  accepted: string | string[] | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (accepted === undefined || accepted === '') return null
  const weights = weightsOf(String(accepted))
  let best: Encoding | null = null
  let most = 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > most) [best, most] = [encoding, weight]
  }
  return best
}

// Browsers send a handful of different headers, and the page cache asks for each request.
const parsed = new Map<string, ReadonlyMap<string, number>>()

function weightsOf(accepted: string): ReadonlyMap<string, number> {
  const known = parsed.get(accepted)
  if (known) return known
  const weights = new Map(accepted.split(',').map(weightOf))
  if (parsed.size < 100) parsed.set(accepted, weights)
  return weights
}

function weightOf(item: string): [coding: string, weight: number] {
  const [coding = '', ...params] = item.split(';').map((part) => part.trim().toLowerCase())
  if (params.length === 0) return [coding, 1]
  const q = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(params.join(';'))?.[1]
  return [coding === 'x-gzip' ? 'gzip' : coding, Number(q ?? 0)]
}

/**
 * Puts itself between the renderer and the connection: a body that ends in one go is compressed as a whole, a streamed
 * one piece by piece with a flush after each, events and small or packed bodies pass through untouched.
 */
export function interpose(request: IncomingMessage, response: ServerResponse, hooks: Hooks): void {
  const out: Outgoing = {
    request,
    response,
    hooks,
    accepted: encodingFor(request.headers['accept-encoding']),
    send: {
      head: response.writeHead.bind(response),
      write: response.write.bind(response),
      end: response.end.bind(response),
    },
    status: 200,
    headers: {},
    held: [],
    scheduled: false,
    mode: 'held',
  }
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const given = rest.at(-1)
    out.status = status
    out.headers = { ...response.getHeaders(), ...lowered(typeof given === 'object' && given !== null ? given : {}) }
    if (isEvents(out.headers)) {
      begin(out, null)
      response.flushHeaders()
    }
    return response
  }
  response.write = (chunk: unknown) => (response.destroyed ? false : take(out, bufferOf(chunk)))
  response.end = (chunk?: unknown) => {
    if (chunk !== undefined && typeof chunk !== 'function') out.held.push(bufferOf(chunk))
    if (!response.destroyed) finish(out)
    return response
  }
}

interface Outgoing {
  request: IncomingMessage
  response: ServerResponse
  hooks: Hooks
  accepted: Encoding | null
  send: { head: ServerResponse['writeHead']; write: (chunk: Buffer) => boolean; end: (chunk?: Buffer) => unknown }
  status: number
  headers: OutgoingHttpHeaders
  held: Buffer[]
  scheduled: boolean
  mode: 'held' | 'plain' | 'packed'
  packer?: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>
}

// Pieces written in one turn travel together; the first turn also shows whether the whole body came at once.
function take(out: Outgoing, chunk: Buffer): boolean {
  if (out.mode === 'plain' && isEvents(out.headers)) {
    if (out.response.writableLength > MOST_UNREAD) out.response.destroy()
    return out.send.write(chunk)
  }
  out.held.push(chunk)
  if (!out.scheduled && !(out.mode === 'held' && out.hooks.wanted(out.status, out.headers))) {
    out.scheduled = true
    setImmediate(() => {
      if (out.scheduled && !out.response.destroyed) pour(out)
    })
  }
  return true
}

function pour(out: Outgoing): void {
  out.scheduled = false
  if (out.mode === 'held') begin(out, isPackable(out.headers) ? out.accepted : null)
  const chunk = Buffer.concat(out.held)
  out.held = []
  if (out.packer) {
    out.packer.write(chunk)
    out.packer.flush()
  } else if (chunk.length > 0) out.send.write(chunk)
}

function begin(out: Outgoing, encoding: Encoding | null): void {
  out.hooks.head(out.status, out.headers)
  out.mode = encoding ? 'packed' : 'plain'
  if (encoding) {
    pack(out.headers, encoding)
    out.packer = encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip({ level: 6 })
    out.packer.on('data', (chunk: Buffer) => out.send.write(chunk))
    out.packer.on('end', () => out.send.end())
    out.packer.on('error', () => out.response.destroy())
    out.response.on('close', () => out.packer?.destroy())
  }
  out.send.head(out.status, out.headers)
}

function finish(out: Outgoing): void {
  out.scheduled = false
  const rest = Buffer.concat(out.held)
  out.held = []
  if (out.mode === 'held') void sendWhole(out, rest)
  else if (out.packer) out.packer.end(rest)
  else out.send.end(rest)
}

async function sendWhole(out: Outgoing, body: Buffer): Promise<void> {
  const { request, response, hooks, status, headers, send } = out
  out.mode = 'plain'
  hooks.head(status, headers)
  if (hooks.wanted(status, headers)) hooks.whole(headers, body)
  const encoding = body.length > SMALLEST && isPackable(headers) ? out.accepted : null
  const sent = encoding ? await compressed(body, encoding) : body
  if (response.destroyed) return
  if (encoding) pack(headers, encoding)
  const bodiless = request.method === 'HEAD' || status === 204 || status === 304
  if (!bodiless) headers['content-length'] = sent.length
  send.head(status, headers)
  send.end(bodiless ? undefined : sent)
}

/** Whether bytes of this type shrink. */
export function isText(type: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|manifest\+json|[a-z.]+\+xml)|image\/svg)/.test(type)
}

function isPackable(headers: OutgoingHttpHeaders): boolean {
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined || isEvents(headers))
    return false
  return isText(String(headers['content-type'] ?? '')) && !String(headers['cache-control']).includes('no-transform')
}

function isEvents(headers: OutgoingHttpHeaders): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream')
}

function pack(headers: OutgoingHttpHeaders, encoding: Encoding): void {
  headers['content-encoding'] = encoding
  headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding'
  delete headers['content-length']
  // Strong tags name exact bytes, and these are no longer the ones that were tagged.
  if (typeof headers.etag === 'string' && headers.etag.startsWith('"')) headers.etag = `W/${headers.etag}`
}

function compressed(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 6 })
  return promisify(brotliCompress)(body, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
}

function lowered(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bufferOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Buffer.from(String(chunk))
}
