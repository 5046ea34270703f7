import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'

export interface ResponseHooks {
  /** Called with status and headers (lower-case names, may be changed) before they are sent. */
  onHead(status: number, headers: OutgoingHttpHeaders): void
  /** Whether `onWholeBody` needs the uncompressed body; it is then buffered until it is complete. */
  needsWholeBody(status: number, headers: OutgoingHttpHeaders): boolean
  onWholeBody(headers: OutgoingHttpHeaders, body: Buffer): void
}

export type Encoding = 'br' | 'gzip'

const MIN_COMPRESSED_BYTES = 1024
// Unread bytes of an event stream after which the connection is closed; the client resumes by Last-Event-ID.
const MAX_UNREAD_BYTES = 1_000_000
/** A transfer to the thread pool and back takes longer than synchronous compression, 0.3 ms. */
const MAX_SYNC_BYTES = 100_000
const GZIP = { level: 4 } as const
const BROTLI = {
  // Half of the time of 4 for 7 % more bytes, measured with signed-in pages: see docs/decisions/159.
  [constants.BROTLI_PARAM_QUALITY]: 2,
  // The default window takes 8 MB per stream; pages are far smaller.
  [constants.BROTLI_PARAM_LGWIN]: 18,
}

/** The content codings of this server in order of preference. */
export const ENCODINGS: readonly Encoding[] = ['br', 'gzip']

/**
 * The preferred coding that an Accept-Encoding header allows (RFC 9110, 12.5.3), or null. The highest q-value decides,
 * then the order of `offered`. `q=0` excludes a coding, `*` matches codings that are not listed, a malformed q-value
 * counts as 0.
 */
export function encodingFor(
  accepted: string | string[] | undefined,
  offered: readonly Encoding[] = ENCODINGS,
): Encoding | null {
  if (accepted === undefined || accepted === '') return null
  const weights = weightsOf(String(accepted))
  let best: Encoding | null = null
  let highest = 0
  for (const encoding of offered) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0
    if (weight > highest) [best, highest] = [encoding, weight]
  }
  return best
}

// Browsers send few different headers, and the page cache reads one for each request.
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
 * Compresses the body that the renderer writes to a response: a body that ends in the first iteration is compressed as
 * a whole, a streamed one chunk by chunk with a flush after each. Event streams and small or compressed bodies are not
 * changed.
 */
export function compressResponse(request: IncomingMessage, response: ServerResponse, hooks: ResponseHooks): void {
  const output: CompressedOutput = {
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
    buffered: [],
    scheduled: false,
    mode: 'buffering',
  }
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const headers = rest.at(-1)
    output.status = status
    output.headers = {
      ...response.getHeaders(),
      ...lowerCaseNames(typeof headers === 'object' && headers !== null ? headers : {}),
    }
    if (isEvents(output.headers)) {
      startResponse(output, null)
      response.flushHeaders()
    }
    return response
  }
  response.write = (chunk: unknown) => (response.destroyed ? false : handleWrite(output, bufferOf(chunk)))
  response.end = (chunk?: unknown) => {
    if (chunk !== undefined && typeof chunk !== 'function') output.buffered.push(bufferOf(chunk))
    if (!response.destroyed) endResponse(output)
    return response
  }
}

interface CompressedOutput {
  request: IncomingMessage
  response: ServerResponse
  hooks: ResponseHooks
  accepted: Encoding | null
  send: { head: ServerResponse['writeHead']; write: (chunk: Buffer) => boolean; end: (chunk?: Buffer) => unknown }
  status: number
  headers: OutgoingHttpHeaders
  buffered: Buffer[]
  scheduled: boolean
  mode: 'buffering' | 'plain' | 'compressed'
  encoder?: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>
}

// Chunks written in one turn are sent together; the first turn also shows whether the body is complete.
function handleWrite(output: CompressedOutput, chunk: Buffer): boolean {
  if (output.mode === 'plain' && isEvents(output.headers)) {
    if (output.response.writableLength > MAX_UNREAD_BYTES) output.response.destroy()
    return output.send.write(chunk)
  }
  output.buffered.push(chunk)
  if (
    !output.scheduled &&
    !(output.mode === 'buffering' && output.hooks.needsWholeBody(output.status, output.headers))
  ) {
    output.scheduled = true
    setImmediate(() => {
      if (output.scheduled && !output.response.destroyed) flushBuffered(output)
    })
  }
  return true
}

function flushBuffered(output: CompressedOutput): void {
  output.scheduled = false
  if (output.mode === 'buffering') startResponse(output, isCompressible(output.headers) ? output.accepted : null)
  const chunk = Buffer.concat(output.buffered)
  output.buffered = []
  if (output.encoder) {
    output.encoder.write(chunk)
    output.encoder.flush()
  } else if (chunk.length > 0) output.send.write(chunk)
}

function startResponse(output: CompressedOutput, encoding: Encoding | null): void {
  output.hooks.onHead(output.status, output.headers)
  output.mode = encoding ? 'compressed' : 'plain'
  if (encoding) {
    setCompressedHeaders(output.headers, encoding)
    output.encoder = encoding === 'br' ? createBrotliCompress({ params: BROTLI }) : createGzip(GZIP)
    output.encoder.on('data', (chunk: Buffer) => output.send.write(chunk))
    output.encoder.on('end', () => output.send.end())
    output.encoder.on('error', () => output.response.destroy())
    output.response.on('close', () => output.encoder?.destroy())
  }
  output.send.head(output.status, output.headers)
}

function endResponse(output: CompressedOutput): void {
  output.scheduled = false
  const [first] = output.buffered
  const rest = first && output.buffered.length === 1 ? first : Buffer.concat(output.buffered)
  output.buffered = []
  if (output.mode === 'buffering') void sendWhole(output, rest)
  else if (output.encoder) output.encoder.end(rest)
  else output.send.end(rest)
}

async function sendWhole(output: CompressedOutput, body: Buffer): Promise<void> {
  const { request, response, hooks, status, headers, send } = output
  output.mode = 'plain'
  hooks.onHead(status, headers)
  if (hooks.needsWholeBody(status, headers)) hooks.onWholeBody(headers, body)
  const encoding = body.length > MIN_COMPRESSED_BYTES && isCompressible(headers) ? output.accepted : null
  const compressed = encoding ? compressBody(body, encoding) : body
  const sent = Buffer.isBuffer(compressed) ? compressed : await compressed
  if (response.destroyed) return
  if (encoding) setCompressedHeaders(headers, encoding)
  const bodiless = request.method === 'HEAD' || status === 204 || status === 304
  if (!bodiless) headers['content-length'] = sent.length
  send.head(status, headers)
  send.end(bodiless ? undefined : sent)
}

/** Whether content of this type is worth compressing. */
export function isText(type: string): boolean {
  return /^(text\/|application\/(json|javascript|xml|manifest\+json|[a-z.]+\+xml)|image\/svg)/.test(type)
}

function isCompressible(headers: OutgoingHttpHeaders): boolean {
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined || isEvents(headers))
    return false
  return isText(String(headers['content-type'] ?? '')) && !String(headers['cache-control']).includes('no-transform')
}

function isEvents(headers: OutgoingHttpHeaders): boolean {
  return String(headers['content-type'] ?? '').startsWith('text/event-stream')
}

function setCompressedHeaders(headers: OutgoingHttpHeaders, encoding: Encoding): void {
  headers['content-encoding'] = encoding
  headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding'
  delete headers['content-length']
  // A strong ETag identifies exact bytes, which compression has changed.
  if (typeof headers.etag === 'string' && headers.etag.startsWith('"')) headers.etag = `W/${headers.etag}`
}

function compressBody(body: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const isSmall = body.length <= MAX_SYNC_BYTES
  if (encoding === 'gzip') return isSmall ? gzipSync(body, GZIP) : promisify(gzip)(body, GZIP)
  const params = { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }
  return isSmall ? brotliCompressSync(body, params) : promisify(brotliCompress)(body, params)
}

function lowerCaseNames(headers: object): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function bufferOf(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (chunk instanceof Uint8Array) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return Buffer.from(String(chunk))
}
